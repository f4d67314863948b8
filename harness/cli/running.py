"""The command `run`: start or continue a tournament."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer

from harness.cli.common import INTERRUPTED, LEFT_OPEN, cluster_gone, command, console, counted, room, say

if TYPE_CHECKING:
    from harness.cli.progress import Watcher
    from harness.tournament import RunResult


_SHOWN: Final = 10
"""Open deal sets that are named one by one."""


class Executor(StrEnum):
    """Who plays the matches."""

    auto = "auto"
    local = "local"
    ray = "ray"


class Isolation(StrEnum):
    """How bots are kept in, from the weakest level up; `auto` is the best there is."""

    auto = "auto"
    none = "none"
    bounded = "bounded"
    locked_noopen = "locked-noopen"
    locked = "locked"
    locked_ns = "locked-ns"
    sealed = "sealed"


LEVELS: Final = f"{', '.join(list(Isolation)[:-1])} or {list(Isolation)[-1]}"
"""The levels of isolation, for a help."""


@command
def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="The tournament, a TOML file.")],
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Matches at once. [default: one a core]")
    ] = None,
    executor: Annotated[
        Executor | None, typer.Option(help="Who plays. [default: the config's, else auto]")
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address of a Ray cluster to play on.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The run's folder. [default: reports/NAME]")
    ] = None,
    isolation: Annotated[
        Isolation | None,
        typer.Option(
            help=f"How bots are kept in: {LEVELS}. [default: the config's, else auto]", metavar="LEVEL"
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what would be played, how long and how surely; write nothing."),
    ] = False,
    time: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Choose how many deals fit, once: 30s, 45m, 2h."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if there was a forfeit or a note.")
    ] = False,
) -> None:
    """Play a tournament, or continue it: the same command goes on where it stopped.

    \b
    Example: croupier run configs/quickstart.toml --workers 4
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    began = monotonic()
    from harness import config as configs
    from harness import tournament
    from harness.cli import forecast

    settings = configs.read(config, out=out, isolation=isolation.value if isolation else None)
    player = executor.value if executor else settings.executor
    choice = None
    if time is not None:
        choice = forecast.choose(
            settings, tournament.folder_of(settings, out), time, player, workers, address, began
        )
        settings = choice.config
        for line in wrapped(forecast.reasons(choice, kept=not dry_run), stderr=not dry_run):
            typer.echo(line, err=not dry_run)
    if dry_run:
        found = choice.found if choice else None
        for line in wrapped(forecast.foresee(settings, player, workers, address, found), stderr=False):
            typer.echo(line)
        return
    from harness.cli.progress import Watcher
    from harness.executors.base import ClusterLost

    watcher = Watcher(console(stderr=True))
    try:
        result = tournament.run(
            settings,
            out=out,
            executor=executor.value if executor else None,
            workers=workers,
            address=address,
            progress=watcher,
        )
    except KeyboardInterrupt:
        folder, stopped = tournament.folder_of(settings, out), True
    except ClusterLost as error:
        cluster_gone(error, continuing(config, workers, Executor.local, None, out, isolation, strict=strict))
    else:
        folder, stopped = result.folder, result.interrupted
    if stopped:
        again = continuing(config, workers, executor, address, out, isolation, strict=strict)
        say(f"stopped; what was played is in {folder}. This continues it:\n  {again}")
        raise typer.Exit(INTERRUPTED)
    finish(result, config, watcher, strict=strict)


def remark(text: str) -> None:
    """A message in words, to stderr, in lines that a terminal has room for."""
    for line in wrapped([text], stderr=True):
        say(line)


def wrapped(lines: Iterable[str], *, stderr: bool) -> Iterator[str]:
    """Lines set for a terminal, where that is where they go, or for COLUMNS."""
    from harness.cli.progress import fitted

    place = console(stderr=stderr)
    for line in lines:
        yield from fitted(line, room(place))


def finish(result: RunResult, config: Path, watcher: Watcher, *, strict: bool) -> None:
    """Write and print the ranking; exit with 1 where something is left open."""
    from harness import report as reports
    from harness.report import terminal

    if result.already_complete:
        remark(
            f"{result.folder} is complete: all {result.matches_total:,} matches are there, so nothing was "
            f"played. For a new run give another folder (--out DIR), or another name in {config}."
        )
    report = reports.write(result.folder)
    terminal.show(report, console())
    remark(f"{result.folder}: report.md, standings.parquet, matches/, seats/")
    if result.voids_open:
        remark(
            f"{counted(result.voids_open, 'deal set')} left open ({listed(result.open_sets)}): the platform "
            f"failed three times in a row (voids.parquet says how); the same command tries again"
        )
        raise typer.Exit(LEFT_OPEN)
    forfeits = sum(
        sum(line.statistics.forfeits.values()) for table in report.standings for line in table.lines
    )
    notes = len(report.warnings) + watcher.notes
    if strict and (forfeits or notes):
        say(f"--strict: {counted(forfeits, 'forfeit')}, {counted(notes, 'note')}")
        raise typer.Exit(LEFT_OPEN)


def listed(names: Sequence[str]) -> str:
    """The first of these names, and how many there are beside them."""
    more = len(names) - _SHOWN
    return ", ".join([*names[:_SHOWN], *([f"and {more:,} more"] if more > 0 else [])])


def continuing(
    config: Path,
    workers: int | None,
    executor: Executor | None,
    address: str | None,
    out: Path | None,
    isolation: Isolation | None = None,
    *,
    strict: bool,
) -> str:
    """The command that goes on with this run, to be pasted into a shell."""
    program = ["croupier"] if Path(sys.argv[0]).name == "croupier" else ["python", "-m", "harness"]
    words = [*program, "run", str(config)]
    options = {
        "--workers": workers,
        "--executor": executor,
        "--address": address,
        "--out": out,
        "--isolation": isolation,
    }
    for name, value in options.items():
        if value is not None:
            words += [name, str(value)]
    return shlex.join([*words, "--strict"] if strict else words)


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="Play a tournament, or continue it.")(run)
