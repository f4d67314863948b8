"""The digest of a run: the same for the same results, whoever played them and however they are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.records import BotRef, Fault, MatchRecord
from harness.store.digest import RunDigest, match_digests
from harness.store.parquet import ParquetStore
from harness.store.tables import tables_of
from harness.store.verify import run_digest
from tests.harness.test_store import record


def digest(*batches: Sequence[MatchRecord]) -> str:
    found = RunDigest()
    for batch in batches:
        found.add(list(match_digests(tables_of(batch))))
    return found.finish()


RECORDS = [record(number, seating) for number in range(1, 8) for seating in (1, 2)]


@settings(max_examples=25, deadline=None)
@given(st.permutations(RECORDS), st.integers(1, len(RECORDS)))
def test_neither_order_nor_batches_matter(shuffled: list[MatchRecord], size: int) -> None:
    batches = [shuffled[at : at + size] for at in range(0, len(shuffled), size)]
    assert digest(*batches) == digest(RECORDS)


def test_what_is_measured_does_not_matter() -> None:
    first = RECORDS[0]
    seats = tuple(
        replace(seat, cpu_ms=9.0, cpu_ms_max=3.0, metrics=(("nodes", 7.0),)) for seat in first.seats
    )
    again = replace(
        first,
        seats=seats,
        move_cpu_us=(1, 2, 3),
        attempt=3,
        started=datetime(2026, 1, 1, tzinfo=UTC),
        wall_ms=77.0,
        worker="elsewhere:1",
        isolation="locked",
    )
    assert digest([again]) == digest([first])


def test_the_line_for_the_author_does_not_matter_but_the_fault_does() -> None:
    def faulted(fault: Fault) -> MatchRecord:
        first = RECORDS[0]
        return replace(first, seats=(replace(first.seats[0], faults=(fault,)), first.seats[1]))

    assert digest([faulted(Fault(1, "illegal", "this"))]) == digest([faulted(Fault(1, "illegal", "that"))])
    assert digest([faulted(Fault(1, "illegal", ""))]) != digest([faulted(Fault(2, "illegal", ""))])
    assert digest([faulted(Fault(1, "illegal", ""))]) != digest([faulted(Fault(1, "time", ""))])


@pytest.mark.parametrize(
    "change",
    [
        {"status": "forfeit"},
        {"reason": None},
        {"moves": (3, 1, 1)},
        {"move_seats": (0, 1, 1)},
        {"spec": replace(RECORDS[0].spec, deal="toy/9")},
        {"spec": replace(RECORDS[0].spec, round=2)},
        {"spec": replace(RECORDS[0].spec, rules='{"cap":3}')},
        {"seats": (replace(RECORDS[0].seats[0], score=0.5), RECORDS[0].seats[1])},
        {"seats": (replace(RECORDS[0].seats[0], place=2), RECORDS[0].seats[1])},
        {"seats": (replace(RECORDS[0].seats[0], decisions=1), RECORDS[0].seats[1])},
        {"seats": (replace(RECORDS[0].seats[0], bot=BotRef("c", "c" * 12)), RECORDS[0].seats[1])},
    ],
)
def test_every_result_matters(change: dict[str, object]) -> None:
    assert digest([replace(RECORDS[0], **change)]) != digest([RECORDS[0]])  # type: ignore[arg-type]  # one field each


def test_a_missing_match_matters() -> None:
    assert digest(RECORDS[:-1]) != digest(RECORDS)


def test_it_is_what_its_description_says() -> None:
    """BLAKE2b over the MessagePack of the unmeasured columns, match by match in id order."""
    seats = [[0, 0, "a", "a" * 12, 1.0, 1, [], 0], [1, 1, "b", "b" * 12, 0.0, 2, [], 0]]
    total = b""
    for number in (1, 2):
        columns = [
            f"000001-00000{number}-01", f"toy/{number}", "toy", "{}", 1, 1, 1, 2, "completed", "won", 3,
            [3, 1, 2], [0, 1, 0], seats,
        ]  # fmt: skip
        total += hashlib.blake2b(msgspec.msgpack.encode(columns), digest_size=16).digest()
    expected = hashlib.blake2b(total, digest_size=16).hexdigest()
    assert digest([record(2), record(1)]) == expected


def test_a_run_on_disk_has_the_digest_of_its_records(tmp_path: Path) -> None:
    with ParquetStore(tmp_path) as store:
        for one in reversed(RECORDS):
            store.append(tables_of([one]))
            store.flush()
    assert run_digest(tmp_path) == digest(RECORDS)


def test_a_match_that_came_twice_counts_once_and_is_named() -> None:
    found = RunDigest()
    for batch in (RECORDS[:3], RECORDS[2:4], [replace(RECORDS[3], status="forfeit")]):
        found.add(list(match_digests(tables_of(batch))))
    assert found.finish() == digest(RECORDS[:4])
    assert found.matches == 4
    assert found.duplicates == [RECORDS[2].spec.id, RECORDS[3].spec.id]
    assert found.conflicts == [RECORDS[3].spec.id]
