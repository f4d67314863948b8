"""A simulated cluster: deal sets of two bots whose matches last the longer, the better one does.

For the error rates of sequential tests. Every deal set is a batch for one worker; a free worker takes the
next set of the schedule; a match that the first bot wins lasts `WIN` units, one that it loses `LOSS`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from harness.analysis.sequential import Shares, Test
from harness.formats import compare

WIN, LOSS = 5.0, 1.0


class Bots(NamedTuple):
    """How two bots' deal sets of two matches come out."""

    both: float
    """The chance that the first wins both matches."""
    none: float
    """The chance that it loses both; else each wins one."""

    @property
    def share(self) -> float:
        """The first one's true mean share."""
        return 0.5 + (self.both - self.none) / 2

    def play(self, rng: Random) -> float:
        """The share of one deal set."""
        drawn = rng.random()
        return 1.0 if drawn < self.both else 0.0 if drawn < self.both + self.none else 0.5


class End(NamedTuple):
    """How a comparison ended."""

    verdict: str
    sets: int
    """How many deal sets the verdict rests on."""


def lasting(share: float) -> float:
    """How long a deal set with this share occupies its worker."""
    return 2 * (share * WIN + (1 - share) * LOSS)


def completed(bots: Bots, sets: int, workers: int, rng: Random) -> Iterator[tuple[int, float]]:
    """The deal sets 0 … sets-1 as (number, share) in the order in which they are completed."""
    flying: list[tuple[float, int, float]] = []
    now = 0.0
    for number in range(sets):
        if len(flying) == workers:
            now, done, share = heapq.heappop(flying)
            yield done, share
        share = bots.play(rng)
        # Workers of a real cluster are not in step from the first match on.
        heapq.heappush(flying, (now + lasting(share) * rng.uniform(0.9, 1.1), number, share))
    while flying:
        _, done, share = heapq.heappop(flying)
        yield done, share


def by_completion(test: Test, bots: Bots, deals: int, workers: int, rng: Random) -> End:
    """What must not be done: the test is looked at whenever a set is completed, at what is there then."""
    shares = Shares()
    for _, share in completed(bots, deals, workers, rng):
        shares.add([share])
        verdict = test.verdict(shares)
        if verdict != "open":
            return End(verdict, len(shares))
    return End("open", deals)


def by_rounds(options: compare.Options, bots: Bots, workers: int, rng: Random) -> End:
    """What the format `compare` does: whole rounds, completed in any order, taken in schedule order."""
    shares = Shares()
    verdict, played = "open", 0
    for last in compare.looks(options):
        round_ = sorted(completed(bots, last - played, workers, rng))
        shares.add(share for _, share in round_)
        played = last
        verdict = options.test.verdict(shares)
        if verdict != "open":
            break
    return End(verdict, played)
