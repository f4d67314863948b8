"""`verify`: what it calls whole, and what it names."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from harness.store.parquet import ParquetStore
from harness.store.tables import tables_of
from harness.store.verify import verify
from tests.harness.test_store import add, folder, record, spec

__all__ = ["folder"]


def test_a_run_in_order_is_ok_and_says_how_much_there_is(folder: Path) -> None:
    add(folder, [record(1), record(2)], [record(3)])
    found = verify(folder)
    assert found.ok
    assert (found.files, found.matches, found.duplicates, found.torn) == (4, 3, [], [])
    assert found.lines == ["4 part files whole, 3 matches, 0 void tries", f"digest {found.digest}"]


def test_a_match_stored_twice_is_named(folder: Path) -> None:
    add(folder, [record(1)], [record(2)])
    for table in ("matches", "seats"):
        place = folder / table
        shutil.copy(place / "part-000001-000002-01.parquet", place / "part-copy.parquet")
    found = verify(folder)
    assert not found.ok
    assert (found.matches, found.duplicates, found.conflicts) == (2, [spec(2).id], [])


def test_two_results_for_one_match_are_a_conflict(folder: Path) -> None:
    add(folder, [record(1)], [record(2)])
    other = folder / "other"
    (other).mkdir()
    add(other, [replace(record(2), reason="cap")])
    for table in ("matches", "seats"):
        shutil.copy(other / table / "part-000001-000002-01.parquet", folder / table / "part-z.parquet")
    assert verify(folder).conflicts == [spec(2).id]


def test_a_run_is_verified_while_it_is_written(folder: Path) -> None:
    """What is not committed yet is left over, and no fault."""
    with ParquetStore(folder) as store:
        store.append(tables_of([record(1)]))
        store.flush()
        (folder / "seats" / ".part-000001-000002-01.parquet.tmp").write_bytes(b"half")
        found = verify(folder)
        assert found.ok
        assert found.matches == 1
        assert found.orphans == ["seats/.part-000001-000002-01.parquet.tmp"]


def test_seats_that_do_not_fit_their_matches_are_damage(folder: Path) -> None:
    add(folder, [record(1)], [record(2)])
    shutil.copy(
        folder / "seats" / "part-000001-000001-01.parquet", folder / "seats" / "part-000001-000002-01.parquet"
    )
    found = verify(folder)
    assert not found.ok
    assert "part-000001-000002-01.parquet is damaged" in found.torn[0]
    assert found.matches == 1


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="is not the folder of a run"):
        verify(tmp_path)
