"""The records of a stored run, which can be counted without being made: a column or two a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.conduct import Count, Counts
from harness.conduct import count as count_records
from harness.config_values import GameEntry
from harness.records import MatchRecord
from harness.store.columns import decoded, rows
from harness.store.parts import PartReader, ordered
from harness.store.reading import StoredRun, spec_reader
from harness.store.schema import MATCHES, SEATS
from harness.store.tables import SpecOf, Tables, records_of

_COLUMNS = ("match_id", "game", "rules", "round", "seats", "status")


class StoredRecords:
    """The records from match id `first` to `last` (both included), as often as they are gone through."""

    def __init__(self, run: StoredRun, first: str = "", last: str | None = None) -> None:
        self.run = run
        self.first = first
        self.last = last

    def __iter__(self) -> Iterator[MatchRecord]:
        return self.run.records(self.first, self.last)

    def counts(self) -> Counts:
        """Matches and forfeits of every bot, by round and game; records are made of forfeits only."""
        matches: Counter[tuple[int, GameEntry, str]] = Counter()
        forfeits: Counter[tuple[int, GameEntry, str]] = Counter()
        spec_of: SpecOf | None = None
        for _, part in self.run.parts_between(self.first, self.last):
            with PartReader(part) as reader:
                for number in range(reader.groups):
                    low, high = reader.span(number)
                    if high < self.first or (self.last is not None and low > self.last):
                        continue
                    tables = ordered(reader.group(number, _COLUMNS, ("match_id", "seat", "bot")))
                    if not self._count(tables, matches):
                        continue
                    spec_of = spec_of or spec_reader(self.run.folder)
                    guilty = _forfeits(ordered(reader.group(number, MATCHES.names, SEATS.names)))
                    inside = (r for r in records_of(guilty, spec_of) if self._wanted(r.spec.id))
                    for key, (_, bad) in count_records(inside).items():
                        forfeits[key] += bad
        return {key: Count(found, forfeits[key]) for key, found in matches.items()}

    def _wanted(self, match_id: str) -> bool:
        return match_id >= self.first and (self.last is None or match_id <= self.last)

    def _count(self, tables: Tables, matches: Counter[tuple[int, GameEntry, str]]) -> bool:
        """Add the matches of a row group; whether there is a forfeit among them."""
        bots = decoded(tables.seats.column("bot"))
        at, found = 0, False
        for match_id, game, rules, number, seats, status in rows(tables.matches, _COLUMNS):
            own = bots[at : at + seats]
            at += seats
            if number and self._wanted(match_id):
                entry = GameEntry(game, rules)
                matches.update((number, entry, bot) for bot in set(own))
                found = found or status == "forfeit"
        return found


def _forfeits(tables: Tables) -> Tables:
    """The matches of a row group that were forfeited, with their seats."""
    wanted: list[int] = []
    wanted_seats: list[int] = []
    at = 0
    for number, (status, seats) in enumerate(rows(tables.matches, ("status", "seats"))):
        if status == "forfeit":
            wanted.append(number)
            wanted_seats += range(at, at + seats)
        at += seats
    return Tables(tables.matches.take(wanted), tables.seats.take(wanted_seats))
