"""Matches that were played before, found by what was played, and given the ids of another schedule.

A match is a function of its game, rules, deal, seats, seed and limits. Where a schedule asks for one that
an earlier run has under another id, its rows are copied, with the new id, round, line-up and seating.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from harness.records import MatchSpec
from harness.store.columns import column, decoded, rows
from harness.store.parts import Part, PartReader, sorted_tables
from harness.store.reading import StoredRun, steady
from harness.store.schema import MATCHES, SEATS
from harness.store.tables import Tables

_CACHED: Final = 4
"""Row groups that are held, so that neighbours in the new schedule are not read anew."""
_ENOUGH: Final = 5_000
"""Matches that are gathered at most; likewise they are of no more row groups than are held."""
_UNREADABLE = (OSError, ValueError, pa.ArrowException)
_encode = msgspec.msgpack.Encoder().encode


class Conditions(NamedTuple):
    """What has to be known of an earlier run beside its rows."""

    options: Mapping[str, str]
    """Every bot's options as canonical JSON, by its name in that run."""
    games: Collection[str]
    """Games whose rules are those of today."""


class Place(NamedTuple):
    """Where a match is."""

    group: int
    row: int


class Played:
    """The matches of one earlier run by what was played: 20 bytes a match.

    Where the same was played several times (self-play has every deal twice), each counts once: the n-th
    of a schedule is the n-th there.
    """

    def __init__(self, folder: Path, conditions: Conditions) -> None:
        self.folder = folder
        self._groups: list[tuple[Part, int]] = []
        hashes, places = steady(lambda: self._read(conditions))
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._places = hashes[order], places[order]
        self._seen = np.zeros(len(order), dtype=np.int16)
        self._held: dict[int, Tables | None] = {}

    def __len__(self) -> int:
        return len(self._hashes)

    def _read(self, conditions: Conditions) -> tuple[Any, Any]:
        hashes, places = array("Q"), array("Q")
        self._groups = []
        for part in StoredRun(self.folder).parts():
            try:
                with PartReader(part) as reader:
                    for number in range(reader.groups):
                        group = len(self._groups)
                        found = list(_contents(reader, number, conditions))
                        self._groups.append((part, number))
                        hashes.extend(content for _, content in found)
                        places.extend(group << 32 | row for row, _ in found)
            except FileNotFoundError:
                raise
            except _UNREADABLE:
                continue  # whoever continues that run is told; here its matches are played
        return np.asarray(hashes, dtype=np.uint64), np.asarray(places, dtype=np.uint64)

    def next_place(self, spec: MatchSpec) -> Place | None:
        """Where the next match like `spec` is; to be asked once for every spec, in schedule order."""
        content = np.uint64(_content(spec))
        first = int(np.searchsorted(self._hashes, content))
        if first == len(self._hashes) or self._hashes[first] != content:
            return None
        at = first + int(self._seen[first])
        if at == len(self._hashes) or self._hashes[at] != content:
            return None
        self._seen[first] += 1
        place = int(self._places[at])
        return Place(place >> 32, place & 0xFFFFFFFF)

    def group(self, number: int) -> Tables | None:
        """A row group in full; None where it can no longer be read."""
        if number not in self._held:
            while len(self._held) >= _CACHED:
                del self._held[next(iter(self._held))]
            self._held[number] = self._load(*self._groups[number])
        return self._held[number]

    def _load(self, part: Part, number: int) -> Tables | None:
        try:
            with PartReader(part) as reader:
                return reader.group(number, MATCHES.names, SEATS.names)
        except _UNREADABLE:
            return None


def _contents(reader: PartReader, number: int, conditions: Conditions) -> Iterator[tuple[int, int]]:
    """Row and content hash of the matches of a row group that can be taken over."""
    tables = reader.group(
        number, ("match_id", "game", "rules", "deal", "seats"), ("match_id", "bot", "version")
    )
    seats = rows(tables.seats, ("match_id", "bot", "version"))
    at = 0
    columns = ("match_id", "game", "rules", "deal", "seats")
    for row, (match_id, game, rules, deal, count) in enumerate(rows(tables.matches, columns)):
        own = seats[at : at + count]
        at += count
        if [seat[0] for seat in own] != [match_id] * count:
            raise ValueError(f"match {match_id} has not its {count} seat rows")
        if game in conditions.games and all(bot in conditions.options for _, bot, _ in own):
            refs = [(bot, version, conditions.options[bot]) for _, bot, version in own]
            yield row, _hash((game, rules, deal, refs))


def _content(spec: MatchSpec) -> int:
    return _hash((spec.game, spec.rules, spec.deal, spec.seats))


def _hash(content: tuple[Any, ...]) -> int:
    return int.from_bytes(hashlib.blake2b(_encode(content), digest_size=8).digest(), "little")


class Earlier:
    """All that a run can take over; what it takes is gathered until it is fetched."""

    def __init__(self, sources: Sequence[Played] = ()) -> None:
        self._sources = sources
        self._gathered: dict[int, tuple[Tables, list[tuple[int, MatchSpec]]]] = {}
        self.waiting = 0
        """Matches that are gathered."""

    def take(self, spec: MatchSpec, *, wanted: bool) -> bool:
        """Gather the match that `spec` asks for; False where no source has it, or it is not wanted.

        To be called once for every spec of the schedule, in its order.
        """
        # All are asked: each counts for itself how often the schedule had the like of it.
        places = [(source, source.next_place(spec)) for source in self._sources]
        for source, place in places:
            if wanted and place is not None and (tables := source.group(place.group)) is not None:
                self._gathered.setdefault(id(tables), (tables, []))[1].append((place.row, spec))
                self.waiting += 1
                return True
        return False

    @property
    def full(self) -> bool:
        """Whether so much is gathered that it should be fetched."""
        return self.waiting >= _ENOUGH or len(self._gathered) > _CACHED

    def fetch(self) -> Tables | None:
        """What is gathered, under its new ids; None where that is nothing."""
        if not self.waiting:
            return None
        found = sorted_tables([_renumbered(tables, picks) for tables, picks in self._gathered.values()])
        self._gathered, self.waiting = {}, 0
        return found


def _renumbered(tables: Tables, picks: Sequence[tuple[int, MatchSpec]]) -> Tables:
    """These rows, as the schedule of today numbers them."""
    specs = [spec for _, spec in picks]
    matches = tables.matches.take(column([row for row, _ in picks], pa.int32()))
    for name, values in (
        ("match_id", [spec.id for spec in specs]),
        ("round", [spec.round for spec in specs]),
        ("line_up", [spec.line_up for spec in specs]),
        ("seating", [spec.seating for spec in specs]),
    ):
        matches = _replaced(matches, MATCHES, name, values)
    first = list(accumulate(decoded(tables.matches.column("seats")), initial=0))
    wanted = [seat for row, _ in picks for seat in range(first[row], first[row + 1])]
    seats = tables.seats.take(column(wanted, pa.int32()))
    seats = _replaced(seats, SEATS, "match_id", [spec.id for spec in specs for _ in spec.seats])
    return Tables(
        matches.replace_schema_metadata(MATCHES.metadata), seats.replace_schema_metadata(SEATS.metadata)
    )


def _replaced(table: Any, schema: Any, name: str, values: Sequence[Any]) -> Any:
    at = schema.get_field_index(name)
    return table.set_column(at, schema.field(at), column(values, schema.field(at).type))
