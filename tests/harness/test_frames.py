"""Reading a run folder: by column, whole deal sets only, and while the run still writes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from harness.analysis.frames import NoRun, open_run
from harness.store.tables import tables_of
from tests.harness.made_runs import duels, match, write_part, write_run


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


def test_plain_pandas_reads_the_files_without_this_package(tmp_path: Path) -> None:
    write_run(tmp_path, duels(6), parts=2)

    means = pd.read_parquet(tmp_path / "seats").groupby("bot", observed=True).score.mean()

    assert sorted(means.index) == ["a", "b", "c", "d"]


def test_a_deal_set_that_lacks_a_seating_is_left_out_and_said(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(3)[:-1]))

    assert sorted(run.matches["set_id"].unique()) == ["000-00000", "000-00001"]
    assert set(run.seats["match_id"]) == set(run.matches["match_id"])
    assert run.warnings == ["1 matches of deal sets that are not finished yet are left out"]


def test_each_game_and_each_number_of_bots_has_its_own_size_of_a_set(tmp_path: Path) -> None:
    """A pairing at a table of three is six matches, a line-up of three bots is three."""
    pairing = [
        match(0, n, seats, (1, 0, 0)) for n, seats in enumerate(["abb", "bab", "bba", "aab", "aba", "baa"])
    ]
    three = [match(1, n, seats, (1, 0, 0)) for n, seats in enumerate(["abc", "bca", "cab"])]
    duel = [match(2, n, seats, (1, 0), game="duel") for n, seats in enumerate(["ab", "ba"])]
    run = open_run(write_run(tmp_path, [*pairing, *three, *duel]))

    assert len(run.matches) == 11


def test_seats_without_their_match_do_not_count(tmp_path: Path) -> None:
    """The matches part commits a batch: seats that came first are not there yet."""
    write_run(tmp_path, duels(2))
    write_part(tmp_path / "seats" / "part-00009.parquet", tables_of(duels(3)[4:]).seats)

    assert len(open_run(tmp_path).seats) == 8


def test_rows_that_are_in_two_parts_count_once(tmp_path: Path) -> None:
    """Merging writes the large part before it removes the small ones."""
    write_run(tmp_path, duels(4), parts=2)
    merged = tables_of(duels(4))
    write_part(tmp_path / "seats" / "part-all.parquet", merged.seats)
    write_part(tmp_path / "matches" / "part-all.parquet", merged.matches)
    run = open_run(tmp_path)

    assert (len(run.matches), len(run.seats)) == (8, 16)


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
    assert run.warnings[0].startswith(f"matches/{torn.name} cannot be read and is left out: ")


def test_a_run_that_has_just_begun_gives_empty_frames(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('name = "fresh"\n')
    run = open_run(tmp_path)

    assert (len(run.matches), len(run.seats)) == (0, 0)
    assert run.name == "fresh"


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoRun, match=r"expected the folder of a run: it has neither run\.toml nor matches/"):
        open_run(tmp_path)
