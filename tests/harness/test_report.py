"""Reports: what the tables say, and that nothing but the results decides it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

from harness import report as reports
from harness.analysis.frames import open_run
from harness.analysis.overall import Overall, OverallBot
from harness.analysis.results import Entrant
from harness.records import MatchRecord
from harness.report import Report, terminal
from harness.report.columns import basis, milliseconds, number, with_error
from tests.harness.made_runs import duels, match, write_run

GOLDEN = Path(__file__).parent / "golden"


def three_way() -> list[MatchRecord]:
    """Twenty deals of three bots in all rotations; one of them plays an illegal move now and then."""
    points = {"ann": 3, "bob": 2, "crasher": 0}
    seatings = [("ann", "bob", "crasher"), ("bob", "crasher", "ann"), ("crasher", "ann", "bob")]
    return [
        match(
            1000 + number,
            seating,
            bots,
            [points[bot] for bot in bots],
            game="three",
            rules='{"seats":3}',
            deal=number,
            faults={bots.index("crasher"): "illegal"} if number % 5 == 0 else None,
        )
        for number in range(20)
        for seating, bots in enumerate(seatings)
    ]


def report_of(folder: Path, records: list[MatchRecord], rating: str = "trueskill") -> Report:
    return reports.build(open_run(write_run(folder, records)), rating)


@pytest.fixture
def both(tmp_path: Path) -> Report:
    """A report over two games."""
    return report_of(tmp_path / "weekend", [*duels(60), *three_way()])


def test_markdown_reads_as_it_should(both: Report) -> None:
    expected = (GOLDEN / "report.md").read_text(encoding="utf-8")

    assert reports.render(both, "markdown") == expected


def test_shuffled_rows_give_the_same_bytes(tmp_path: Path) -> None:
    records = [*duels(60), *three_way()]
    plain = report_of(tmp_path / "weekend", records)
    mixed = reports.build(
        open_run(write_run(tmp_path / "mixed" / "weekend", records, shuffled=3, parts=1)), "trueskill"
    )

    for style in reports.FORMATS:
        assert reports.render(mixed, style) == reports.render(plain, style)


def test_parts_in_other_sizes_give_the_same_bytes(tmp_path: Path) -> None:
    records = duels(60)
    few, many = (report_of_parts(tmp_path / str(parts) / "weekend", records, parts) for parts in (1, 7))

    assert reports.render(few, "json") == reports.render(many, "json")


def report_of_parts(folder: Path, records: list[MatchRecord], parts: int) -> Report:
    return reports.build(open_run(write_run(folder, records, parts=parts)))


def test_the_stronger_is_ranked_higher_by_every_method(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(240, strength=0.75)))

    for method in ("trueskill", "mean_score"):
        (standings,) = reports.build(run, method).standings
        assert [(line.rank, line.label) for line in standings.lines] == [
            (1, "a"),
            (2, "b"),
            (3, "c"),
            (4, "d"),
        ]


def test_equal_ratings_share_a_rank(tmp_path: Path) -> None:
    records = [match(n, s, "ab"[:: 1 if s == 0 else -1], (0.5, 0.5)) for n in range(3) for s in (0, 1)]
    (standings,) = report_of(tmp_path, records, "mean_score").standings

    assert [line.rank for line in standings.lines] == [1, 1]


def test_two_versions_of_a_bot_are_told_apart(tmp_path: Path) -> None:
    records = [match(n, 0, "ab", (1, 0), version=version) for n, version in enumerate(["1" * 12, "2" * 12])]
    (standings,) = report_of(tmp_path, records).standings

    assert {line.label for line in standings.lines} == {f"{n}@{v * 12}" for n in "ab" for v in "12"}


def test_json_has_the_digest_the_conditions_and_every_number(both: Report) -> None:
    data = json.loads(reports.render(both, "json"))

    assert data["digest"] == both.digest
    assert len(data["digest"]) == 32
    assert data["seed"] == 7
    duel, three = data["standings"]
    assert (three["game"], three["rules"], three["seats"]) == ("three", {"seats": 3}, 3)
    assert (three["matches"], three["sets"], three["deals"]) == (60, 20, 20)
    crasher = three["bots"][-1]
    assert (crasher["bot"], crasher["forfeits"], crasher["games"]) == ("crasher", {"illegal": 12}, 60)
    assert duel["rating"]["draw_probability"] == pytest.approx(sum(b["draws"] for b in duel["bots"]) / 240)


def test_a_number_that_is_not_known_is_null(tmp_path: Path) -> None:
    one_deal = report_of(tmp_path, [match(0, 0, "ab", (1, 0))])
    (standings,) = json.loads(reports.render(one_deal, "json"))["standings"]

    assert standings["bots"][0]["score_error"] is None


def test_csv_has_a_row_a_bot_and_game(both: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(reports.render(both, "csv"))))

    assert [(row["game"], row["bot"]) for row in rows[4:]] == [
        ("three", n) for n in ("ann", "bob", "crasher")
    ]
    assert len(rows) == 7
    assert float(rows[4]["score"]) == 3.0


def test_writing_leaves_a_page_and_a_table_that_pandas_reads(tmp_path: Path) -> None:
    folder = write_run(tmp_path, duels(12))
    report = reports.write(folder)

    assert (folder / "report.md").read_text(encoding="utf-8") == reports.render(report, "markdown")
    standings = pd.read_parquet(folder / "standings.parquet")
    assert list(standings["bot"]) == [line.label for line in report.standings[0].lines]
    assert not [path for path in folder.rglob(".*") if path.name != ".lock"]


@pytest.mark.parametrize("width", [40, 80, 100, 120])
def test_a_table_keeps_to_the_width_of_the_terminal(both: Report, width: int) -> None:
    console = Console(width=width, record=True, file=io.StringIO())
    terminal.show(both, console)
    text = console.export_text()

    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert ("CPU:" in text) == ("CPU ms" in text), "expected what is shown, and no more, to be explained"
    assert all(name in text for name in ("ann", "bob", "crasher", "Rank (95 %)", "Rating ±"))
    assert ("Win/Draw/Loss" in text) == (width >= 80)


@pytest.mark.parametrize("width", [80, 120])
def test_a_ranking_over_many_games_keeps_to_the_width_with_every_name_whole(width: int) -> None:
    games = ("kozyri-duel", "kozyri-classic", "hund", "seven-symbols", "code777")
    bots = tuple(
        OverallBot(
            entrant=Entrant(name, "1"),
            label=name,
            rank=n + 1,
            ranks=(1, 3),
            group=0,
            best=0.3,
            share=0.5,
            interval=(0.31, 0.69),
            by_game=(0.111, 0.222, 0.333, 0.444, 0.555),
        )
        for n, name in enumerate(("steady-first", "steady-middle", "uniform"))
    )
    console = Console(width=width, record=True, file=io.StringIO())
    terminal.show_overall(Overall(games, "a share", bots, "one ≈ other", ()), console)
    text = console.export_text()

    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert all(f"{game} %" in text for game in games)
    assert all(bot.label in text for bot in bots)
    assert all(text.count(cell) == len(bots) for cell in ("11.1", "22.2", "33.3", "44.4", "55.5"))


def test_a_long_name_goes_on_in_the_next_line_where_the_terminal_is_narrow(tmp_path: Path) -> None:
    name = "q" * 90
    records = [match(n, s, ("x", name)[:: 1 - 2 * s], (1.0, 0.0)) for n in range(5) for s in (0, 1)]
    console = Console(width=40, record=True, file=io.StringIO())
    console.print(terminal.table(report_of(tmp_path / "long", records).standings[0], 40))
    text = console.export_text()

    assert max(map(len, text.splitlines())) <= 40
    assert "…" not in text
    assert text.count("q") == len(name)


def test_a_wide_terminal_shows_every_column(both: Report) -> None:
    console = Console(width=120, record=True, file=io.StringIO())
    terminal.show(both, console)

    assert "CPU ms p50/p95" in console.export_text()


def test_a_name_with_brackets_is_shown_as_it_is(tmp_path: Path) -> None:
    """rich would take [red] for a colour."""
    console = Console(width=120, record=True, file=io.StringIO())
    terminal.show(report_of(tmp_path, [match(0, 0, ["[red]", "b|c"], (1, 0))]), console)

    assert "[red]" in console.export_text()


def test_a_name_with_a_pipe_keeps_its_cell(tmp_path: Path) -> None:
    text = reports.render(report_of(tmp_path, [match(0, 0, ["a_b", "b|c"], (1, 0))]), "markdown")

    assert "| a\\_b" in text
    assert "| b\\|c" in text


def test_forfeits_are_told_by_name_and_kind(both: Report) -> None:
    assert "- crasher forfeited 12 of 60: 12 illegal" in reports.render(both, "markdown")


def test_a_run_without_results_says_so(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('name = "fresh"\nseed = 1\n')
    report = reports.build(open_run(tmp_path))

    assert "No deal set is finished yet." in reports.render(report, "markdown")
    assert json.loads(reports.render(report, "json"))["standings"] == []
    assert reports.render(report, "csv") == "game\n"


def test_an_unknown_format_answers_with_the_known_ones(both: Report) -> None:
    with pytest.raises(ValueError, match="unknown format 'marqdown', did you mean \"markdown\"\\?"):
        reports.render(both, "marqdown")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.001234, "0.0012"),
        (0.01234, "0.0123"),
        (1.2345, "1.23"),
        (123.4, "123"),
        (0.0, "0"),
        (float("nan"), "-"),
    ],
)
def test_times_are_shown_with_the_digits_that_matter(value: float, shown: str) -> None:
    assert milliseconds(value) == shown


def test_a_number_that_rounds_to_nothing_has_no_sign() -> None:
    assert number(-5.9e-18, 3) == "0.000"
    assert with_error(-0.0004, 0.0001, 3) == "0.000 ± 0.000"
    assert number(-0.0006, 3) == "-0.001"


def test_one_deal_is_told_as_one(tmp_path: Path) -> None:
    (standings,) = reports.build(open_run(write_run(tmp_path, duels(1)))).standings

    assert basis(standings) == "2 seats, 2 matches in 1 deal set of 1 deal"
