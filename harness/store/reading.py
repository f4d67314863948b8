"""A run's results for those who read them: also while the run goes on."""

from __future__ import annotations

import errno
import hashlib
import heapq
import json
import time
import tomllib
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from harness import positions
from harness.config_values import ConfigError, canonical_json
from harness.luck import deal_luck
from harness.records import BotRef, Limits, MatchRecord, MatchSpec, VoidTry
from harness.store.columns import decoded, rows
from harness.store.parts import Listing, Part, PartReader, Torn, fault, first_line, listing, ordered, stamp
from harness.store.schema import MATCHES, SEATS
from harness.store.tables import SpecOf, Tables, records_of, slices, void_tries

T = TypeVar("T")
_SPEC_COLUMNS: Final = ("match_id", "game", "rules", "deal", "round", "line_up", "seating", "seats")
_encode = msgspec.msgpack.Encoder().encode


def steady(read: Callable[[], T]) -> T:
    """Call `read` again where a file went away under it, as it does when a run that ends tidies up."""
    for _ in range(4):
        try:
            return read()
        except FileNotFoundError:
            time.sleep(0.2)
    return read()


class _Looked(NamedTuple):
    """What was found in a part's footers; it holds while its files are the same."""

    files: tuple[tuple[int, int, int], ...]
    why: str | None
    span: tuple[str, str]


class StoredRun:
    """The files of one run, for reading. Nothing is kept open between calls.

    What the footers of a part said is remembered: a run of many rounds asks for some of its parts after each.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._looked: dict[Part, _Looked] = {}

    def listing(self) -> Listing:
        """Parts, torn parts and leftovers, as the folder is now."""
        return steady(lambda: listing(self.folder, lambda part: self._look(part).why))

    def _look(self, part: Part) -> _Looked:
        try:
            files = stamp(part)
        except OSError:
            return _Looked((), fault(part), ("", ""))
        known = self._looked.get(part)
        if known is None or known.files != files:
            known = self._looked[part] = _Looked(files, *_fault_and_span(part))
        return known

    def parts(self) -> list[Part]:
        """The parts that can be read."""
        return self.listing().parts

    def parts_between(self, first: str, last: str | None) -> list[tuple[str, Part]]:
        """The parts that have ids from `first` to `last` (both included), each with its lowest, by that."""
        found = []
        for part in self.parts():
            low, high = self._look(part).span
            if high >= first and (last is None or low <= last):
                found.append((low, part))
        return sorted(found)

    def tables(self, parts: list[Part] | None = None) -> Iterator[Tables]:
        """Every row group of every part, in full; not in match id order between parts."""
        for part in self.parts() if parts is None else parts:
            with PartReader(part) as reader:
                yield from reader.tables()

    def split_sets(self) -> frozenset[str]:
        """Deal sets of which only some matches are stored."""
        totals: dict[str, int] = {}
        parts = self.parts()
        for part in parts:
            with PartReader(part) as reader:
                totals.update(reader.split())
        if not totals:
            return frozenset()
        stored: Counter[str] = Counter()
        for part in parts:
            ids = pq.read_table(part.matches, columns=["match_id"], partitioning=None).column(0)
            sets = (match_id.rpartition("-")[0] for match_id in set(decoded(ids)))
            stored.update(name for name in sets if name in totals)
        return frozenset(name for name, total in totals.items() if stored[name] < total)

    def voids(self) -> list[VoidTry]:
        """The tries that the platform spoilt."""
        path = self.folder / "voids.parquet"
        return void_tries(pq.read_table(path)) if path.exists() else []

    def records(self, first: str = "", last: str | None = None) -> Iterator[MatchRecord]:
        """The records from match id `first` to `last` (both included) in id order, a few in memory.

        A part is open only while ids of its own are due: a long run has more parts than a process may have
        open files.
        """
        spec_of = spec_reader(self.folder)
        due = [
            (low, self._part_records(part, first, last, spec_of))
            for low, part in self.parts_between(first, last)
        ]
        before = ""
        for record in _merged(due):
            if record.spec.id != before:
                yield record
            before = record.spec.id

    def _part_records(
        self, part: Part, first: str, last: str | None, spec_of: SpecOf
    ) -> Iterator[MatchRecord]:
        with PartReader(part) as reader:
            for number in range(reader.groups):
                low, high = reader.span(number)
                if high < first or (last is not None and low > last):
                    continue
                for few in slices(ordered(reader.group(number, MATCHES.names, SEATS.names))):
                    for record in records_of(few, spec_of):
                        if record.spec.id >= first and (last is None or record.spec.id <= last):
                            yield record

    def find(self, match_id: str) -> MatchRecord:
        """One match in full; raises KeyError where there is no such match."""
        found = steady(lambda: next(self.records(match_id, match_id), None))
        if found is None:
            raise KeyError(f"{self.folder} has no match {match_id!r}")
        return found

    def identities(self) -> tuple[Identities, list[Torn]]:
        """What is stored, in 16 bytes a match; with the parts that turned out to be damaged."""
        found = Identities()
        torn: list[Torn] = []
        for part in self.parts():
            try:
                specs = list(_identity_rows(part))
            except (OSError, pa.ArrowException, ValueError) as error:
                torn.append(Torn(part, f"{part.name} cannot be read ({first_line(error)})"))
            else:
                found.add(specs)
        return found, torn


def _fault_and_span(part: Part) -> tuple[str | None, tuple[str, str]]:
    """Why a part cannot be used, if so; else its first and last id, or any where that cannot be read."""
    if (why := fault(part)) is not None:
        return why, ("", "")
    try:
        with PartReader(part) as reader:
            return None, reader.whole_span()
    except FileNotFoundError:
        raise  # merged into another part meanwhile
    except (OSError, pa.ArrowException):
        return None, ("", chr(0x10FFFF))  # whoever reads it is told


def _merged(due: Iterable[tuple[str, Iterator[MatchRecord]]]) -> Iterator[MatchRecord]:
    """The records of all streams in id order, of equal ids those of the earlier stream first.

    Each stream comes with an id that none of its own is before, and they come in the order of these; none is
    begun before that id is due.
    """
    waiting = deque(enumerate(due))
    heads: list[tuple[str, int, MatchRecord, Iterator[MatchRecord]]] = []
    while waiting or heads:
        while waiting and (not heads or waiting[0][1][0] <= heads[0][0]):
            number, (_, stream) = waiting.popleft()
            for record in stream:
                heapq.heappush(heads, (record.spec.id, number, record, stream))
                break
        if not heads:
            return
        _, number, record, stream = heads[0]
        yield record
        following = next(stream, None)
        if following is None:
            heapq.heappop(heads)
        else:
            heapq.heapreplace(heads, (following.spec.id, number, following, stream))


def _identity_rows(part: Part) -> Iterator[tuple[str, bytes]]:
    with PartReader(part) as reader:
        for number in range(reader.groups):
            tables = reader.group(number, _SPEC_COLUMNS, ("match_id", "bot", "version"))
            seats = rows(tables.seats, ("match_id", "bot", "version"))
            at = 0
            for *identity, count in rows(tables.matches, _SPEC_COLUMNS):
                own = seats[at : at + count]
                at += count
                if [seat[0] for seat in own] != [identity[0]] * count:
                    raise ValueError(f"match {identity[0]} has not its {count} seat rows")
                yield identity[0], _encode([*identity, [seat[1:] for seat in own]])


class Identities:
    """Which matches are stored, and of which spec: two 64-bit hashes a match."""

    def __init__(self) -> None:
        self._ids: Any = array("Q")
        self._specs: Any = array("Q")
        self._sorted = True

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, specs: list[tuple[str, bytes]]) -> None:
        """Take in matches by id and encoded spec."""
        self._ids.extend(hashed(match_id.encode()) for match_id, _ in specs)
        self._specs.extend(hashed(encoded) for _, encoded in specs)
        self._sorted = False

    def has(self, spec: MatchSpec) -> bool | None:
        """True where `spec` is stored, False where its id is not, None where its id has another spec."""
        if not len(self._ids):
            return False
        if not self._sorted:
            ids = np.unique(np.asarray(self._ids, dtype=np.uint64))
            specs = np.unique(np.asarray(self._specs, dtype=np.uint64))
            self._ids, self._specs, self._sorted = ids, specs, True
        if not _in(self._ids, hashed(spec.id.encode())):
            return False
        seats = [(ref.name, ref.version) for ref in spec.seats]
        identity = (spec.id, spec.game, spec.rules, spec.deal, spec.round, spec.line_up, spec.seating, seats)
        return True if _in(self._specs, hashed(_encode(identity))) else None


def hashed(value: bytes) -> int:
    """64 bits of a digest."""
    return int.from_bytes(hashlib.blake2b(value, digest_size=8).digest(), "little")


def _in(ordered: Any, value: int) -> bool:
    at = int(np.searchsorted(ordered, np.uint64(value)))
    return at < len(ordered) and int(ordered[at]) == value


def spec_reader(folder: Path) -> SpecOf:
    """How rows of a run become specs again: seed, limits and bots' options are in its `run.toml`.

    Positions that deals come from are in its `positions.jsonl`. Raises ConfigError where one cannot be read.
    """
    path = folder / "run.toml"
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, "is missing: expected the folder of a run", str(path))
    try:
        run = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path} is not what a run writes: {error}") from None
    seed = int(run["seed"])
    limits = Limits(**run.get("limits", {}))
    options = {bot["name"]: canonical_json(bot.get("options", {})) for bot in run.get("bots", [])}
    dealt = positions.of_run(folder)

    def spec(match: dict[str, Any], seats: tuple[tuple[str, str], ...]) -> MatchSpec:
        game, _, number = match["deal"].rpartition("/")
        position = dealt.at(int(number)) if dealt else ""
        luck = positions.luck_of(json.loads(position)) if position else deal_luck(seed, game, int(number))
        return MatchSpec(
            id=match["match_id"],
            game=match["game"],
            rules=match["rules"],
            deal=match["deal"],
            luck=luck,
            round=match["round"],
            line_up=match["line_up"],
            seating=match["seating"],
            seats=tuple(BotRef(name, version, options.get(name, "{}")) for name, version in seats),
            seed=seed,
            limits=limits,
            position=position,
        )

    return spec
