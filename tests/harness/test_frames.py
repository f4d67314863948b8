"""Reading a run folder: by column, whole deal sets only, and while the run still writes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from harness.analysis.frames import DamagedPart, NoRun, open_run
from harness.store.conduct import StoredRecords
from harness.store.parquet import ParquetStore
from harness.store.reading import StoredRun
from harness.store.tables import tables_of
from tests.harness.made_runs import duels, write_run


def test_frames_have_a_row_a_match_and_a_row_a_seat_in_id_order(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(6), parts=3, shuffled=5))

    assert len(run.matches) == 12
    assert run.matches["match_id"].is_monotonic_increasing
    assert run.matches["set_id"].nunique() == 6
    assert len(run.seats) == 24
    assert list(run.seats["seat"][:4]) == [0, 1, 0, 1]


def test_text_columns_stay_categories_over_several_parts(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(6), parts=3))

    assert isinstance(run.seats["bot"].dtype, pd.CategoricalDtype)
    assert sorted(run.seats["bot"].cat.categories) == ["a", "b", "c", "d"]


def test_columns_are_read_as_asked(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(2)))

    assert list(run.read("seats", ["bot", "score"]).columns) == ["bot", "score"]
    assert list(run.read("matches", ["moves"])["moves"][0]) == [0, 1]
    assert "moves" not in run.matches


def test_seats_without_faults_share_one_empty_list(tmp_path: Path) -> None:
    """One of its own would take more memory than all else about a seat."""
    faults = open_run(write_run(tmp_path, duels(6), parts=3)).read("seats", ["faults"])["faults"]

    assert len(faults) == 24
    assert len({id(one) for one in faults if not len(one)}) == 1


def test_records_and_counts_do_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    """Replays, divergences and suspensions come from whole records: mixed rows find their seats too."""
    plain, mixed = (
        StoredRun(write_run(tmp_path / name, duels(6), shuffled=mixed))
        for name, mixed in (("plain", None), ("mixed", 5))
    )

    assert list(mixed.records()) == list(plain.records())
    assert StoredRecords(mixed).counts() == StoredRecords(plain).counts()


def test_plain_pandas_reads_the_files_without_this_package(tmp_path: Path) -> None:
    write_run(tmp_path, duels(6), parts=2)

    means = pd.read_parquet(tmp_path / "seats").groupby("bot", observed=True).score.mean()

    assert sorted(means.index) == ["a", "b", "c", "d"]


def test_a_deal_set_that_lacks_a_seating_is_left_out_and_said(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(3)[:-1], split={"000001-000002": 2}))

    assert sorted(run.matches["set_id"].unique()) == ["000001-000000", "000001-000001"]
    assert set(run.seats["match_id"]) == set(run.matches["match_id"])
    assert run.warnings == ["1 match of a deal set that is not whole yet: left out"]


def test_a_deal_set_in_two_parts_is_whole_once_both_are_there(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(3), parts=6, split={"000001-000001": 2}))

    assert len(run.matches) == 6
    assert run.warnings == []


def test_seats_without_their_match_do_not_count(tmp_path: Path) -> None:
    """The matches part commits a batch: seats that came first are not there yet."""
    write_run(tmp_path, duels(4), parts=2)
    sorted((tmp_path / "matches").iterdir())[1].unlink()

    assert len(open_run(tmp_path).seats) == 8


def test_rows_that_are_in_two_parts_count_once(tmp_path: Path) -> None:
    write_run(tmp_path, duels(4), parts=2)
    for kind in ("matches", "seats"):
        first = min((tmp_path / kind).iterdir())
        shutil.copy(first, first.with_name("part-copy.parquet"))
    run = open_run(tmp_path)

    assert (len(run.matches), len(run.seats)) == (8, 16)
    assert sum(map(len, run.pieces("seats", ["match_id"]))) == 16


def test_parts_that_are_merged_while_they_are_read_are_found_again(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(4), parts=4))
    before = run.matches
    with ParquetStore(tmp_path) as store:
        store.compact()

    assert len(sorted((tmp_path / "seats").iterdir())) == 1
    assert len(before) == 8
    assert len(run.seats) == 16


def test_results_that_came_in_later_do_not_change_a_run_that_was_opened(tmp_path: Path) -> None:
    """Two frames of one run always tell of the same matches."""
    run = open_run(write_run(tmp_path, duels(4)))
    assert len(run.matches) == 8
    with ParquetStore(tmp_path) as store:
        store.append(tables_of(duels(6)[8:]))

    assert len(run.seats) == 16
    assert len(open_run(tmp_path).seats) == 24


def test_files_that_are_still_being_written_are_not_looked_at(tmp_path: Path) -> None:
    write_run(tmp_path, duels(2))
    (tmp_path / "matches" / ".part-00009.parquet").write_bytes(b"PAR1 half")
    run = open_run(tmp_path)

    assert len(run.matches) == 4
    assert run.warnings == []


def test_a_torn_part_is_left_out_with_its_name(tmp_path: Path) -> None:
    write_run(tmp_path, duels(4), parts=2)
    torn = sorted((tmp_path / "matches").iterdir())[1]
    torn.write_bytes(torn.read_bytes()[:100])
    run = open_run(tmp_path)

    assert len(run.matches) == 4
    assert run.warnings[0].startswith(f"matches/{torn.name} is no whole Parquet file")
    assert run.warnings[0].endswith("; its matches are left out")


def test_a_part_with_a_damaged_page_is_named(tmp_path: Path) -> None:
    write_run(tmp_path, duels(200))
    (path,) = (tmp_path / "seats").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + b"x" * 400 + whole[404:])

    with pytest.raises(DamagedPart, match=rf"^seats/{path.name} is damaged .*: `croupier verify` says more$"):
        _ = open_run(tmp_path).seats


def test_a_run_that_has_just_begun_gives_empty_frames(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('name = "fresh"\n')
    run = open_run(tmp_path)

    assert (len(run.matches), len(run.seats)) == (0, 0)
    assert run.name == "fresh"


@pytest.mark.parametrize("kind", ["matches", "seats"])
def test_columns_have_their_types_whether_anything_was_played_or_not(tmp_path: Path, kind: str) -> None:
    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh" / "run.toml").write_text('name = "fresh"\n')
    empty = getattr(open_run(tmp_path / "fresh"), kind)
    full = getattr(open_run(write_run(tmp_path / "played", duels(2))), kind)

    assert empty.dtypes.map(str).to_dict() == full.dtypes.map(str).to_dict()
    assert kind == "seats" or full["set_id"].dtype == full["match_id"].dtype


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoRun, match=r"expected the folder of a run: it has neither run\.toml nor matches/"):
        open_run(tmp_path)
