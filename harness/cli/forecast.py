"""What `croupier run --dry-run` says: how much would be played, and about how long that takes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Final

from harness.cli.common import counted

if TYPE_CHECKING:
    from harness.config import GameEntry, RunConfig
    from harness.records import MatchSpec

TRIAL_SECONDS: Final = 1.0
"""How long each game is tried."""
_AMONG: Final = 2_000
"""Matches at the head of the schedule that a trial picks from."""
_STRIDE: Final = 7919
"""A prime: stepping by it meets every line-up and seating early."""


def foresee(config: RunConfig, workers: int | None) -> Iterator[str]:
    """The lines to print; nothing is written anywhere."""
    from harness import formats
    from harness.executors.choice import cores

    plan = formats.plan(config)
    yield (
        f"{config.name}: {config.format}, seed {config.seed}: {counted(plan.sets, 'deal set')}, "
        f"{counted(plan.matches, 'match', 'matches')}"
    )
    for game in plan.games:
        rules = "" if game.game.rules == "{}" else f" {game.game.rules}"
        least, most = min(game.per_bot.values()), max(game.per_bot.values())
        yield (
            f"  {game.game.name}{rules}: {counted(len(game.bots), 'bot')}, "
            f"{counted(game.line_ups, 'line-up')}, {counted(game.deals, 'deal')}, "
            f"{'at most ' if game.at_most else ''}"
            f"{counted(game.sets, 'deal set')}, {counted(game.matches, 'match', 'matches')}, "
            f"{'at most ' if game.shares_open else ''}"
            f"{f'{least:,}' if least == most else f'{least:,} to {most:,}'} for each bot"
        )
    for note in plan.notes:
        yield f"  Note: {note}"
    count = workers or config.workers or cores()
    seconds = 0.0
    for game in plan.games:
        each, lost = trial(config, game.game)
        seconds += game.matches * each
        if lost:
            yield f"  Note: a match of {game.game.name} could not be played: {lost}"
    about = "at most about" if any(game.at_most for game in plan.games) else "about"
    yield f"  {about} {duration(seconds / count)} with {counted(count, 'worker')}, going by a short trial"


def trial(config: RunConfig, game: GameEntry) -> tuple[float, str]:
    """Seconds a match, over as many as fit into the trial's time; and why one was not played, if so."""
    from harness import formats
    from harness.executors.base import Batch, Setup
    from harness.worker import Worker

    mine: list[MatchSpec] = [
        spec
        for spec in islice(next(formats.schedule(config)), _AMONG)
        if (spec.game, spec.rules) == (game.name, game.rules)
    ]
    sources = {(bot.ref.name, bot.ref.version): bot.source for bot in config.bots}
    worker = Worker(Setup(sources, config.isolation, config.allow))
    began = perf_counter()
    played, lost = 0, ""
    while played < len(mine) and perf_counter() - began < TRIAL_SECONDS and not lost:
        result = worker.play(Batch((mine[_STRIDE * played % len(mine)],)))
        lost = result.losses[0].why if result.losses else ""
        played += 1
    worker.close()
    return (perf_counter() - began) / max(1, played), lost


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
