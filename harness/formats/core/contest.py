"""Contests, which look at their results: what they play next follows from how the rounds before it went."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Iterable, Sequence
from itertools import groupby

from harness.conduct import Conduct, count
from harness.formats.core.format import DealSet, OneGame, Summary, Table
from harness.records import MatchRecord


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
