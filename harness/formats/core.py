"""What formats have in common: who meets, in rounds of growing size, and contests that look at results."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from itertools import groupby

from harness.conduct import Conduct, count
from harness.formats import MAX_SETS, DealSet, OneGame, Summary, Table, Unservable
from harness.records import MatchRecord
from harness.seating import pairing

FIRST_ROUND = 256
"""Matches at which the first round of a fixed schedule ends; each is twice as long, up to LAST_ROUND."""
LAST_ROUND = 65_536


def deal_blocks(deals: int, per_deal: int) -> Iterator[range]:
    """Deals 0 … deals-1 in blocks, for a schedule that plays `per_deal` matches of each.

    A run can be looked at after every block, and one that asks for more deals goes on with the same ids.
    """
    first, size = 0, FIRST_ROUND
    while first < deals:
        last = min(deals, first + max(1, math.ceil(size / per_deal)))
        yield range(first, last)
        first, size = last, min(2 * size, LAST_ROUND)


def need_two(table: Table) -> None:
    """Raise Unservable where there are not two bots to meet."""
    if len(table.bots) < 2:
        here = ", ".join(ref.name for ref in table.bots) or "none"
        raise Unservable(f"{table.game.name} needs at least two bots that play it, got {here}")


def check_size(sets: int, what: str) -> None:
    """Raise Unservable where a round has more deal sets than match ids have room for."""
    if sets > MAX_SETS:
        raise Unservable(f"{what} make {sets:,} deal sets in one round; there is room for {MAX_SETS:,}")


def between(found: tuple[int, int]) -> str:
    """`3` or `3 to 4`."""
    return f"{found[0]}" if found[0] == found[1] else f"{found[0]} to {found[1]}"


def pair_number(one: int, other: int, bots: int) -> int:
    """The number of the line-up of two bots, from 1, in the order of all pairs."""
    low, high = pair_key(one, other)
    return low * (2 * bots - low - 1) // 2 + high - low


def pair_key(one: int, other: int) -> tuple[int, int]:
    """Two bots whichever comes first."""
    return (one, other) if one < other else (other, one)


def pair_sets(table: Table, pairs: Iterable[tuple[int, int]], deals: Iterable[int]) -> list[DealSet]:
    """Pairings of two bots on the same deals, deal by deal; bots by their numbers at the table."""
    met = [pair_key(*pair) for pair in pairs]
    design = pairing(table.sides)
    return [
        DealSet(pair_number(one, other, len(table.bots)), (table.bots[one], table.bots[other]), deal, design)
        for deal in deals
        for one, other in met
    ]


class Contest(ABC):
    """A contest that looks at its results: what it plays next follows from what it was told.

    It sees whole rounds, in schedule order, and nothing else; so the same records lead to the same rounds.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = [ref.name for ref in table.bots]
        self.number = {name: index for index, name in enumerate(self.names)}
        """Every bot's number at the table: its place in the config, from 0."""
        self.out: set[int] = set()
        """Bots that are suspended."""

    @property
    def playing(self) -> list[int]:
        """Bots that are not suspended."""
        return [bot for bot in range(len(self.names)) if bot not in self.out]

    def suspend(self, names: Collection[str]) -> None:
        """Learn who plays no more: all who do not, also those known before. Asked after `take`."""
        self.out = {self.number[name] for name in names}

    def shown(self, bot: int) -> str:
        """A bot's name in standings."""
        return f"{self.names[bot]} (suspended)" if bot in self.out else self.names[bot]

    @abstractmethod
    def deal_sets(self) -> Sequence[DealSet]:
        """The next round; empty when the contest is over. Asked once a round."""

    @abstractmethod
    def take(self, records: Iterable[MatchRecord]) -> None:
        """Learn how the round went."""

    @abstractmethod
    def summary(self) -> Summary:
        """How things stand."""


def played_out(contest: Contest) -> Generator[Iterable[DealSet], OneGame, None]:
    """A format's rounds, from its contest."""
    while sets := contest.deal_sets():
        results = yield sets
        contest.take(results)
        contest.suspend(results.suspended)


def followed(contest: Contest, records: Iterable[MatchRecord]) -> Summary:
    """How a contest stands after those of its rounds that are whole among its game's `records`."""
    rounds = groupby((r for r in records if r.spec.round > 0), key=lambda record: record.spec.round)
    conduct = Conduct(contest.table.suspend)
    latest = contest.summary()
    while sets := contest.deal_sets():
        _, found = next(rounds, (0, iter(())))
        here = list(found)
        if len(here) < sum(len(deal_set.seatings) for deal_set in sets):
            return latest
        contest.take(here)
        conduct.add(count(here))
        contest.suspend(conduct.suspended(contest.table.game))
        latest = contest.summary()
    return contest.summary()
