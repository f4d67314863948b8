"""How bots behave over a run: one that forfeits too many of its matches is suspended from later rounds.

What decides is counts over whole rounds in schedule order, for each game by itself; so it does not depend on
workers, on what finished first or on interruptions. Faults of the platform are not in them: a void try has
no record.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from harness.analysis.sets import forfeited
from harness.config_values import GameEntry
from harness.records import MatchRecord, Suspend


class Count(NamedTuple):
    """What one bot did in one round of a game."""

    matches: int
    """Matches in which it sat, in however many seats."""
    forfeited: int
    """Those of them that it forfeited."""


Counts = Mapping[tuple[int, GameEntry, str], Count]
"""By round, game and bot. Round 0, in which bots play themselves, is not in it."""


class Suspension(NamedTuple):
    """A bot that plays no later rounds of a game."""

    game: GameEntry
    bot: str
    round: int
    """The round whose results decided it."""
    matches: int
    """Its matches of the game up to then."""
    forfeited: int
    """Those of them that it forfeited."""

    def sentence(self, rule: Suspend) -> str:
        """When and why, in words."""
        return (
            f"{self.bot} is suspended: by the end of round {self.round} it had forfeited {self.forfeited:,} "
            f"of its {self.matches:,} matches, more than {100 * rule.faults:g} %"
        )


@runtime_checkable
class Counting(Protocol):
    """Records that can be counted without going through them."""

    def counts(self) -> Counts:
        """What `count` gives for them."""
        ...


def count(records: Iterable[MatchRecord]) -> Counts:
    """Matches and forfeits of every bot in these records."""
    found: dict[tuple[int, GameEntry, str], Count] = {}
    for record in records:
        if not record.spec.round:
            continue
        game = GameEntry(record.spec.game, record.spec.rules)
        guilty = {seat.bot.name for seat in record.seats if forfeited(record, seat)}
        for name in {ref.name for ref in record.spec.seats}:
            matches, bad = found.get((record.spec.round, game, name), (0, 0))
            found[record.spec.round, game, name] = Count(matches + 1, bad + (name in guilty))
    return found


def counts_of(records: Iterable[MatchRecord]) -> Counts:
    """The same, by the records' own way where they have one."""
    return records.counts() if isinstance(records, Counting) else count(records)


class Round:
    """The records of one round for everybody who asks: knows whether anybody looked at them."""

    def __init__(self, records: Iterable[MatchRecord]) -> None:
        self.records = records
        self.looked = False

    def __iter__(self) -> Iterator[MatchRecord]:
        self.looked = True
        return iter(self.records)


class Conduct:
    """Who is suspended, as far as whole rounds have been counted."""

    def __init__(self, rule: Suspend) -> None:
        self.rule = rule
        self.suspensions: list[Suspension] = []
        """In the order of rounds."""
        self._totals: dict[tuple[GameEntry, str], Count] = {}
        self._out: dict[GameEntry, frozenset[str]] = {}
        self._waiting: deque[Round] = deque()

    def take(self, played: Round) -> None:
        """The next round; counted when it has to be."""
        if self.rule.on:
            self._waiting.append(played)

    def suspended(self, game: GameEntry) -> frozenset[str]:
        """The bots that are not to play in the round of `game` that comes next.

        Nobody is kept waiting for this: a round that the format has not looked at itself may still be going
        on, and takes effect one round later.
        """
        while len(self._waiting) > 1 or (self._waiting and self._waiting[0].looked):
            self.add(counts_of(self._waiting.popleft().records))
        return self._out.get(game, frozenset())

    def add(self, counts: Counts) -> None:
        """Count whole rounds, and decide after each."""
        for number in sorted({number for number, _, _ in counts}):
            for key in sorted(key for key in counts if key[0] == number):
                self._add(number, key[1:], counts[key])

    def _add(self, number: int, key: tuple[GameEntry, str], more: Count) -> None:
        before = self._totals.get(key, Count(0, 0))
        now = Count(before.matches + more.matches, before.forfeited + more.forfeited)
        self._totals[key] = now
        game, bot = key
        out = self._out.get(game, frozenset())
        if bot not in out and self.rule.broken(now.matches, now.forfeited):
            self._out[game] = out | {bot}
            self.suspensions.append(Suspension(game, bot, number, *now))


def suspensions(rule: Suspend, counts: Counts) -> list[Suspension]:
    """Who was suspended in a run with these counts, in the order of rounds."""
    conduct = Conduct(rule)
    if rule.on:
        conduct.add(counts)
    return conduct.suspensions
