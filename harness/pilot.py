"""A pilot: a few of a run's own deal sets, played to learn how long matches take and how much scores vary.

What it plays is kept nowhere. Of every game it takes some line-ups of the first round that have all bots
among them, and plays the same ones on deal after deal, so that what differs from deal to deal is not who met.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from statistics import fmean, median
from typing import Final, NamedTuple

from harness import formats
from harness.config_values import GameEntry, RunConfig
from harness.executors.base import Batch, BatchResult, Executor, records
from harness.formats import DealSet, Table
from harness.pace import Pace
from harness.precision import Scores, Variation
from harness.records import MatchRecord, MatchSpec
from harness.wording import one_line

OFTEN: Final = 2
"""Line-ups of every bot that a pilot takes, where there are so many."""
_AMONG: Final = 2_000
"""Deal sets at the head of the first round that it picks from."""
_FEW: Final = 6
"""So many line-ups are all taken."""
_STRIDE: Final = 7919
"""A prime: stepping by it meets line-ups of all kinds early."""
_BATCH: Final = 0.1
"""Seconds of a batch: so short that workers end together, so long that its making does not count."""
_MOST: Final = 400
"""Deals that are tried at most: more would say little more."""


class Trial(NamedTuple):
    """What the pilot found at one game."""

    game: GameEntry
    seconds: float
    """Of one worker for a match, on average over the round's line-ups; nan where none was played."""
    matches: int
    variation: Variation | None
    """How much bots' scores vary from deal to deal; None where less than two deals were finished."""
    lost: str
    """Why a match could not be played; empty where all could."""


def pilot(config: RunConfig, executor: Executor, seconds: float) -> list[Trial]:
    """Try every game for so many seconds (the last match begun is finished); results are not kept."""
    return [try_game(config, table, executor, seconds) for table in formats.tables(config)]


def try_game(config: RunConfig, table: Table, executor: Executor, seconds: float) -> Trial:
    """Try one game."""
    first = list(islice(next(formats.load(config.format).rounds(table)), _AMONG))
    met = list({deal_set.line_up: deal_set for deal_set in reversed(first)}.values())[::-1]
    tried = Tried(config, table, some(met))
    tried.play(executor, seconds)
    return Trial(table.game, tried.seconds_a_match(met), tried.matches, tried.scores.variation(), tried.lost)


def some(met: Sequence[DealSet]) -> list[DealSet]:
    """A few line-ups in which every bot sits a few times."""
    if len(met) <= _FEW:
        return list(met)
    order = sorted(range(len(met)), key=lambda index: index * _STRIDE % len(met))
    sat: Counter[str] = Counter()
    found = []
    for index in order:
        names = {ref.name for ref in met[index].bots}
        if any(sat[name] < OFTEN for name in names):
            sat.update(names)
            found.append(met[index])
    return found


class Tried:
    """One game while it is tried."""

    def __init__(self, config: RunConfig, table: Table, chosen: Sequence[DealSet]) -> None:
        self.matches = 0
        self.lost = ""
        self.scores = Scores(len(chosen))
        self._config = config
        self._table = table
        self._chosen = chosen
        self._pace = Pace()
        self._warm = Pace()
        """What is learnt from batches that were sent to workers which had started: without any start-up."""
        self._spent: list[float] = []
        """Seconds a match of every batch."""
        self._back = 0

    def play(self, executor: Executor, seconds: float) -> None:
        """Keep the workers busy until the time is over, then wait for what was begun."""
        sets = self._sets()
        flight: dict[str, int] = {}  # by the first match of a batch: how many were back when it was sent
        until = math.inf
        while True:
            while executor.room() and time.monotonic() < until and not self.lost:
                batch = Batch(tuple(self._next(sets)))
                if not batch.specs:
                    break
                executor.submit(batch)
                flight[batch.specs[0].id] = self._back
            if not flight:
                return
            for result in executor.collect(0.2):
                self._learn(result, warm=flight.pop(result.batch.specs[0].id) >= executor.workers)
                if self._back == executor.workers:
                    until = time.monotonic() + seconds  # by now all have started and loaded what they need

    def _sets(self) -> Iterator[list[MatchSpec]]:
        """The chosen line-ups on deal after deal, a set at a time."""
        given = self._config.positions
        for deal in range(_MOST if given is None else min(_MOST, len(given.lines))):
            dealt = [chosen._replace(deal=deal) for chosen in self._chosen]
            specs = formats.numbered(self._config, deal + 1, [(self._table, dealt)])
            for _, deal_set in groupby(specs, key=lambda spec: spec.set_id):
                yield list(deal_set)

    def _next(self, sets: Iterator[list[MatchSpec]]) -> Iterator[MatchSpec]:
        """Sets that take about _BATCH seconds together; a single one as long as that is not known."""
        spent = 0.0
        for deal_set in sets:
            yield from deal_set
            spent += self._pace.seconds(deal_set)
            if spent >= _BATCH:
                return

    def _learn(self, result: BatchResult, *, warm: bool) -> None:
        self._back += 1
        if result.losses:
            self.lost = one_line(result.losses[0].why)
        if result.tables is None:
            return
        self.matches += result.played
        self._spent.append(result.seconds / result.played)
        self._pace.learn(result)
        if warm:
            self._warm.learn(result)
        self._take(result)

    def _take(self, result: BatchResult) -> None:
        found: dict[tuple[int, int], list[MatchRecord]] = {}
        if not result.losses:
            for record in records(result):
                found.setdefault((record.spec.round, record.spec.line_up), []).append(record)
        for (deal, line_up), deal_set in found.items():
            self.scores.add(deal, line_up, _means(deal_set))

    def seconds_a_match(self, met: Iterable[DealSet]) -> float:
        """The mean over all these line-ups, whether they were tried or not."""
        for pace in (self._warm, self._pace):
            each = [self._expected(pace, deal_set) for deal_set in met]
            if each and math.isfinite(mean := fmean(each)):
                return mean
        return median(self._spent) if self._spent else math.nan  # not every bot was met

    def _expected(self, pace: Pace, deal_set: DealSet) -> float:
        specs = list(formats.numbered(self._config, 1, [(self._table, [deal_set])]))
        return pace.seconds(specs) / len(specs)


def _means(deal_set: Iterable[MatchRecord]) -> dict[str, float]:
    """Every bot's mean score a seat in one deal set."""
    scores: dict[str, list[float]] = {}
    for record in deal_set:
        for seat in record.seats:
            scores.setdefault(seat.bot.name, []).append(seat.score)
    return {name: math.fsum(values) / len(values) for name, values in scores.items()}
