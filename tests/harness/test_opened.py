"""Runs as frames: typed, lazy, by column; several runs of a league as one, by bot version."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pandas as pd
import pytest

import harness
from bots.uniform import Uniform
from harness.luck import deal_luck
from harness.records import MatchRecord
from harness.report import frame_columns
from harness.report.league import SameRun
from tests.harness.made_runs import duels, match, write_run


def played(folder: Path) -> tuple[MatchRecord, Path]:
    """A run of one real match, with its clocks."""
    luck = deal_luck(7, "kozyri-duel", 4)
    record = harness.play("kozyri-duel", [Uniform, Uniform], luck=luck, options={"deck": "easy"})
    spec = dataclasses.replace(record.spec, id="000001-000001-00", deal="kozyri-duel/4")
    record = dataclasses.replace(record, spec=spec)
    return record, write_run(folder, [record])


@pytest.mark.parametrize(
    ("name", "columns"),
    [("standings", "STANDINGS"), ("pairs", "PAIRS"), ("moves", "MOVES")],
)
def test_frames_have_their_columns_and_types(tmp_path: Path, name: str, columns: str) -> None:
    frame = getattr(harness.open_run(write_run(tmp_path, duels(12))), name)
    expected = getattr(frame_columns, columns)

    assert len(frame)
    assert list(frame.columns) == [column.name for column in expected]
    assert [str(dtype) for dtype in frame.dtypes] == [column.dtype for column in expected]


def test_moves_are_those_that_were_made_with_the_time_they_took(tmp_path: Path) -> None:
    record, folder = played(tmp_path)

    moves = harness.open_run(folder).moves

    assert moves.move.tolist() == list(record.moves)
    assert moves.seat.tolist() == list(record.move_seats)
    assert moves.ply.tolist() == list(range(len(record.moves)))
    assert moves.cpu_us.tolist() == list(record.move_cpu_us)
    assert moves.name.str.contains("LEAD|BEAT|TAKE").all()


def test_moves_of_some_matches_are_read_alone(tmp_path: Path) -> None:
    run = harness.open_run(write_run(tmp_path, duels(3)))
    wanted = run.matches.match_id.iloc[2]

    assert run.moves_of([wanted]).match_id.unique().tolist() == [wanted]


def test_time_that_was_not_kept_is_missing(tmp_path: Path) -> None:
    moves = harness.open_run(write_run(tmp_path, [match(1, 0, "ab", (1, 0))])).moves

    assert moves.cpu_us.isna().all()
    assert moves.name.tolist() == ["0", "1"], "expected numbers where the game is not installed"


def test_standings_by_another_method_are_in_its_order(tmp_path: Path) -> None:
    run = harness.open_run(write_run(tmp_path, duels(60, strength=0.75)))

    found = run.standings_by("mean_score")

    assert found.bot.tolist() == ["a", "b", "c", "d"]
    assert (found.rating_method == "mean_score").all()
    assert (found.rating == found.score).all()


def league_run(folder: Path, name: str, records: list[MatchRecord], seed: int) -> Path:
    write_run(folder, records)
    (folder / "run.toml").write_text(f'name = "{name}"\nseed = {seed}\n', encoding="utf-8")
    return folder


def test_a_league_is_ranked_over_all_its_runs_by_version(tmp_path: Path) -> None:
    old = league_run(tmp_path / "1", "one", duels(8), 1)
    new = [match(n, s, "ab"[:: 1 - 2 * s], (1, 0), version="f" * 12) for n in range(8) for s in (0, 1)]
    league = harness.open_runs([old, league_run(tmp_path / "2", "two", new, 2)])

    assert league.matches.run.value_counts().to_dict() == {"one": 16, "two": 16}
    assert league.matches.match_id.is_unique
    by_version = league.standings[league.standings.bot == "a"].set_index("version").games
    assert set(by_version.index) == {"0123456789ab", "f" * 12}
    assert by_version["f" * 12] == 16
    assert league.moves.run.nunique() == 2


def test_deals_of_other_seeds_are_other_deals(tmp_path: Path) -> None:
    runs = [league_run(tmp_path / str(seed), f"run-{seed}", duels(4), seed) for seed in (1, 2)]
    single = harness.open_run(runs[0]).matches.deal.nunique()

    assert harness.open_runs(runs).matches.deal.nunique() == 2 * single
    assert harness.open_runs(runs).warnings == []


def test_matches_that_two_runs_played_alike_count_once(tmp_path: Path) -> None:
    first = league_run(tmp_path / "1", "one", duels(4), 1)
    again = league_run(tmp_path / "2", "two", duels(6), 1)
    league = harness.open_runs([first, again])

    assert len(league.matches) == 12
    assert league.warnings == ["8 matches were played alike in two runs: taken once"]
    assert len(league.seats) == 24


def test_a_version_with_other_options_is_another_bot(tmp_path: Path) -> None:
    runs = []
    for seed, nodes in ((1, 10), (2, 20)):
        folder = league_run(tmp_path / str(seed), f"run-{seed}", duels(4), seed)
        with (folder / "run.toml").open("a", encoding="utf-8") as file:
            file.write(f'[[bots]]\nname = "a"\noptions = {{ nodes = {nodes} }}\n')
        runs.append(folder)

    versions = harness.open_runs(runs).seats.groupby("bot", observed=True).version.nunique()

    assert versions["a"] == 2
    assert versions["b"] == 1


def test_a_run_is_not_opened_together_with_itself(tmp_path: Path) -> None:
    folder = league_run(tmp_path, "one", duels(2), 1)

    with pytest.raises(SameRun, match="opened twice"):
        harness.open_runs([folder, folder])


def test_a_league_reads_single_columns(tmp_path: Path) -> None:
    runs = [league_run(tmp_path / str(seed), f"run-{seed}", duels(2), seed) for seed in (1, 2)]

    frame = harness.open_runs(runs).read("seats", ["run", "version", "score"])

    assert list(frame.columns) == ["run", "version", "score"]
    assert isinstance(frame, pd.DataFrame)
