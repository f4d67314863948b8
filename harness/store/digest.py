"""The digest of a run: one value that is equal when, and only when, the results are.

A match's digest is BLAKE2b (16 bytes) of the MessagePack of its unmeasured columns in schema order, followed
by a list of its seats' unmeasured columns; the run's is BLAKE2b (16 bytes) of those digests in match id
order. It is taken from decoded values, so part files, row groups, dictionaries and compression do not
matter, nor who played what when.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from harness.records import MatchRecord
from harness.store.columns import rows
from harness.store.parts import Part, PartReader, first_line
from harness.store.schema import MATCH_KEYS, SEAT_KEYS
from harness.store.tables import Tables, slices, tables_of

SIZE = 16
"""Bytes of a digest."""
MOST_NAMED = 1_000
"""Matches that came twice and are named."""
_SEAT_COUNT = MATCH_KEYS.index("seats")
_encode = msgspec.msgpack.Encoder().encode


def match_digests(tables: Tables) -> Iterator[tuple[str, bytes]]:
    """Match id and digest of every match; both tables in match id order, seats by seat.

    Raises ValueError where the two do not fit.
    """
    read = 0
    for few in slices(tables):
        seats = rows(few.seats, ("match_id", *SEAT_KEYS))
        read += len(seats)
        at = 0
        for match in rows(few.matches, MATCH_KEYS):
            own = seats[at : at + match[_SEAT_COUNT]]
            at += match[_SEAT_COUNT]
            if [seat[0] for seat in own] != [match[0]] * match[_SEAT_COUNT]:
                raise ValueError(f"match {match[0]}: expected {match[_SEAT_COUNT]} seat rows")
            encoded = _encode([*match, [seat[1:] for seat in own]])
            yield match[0], hashlib.blake2b(encoded, digest_size=SIZE).digest()
    if read != tables.seats.num_rows:
        raise ValueError(f"{tables.seats.num_rows - read} seat rows belong to no match")


def digest_of(record: MatchRecord) -> str:
    """The digest of one match as 32 hex digits."""
    ((_, digest),) = match_digests(tables_of([record]))
    return digest.hex()


class RunDigest:
    """Gathers matches in any order; holds 16 bytes and the id of each that is not settled."""

    def __init__(self) -> None:
        self._ids: list[np.ndarray] = []
        self._digests: list[np.ndarray] = []
        self._state = hashlib.blake2b(digest_size=SIZE)
        self.matches = 0
        """How many different ids are settled: all, once `finish` was called."""
        self.duplicates: list[str] = []
        """Settled ids that came more than once (each once, at most 1,000)."""
        self.conflicts: list[str] = []
        """Those of them whose copies differ."""

    def add(self, found: list[tuple[str, bytes]]) -> None:
        """Take in matches, by id and digest."""
        if found:
            self._ids.append(np.array([match_id.encode() for match_id, _ in found]))
            self._digests.append(np.frombuffer(b"".join(digest for _, digest in found), dtype="V16"))

    def settle(self, before: str) -> None:
        """Be done with all ids that come before this one: the caller has no more of them."""
        self._settle(before.encode())

    def finish(self) -> str:
        """The digest as 32 hex digits; of matches that came twice the first counts."""
        self._settle(None)
        return self._state.hexdigest()

    def _settle(self, before: bytes | None) -> None:
        if not self._ids:
            return
        ids = np.concatenate(self._ids)
        digests = np.concatenate(self._digests)
        # Stable, so that the first of equal ids stays the first.
        order = np.argsort(ids, kind="stable")
        ids, digests = ids[order], digests[order]
        if before is not None:
            end = int(np.searchsorted(ids, np.array(before)))
            self._ids, self._digests = [ids[end:].copy()], [digests[end:].copy()]
            ids, digests = ids[:end], digests[:end]
        else:
            self._ids, self._digests = [], []
        if not len(ids):
            return
        fresh = np.ones(len(ids), dtype=bool)
        fresh[1:] = ids[1:] != ids[:-1]
        for index in np.flatnonzero(~fresh)[: MOST_NAMED - len(self.duplicates)]:
            name = ids[index].decode()
            if name not in self.duplicates:
                self.duplicates.append(name)
            if digests[index] != digests[index - 1] and name not in self.conflicts:
                self.conflicts.append(name)
        self.matches += int(fresh.sum())
        self._state.update(digests[fresh].tobytes())


def _first_id(part: Part, filesystem: Any) -> str:
    """The lowest match id of a part; empty where it cannot be read."""
    try:
        with PartReader(part, filesystem) as reader:
            return reader.whole_span()[0]
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowException):
        return ""


def digest_parts(
    parts: Sequence[Part], damaged: Callable[[Part, str], None] | None = None, filesystem: Any = None
) -> RunDigest:
    """The finished digest of these parts, a few row groups in memory.

    Parts whose content cannot be read are left out and named to `damaged`, or else the error is raised.
    """
    digest = RunDigest()
    starts: list[tuple[str, Part]] = []
    for part in parts:
        starts.append((_first_id(part, filesystem), part))
    for first, part in sorted(starts):
        digest.settle(first)
        found: list[tuple[str, bytes]] = []
        try:
            with PartReader(part, filesystem) as reader:
                # All columns are read, so that damage in a measured one is found too.
                for tables in reader.tables():
                    found += match_digests(tables)
        except FileNotFoundError:
            raise
        except (OSError, ValueError, pa.ArrowException) as error:
            if damaged is None:
                raise
            damaged(part, first_line(error))
            continue
        digest.add(found)
    digest.finish()
    return digest
