"""A run: what the schedule asks for and the store has not, played, kept, until nothing is missing.

The schedule is a generator that is run again from the start each time, against what is stored; so the
same command continues a run, and the result does not depend on which match ended first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import engines
from harness import continuing, formats, run_folder, self_check
from harness.analysis import reproducible
from harness.config_values import RunConfig
from harness.executors.base import Executor, ExecutorError
from harness.executors.choice import open_executor
from harness.formats.core.schedule import self_play_deals
from harness.logs import Logs
from harness.players import measuring
from harness.progress import GameInfo, Progress, RunInfo, Silent
from harness.run_folder import CannotContinue, folder_of
from harness.run_loop import RunLoop
from harness.store.parquet import Locked, ParquetStore, StoreError
from harness.store.reuse import Earlier, Played
from harness.store.verify import run_digest

__all__ = ["CannotContinue", "Locked", "RunResult", "StoreError", "folder_of", "run"]


MOST_WORKERS: Final = 10_000
"""More are a slip of the keyboard, and would be as many processes."""


class RunResult(NamedTuple):
    """How a run ended."""

    folder: Path
    matches_played: int
    """By this start."""
    matches_total: int
    """Of the whole run; what was planned where it was interrupted."""
    voids_open: int
    """Deal sets that stay open because a match of theirs had too many void tries."""
    digest: str
    """Of all that is stored; empty where the run was interrupted."""
    interrupted: bool
    already_complete: bool
    """Everything was stored before."""
    executor: str
    """What played it: `local` or `ray`; empty where there was nothing to play."""
    matches_taken: int = 0
    """Taken over by this start from an earlier schedule of the run, or from the run of its name."""


def run(
    config: RunConfig,
    *,
    out: Path | None = None,
    executor: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Start or continue a run in its folder, until all is played or it is interrupted.

    The arguments stand before the config's own `executor` and `workers`; `address` is a Ray cluster's.
    Raises CannotContinue (another run is in the folder), Locked (another process writes there), StoreError
    (files cannot be written) or executors.base.ExecutorError (no workers).
    """
    if executor == "local" and address is not None:
        raise ExecutorError(f"the address {address} is of a Ray cluster, but the executor is to be local")
    if address is not None and not address.strip():
        raise ExecutorError("expected the address of a Ray cluster, such as 10.0.0.1:6379, got an empty one")
    if (wanted := workers or config.workers or 1) > MOST_WORKERS:
        raise ExecutorError(f"workers: expected at most {MOST_WORKERS:,}, got {wanted:,}")
    folder = folder_of(config, out)
    watching = progress or Silent()
    try:
        continuing.check(config, folder)
        with ParquetStore(folder) as store:
            return _run(
                config, store, watching, executor or config.executor, workers or config.workers, address
            )
    except OSError as error:
        place = error.filename or folder
        if isinstance(error, NotADirectoryError | FileExistsError):
            raise CannotContinue(
                f"{folder} cannot be a run's folder: {place}: {error.strerror}; name another (--out)"
            ) from None
        raise StoreError(
            f"cannot write {place}: {error.strerror or error}; that mended, the same command continues"
        ) from error


def _run(
    config: RunConfig,
    store: ParquetStore,
    watching: Progress,
    executor: str,
    workers: int | None,
    address: str | None,
) -> RunResult:
    """The run in a folder that is ours."""
    folder = store.folder
    measured = measuring.measure(config.isolation, [bot.source for bot in config.bots], config.allow)
    # Again, now that nobody else writes here.
    standing = continuing.check(config, folder)
    if standing.renumbers:
        store.put_aside()
    run_folder.write(
        config,
        folder,
        renewed=bool(standing.changes),
        isolation=measured.level,
        executor=executor,
        workers=workers,
    )
    logs = Logs(folder / "logs")
    plan = formats.plan(config)
    known = store.known()
    earlier = _earlier(config, folder, wanted=len(known) < plan.matches)
    info = _info(config, plan, store, stored=len(known))._replace(
        isolation=measured.told, changes=standing.changes, sources=tuple(played.folder for played in earlier)
    )
    opened: list[Executor] = []

    def opening(matches_left: Callable[[], int]) -> Executor:
        setup = run_folder.setup(config, folder, isolation=config.isolation)
        opened.append(
            open_executor(
                executor,
                setup,
                workers=workers,
                address=address,
                logs=logs.folder,
                matches_left=matches_left,
                note=watching.note,
            )
        )
        stored = info.stored + loop.taken
        watching.start(info._replace(stored=stored, executor=opened[0].name, workers=opened[0].workers))
        return opened[0]

    loop = RunLoop(config, plan.matches, store, known, Earlier(earlier), watching, opening, logs.tend)
    try:
        began = time.monotonic()
        loop.play()
        if not opened:
            watching.start(info._replace(stored=info.stored + loop.taken))
        elif not loop.stopping and config.self_play is None:
            _check(config, opened[0], time.monotonic() - began, folder, watching)
    finally:
        try:
            watching.stop()
        finally:
            for one in opened:
                one.close()
            logs.cut()
    store.flush()
    if not loop.stopping:
        store.compact()
    complete = not (loop.stopping or loop.open_sets)
    digest = "" if loop.stopping else run_digest(folder)
    if complete:
        run_folder.finished(folder, loop.scheduled, digest)
    return RunResult(
        folder=folder,
        matches_played=loop.played,
        matches_total=max(plan.matches, loop.scheduled) if loop.stopping else loop.scheduled,
        voids_open=len(loop.open_sets),
        digest=digest,
        interrupted=loop.stopping,
        already_complete=complete and not loop.played and not loop.taken,
        executor=opened[0].name if opened else "",
        matches_taken=loop.taken,
    )


def _earlier(config: RunConfig, folder: Path, *, wanted: bool) -> list[Played]:
    """The runs that have matches to take over, where any are `wanted`."""
    found = []
    for place in continuing.sources(config, folder) if wanted else ():
        conditions = continuing.conditions(config, place)
        if conditions is not None and len(played := Played(place, conditions)):
            found.append(played)
    return found


def _check(config: RunConfig, executor: Executor, played: float, folder: Path, watching: Progress) -> None:
    """See whether bots repeat themselves, after `played` seconds of play; the report tells it too."""
    try:
        found = self_check.check(config, executor, played)
    except KeyboardInterrupt:
        watching.note(
            "interrupted before it was seen whether all bots repeat themselves; the run is complete"
        )
        return
    run_folder.checked(folder, [one.data() for one in found])
    for one in found:
        if one.first is not None:
            watching.note(str(one))


def _deals(config: RunConfig, game: formats.GamePlan) -> reproducible.Deals:
    """The game's deals, compared; not compared where its engine fails, which play will show to be so."""
    try:
        return reproducible.deals(config, game.game, game.extent.deals)
    except Exception:  # noqa: BLE001 - an engine's own; matches are void then, with the reason
        return reproducible.Deals(game.extent.deals, 0, 0)


def _info(config: RunConfig, plan: formats.Plan, store: ParquetStore, stored: int) -> RunInfo:
    """What there is to say before anything is played; executor and workers are not known yet."""
    games = tuple(
        GameInfo(
            *game.game,
            engines.game_type(game.game.name).version,
            _deals(config, game),
            game.extent.sets,
            game.extent.matches,
            game.extent.at_most or game.extent.shares_open,
        )
        for game in plan.games
    )
    return RunInfo(
        folder=store.folder,
        name=config.name,
        seed=config.seed,
        format=config.format,
        games=games,
        bots=tuple(bot.ref for bot in config.bots),
        limits=config.limits,
        isolation=config.isolation,
        executor="",
        workers=0,
        sets=plan.sets,
        matches=plan.matches,
        stored=stored,
        notes=(*store.notes, *plan.notes),
        at_most=plan.at_most,
        timed=config.timed,
        seed_drawn=config.seed_drawn,
        self_play=2 * self_play_deals(config) * sum(len(game.bots) for game in plan.games),
    )
