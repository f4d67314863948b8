"""The digest of a run: one value that is equal when, and only when, the results are.

A match's digest is BLAKE2b (16 bytes) of the MessagePack of its unmeasured columns in schema order, followed
by a list of its seats' unmeasured columns; the run's is BLAKE2b (16 bytes) of those digests in match id
order. It is taken from decoded values, so part files, row groups, dictionaries and compression do not
matter, nor who played what when.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
import numpy as np

from harness.records import MatchRecord
from harness.store.columns import rows
from harness.store.schema import MATCH_KEYS, SEAT_KEYS
from harness.store.tables import Tables, tables_of

SIZE = 16
"""Bytes of a digest."""
_SEAT_COUNT = MATCH_KEYS.index("seats")
_encode = msgspec.msgpack.Encoder().encode


def match_digests(tables: Tables) -> Iterator[tuple[str, bytes]]:
    """Match id and digest of every match; both tables in match id order, seats by seat.

    Raises ValueError where the two do not fit.
    """
    seats = rows(tables.seats, ("match_id", *SEAT_KEYS))
    at = 0
    for match in rows(tables.matches, MATCH_KEYS):
        own = seats[at : at + match[_SEAT_COUNT]]
        at += match[_SEAT_COUNT]
        if [seat[0] for seat in own] != [match[0]] * match[_SEAT_COUNT]:
            raise ValueError(f"match {match[0]}: expected {match[_SEAT_COUNT]} seat rows")
        encoded = _encode([*match, [seat[1:] for seat in own]])
        yield match[0], hashlib.blake2b(encoded, digest_size=SIZE).digest()
    if at != len(seats):
        raise ValueError(f"{len(seats) - at} seat rows belong to no match")


def digest_of(record: MatchRecord) -> str:
    """The digest of one match as 32 hex digits."""
    ((_, digest),) = match_digests(tables_of([record]))
    return digest.hex()


class RunDigest:
    """Gathers matches in any order; holds 16 bytes and the id of each."""

    def __init__(self) -> None:
        self._ids: list[np.ndarray] = []
        self._digests: list[np.ndarray] = []
        self.matches = 0
        """How many different ids there are, once `finish` was called."""
        self.duplicates: list[str] = []
        """Ids that came more than once (each once, at most 1,000), once `finish` was called."""
        self.conflicts: list[str] = []
        """Those of them whose copies differ."""

    def add(self, found: list[tuple[str, bytes]]) -> None:
        """Take in matches, by id and digest."""
        if found:
            self._ids.append(np.array([match_id.encode() for match_id, _ in found]))
            self._digests.append(np.frombuffer(b"".join(digest for _, digest in found), dtype="V16"))

    def finish(self) -> str:
        """The digest as 32 hex digits; of matches that came twice the first counts."""
        state = hashlib.blake2b(digest_size=SIZE)
        if not self._ids:
            return state.hexdigest()
        ids = np.concatenate(self._ids)
        digests = np.concatenate(self._digests)
        # Stable, so that the first of equal ids stays the first.
        order = np.argsort(ids, kind="stable")
        ids, digests = ids[order], digests[order]
        fresh = np.ones(len(ids), dtype=bool)
        fresh[1:] = ids[1:] != ids[:-1]
        for index in np.flatnonzero(~fresh)[:1000]:
            name = ids[index].decode()
            if name not in self.duplicates:
                self.duplicates.append(name)
            if digests[index] != digests[index - 1] and name not in self.conflicts:
                self.conflicts.append(name)
        self.matches = int(fresh.sum())
        state.update(digests[fresh].tobytes())
        return state.hexdigest()
