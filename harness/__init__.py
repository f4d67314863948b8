"""Tournaments: schedules, workers, results, rankings. `play` one match, `run` a config, `open_run` a run.

Everything behind these three is imported when it is called, so that `import harness` is quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.core.game import Game
    from harness.config_values import RunConfig
    from harness.inprocess import Seat
    from harness.records import Limits, MatchRecord
    from harness.report.league import League
    from harness.report.opened import OpenRun
    from harness.tournament import RunResult

__all__ = ["open_run", "open_runs", "play", "run"]


def play(
    game: Game[Any, Any] | str,
    bots: Sequence[Seat],
    *,
    luck: int | None = None,
    position: Mapping[str, Any] | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    raise_faults: bool = False,
) -> MatchRecord:
    """Play one match in this process: `play("kozyri-duel", [MyBot, Uniform], luck=7)`.

    `game` is a game or its name (then `options` are its rules). `bots` are classes, or names of shipped and
    installed bots, each alone or as (bot, its options): one for every seat or one for every side. `luck`
    (0 … 2**53 - 1) is the deal, `seed` the bots' own luck. In place of `luck`, a `position` (as JSON
    values) is where the match starts, and it names the rules unless `options` do. A bot's fault is in the
    record; with `raise_faults` its exception is raised, for pdb.
    """
    from harness.inprocess import play_here

    return play_here(
        game,
        bots,
        luck=luck,
        position=position,
        seed=seed,
        options=options,
        limits=limits,
        raise_faults=raise_faults,
    )


def run(
    config: RunConfig | Path | str,
    *,
    out: Path | str | None = None,
    executor: str | None = None,
    workers: int | None = None,
) -> RunResult:
    """Start or continue the tournament of a config (its file, or the value that `config.read` gives).

    `out` is the run's folder, `reports/<name>` by default; `executor` (`auto`, `local`, `ray`) and
    `workers` stand before the config's own. Raises what `tournament.run` and `config.read` raise.
    """
    from harness import tournament
    from harness.config import read

    folder = None if out is None else Path(out)
    if isinstance(config, Path | str):
        config = read(Path(config), out=folder)
    return tournament.run(config, out=folder, executor=executor, workers=workers)


def open_run(path: Path | str) -> OpenRun:
    """The results of a run as pandas frames: of the run in that folder, or of that name in `reports/`.

    It has `matches`, `seats`, `moves`, `standings` and `pairs`, each read when it is asked for, and `read`
    for single columns; docs/results.md tells what is in them. Raises `analysis.frames.NoRun`.
    """
    from harness.report import opened

    return opened.open_run(path)


def open_runs(paths: Iterable[Path | str]) -> League:
    """Several runs of one league read together, by bot version: the same frames, with a column `run`.

    Raises `analysis.frames.NoRun`, and `report.league.SameRun` for a run that is given twice.
    """
    from harness.report import league

    return league.open_runs(paths)
