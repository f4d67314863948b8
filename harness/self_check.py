"""What every run does by default to see whether its bots repeat themselves: a little self-play at its end.

Every bot plays itself on three deals, each twice, with the run's own workers. These matches are no part of
the results. The two plays of one of the deals go out apart, so that they often come about in different
processes. It takes a twentieth of the run's time at most, or a few seconds; what was not finished by then
is not judged.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from typing import Final

from harness import formats
from harness.analysis import reproducible
from harness.analysis.reproducible import Repeated
from harness.config_values import RunConfig
from harness.executors.base import Batch, Executor, records
from harness.records import MatchRecord, MatchSpec

DEALS: Final = 3
SHARE: Final = 0.05
"""The part of a run's playing time that the check may take, where that is more than LEAST seconds."""
LEAST: Final = 5.0


def batches(config: RunConfig) -> Iterator[Batch]:
    """The matches of every bot at every game in two batches each: one of everybody's, then the others.

    The others come in reverse, so that workers which take turns have one batch of a bot each.
    """
    asked = dataclasses.replace(config, self_play=DEALS)
    found: dict[tuple[object, ...], list[MatchSpec]] = {}
    rounds = [(table, formats.self_play(asked, table)) for table in formats.tables(config)]
    for spec in formats.numbered(asked, 0, rounds):
        found.setdefault((spec.game, spec.rules, spec.seats), []).append(spec)
    for specs in found.values():
        yield Batch(tuple(specs[: len(specs) // 2]))
    for specs in reversed(found.values()):
        yield Batch(tuple(specs[len(specs) // 2 :]))


def check(config: RunConfig, executor: Executor, seconds: float) -> list[Repeated]:
    """Play them; what was found of those bots that finished in time, also of matches in other processes."""
    until = time.monotonic() + max(LEAST, SHARE * seconds)
    left, flight = batches(config), 0
    found: list[MatchRecord] = []
    waiting = next(left, None)
    while (waiting or flight) and time.monotonic() < until:
        while waiting and executor.room():
            executor.submit(waiting)
            flight += 1
            waiting = next(left, None)
        for result in executor.collect(0.2):
            flight -= 1
            found += records(result)
    return reproducible.check(sorted(found, key=lambda record: record.spec.id))
