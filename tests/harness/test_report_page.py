"""What a report's page is made from: matches worth a look, distributions, and how to play a run again."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import harness
from harness import config as configs
from harness import report as reports
from harness.analysis.frames import open_run
from harness.analysis.quantiles import t_quantile
from harness.analysis.tables import Table, tables
from harness.records import MatchRecord
from harness.report import again, aggregates, interesting
from harness.report.charts import quantile
from harness.store.verify import run_digest
from tests.harness.made_runs import duels, match, write_run
from tests.harness.small_runs import RANDOM, write_config


def table_of(folder: Path, records: list[MatchRecord]) -> Table:
    (found,) = tables(open_run(write_run(folder, records)))
    return found


def test_shuffled_rows_give_the_same_page(tmp_path: Path) -> None:
    records = duels(40)
    texts = []
    for place, (shuffled, parts) in enumerate(((None, 1), (3, 4))):
        folder = write_run(tmp_path / str(place) / "weekend", records, shuffled=shuffled, parts=parts)
        run = open_run(folder)
        texts.append(reports.write_page(run, reports.build(run)).read_bytes())

    assert texts[0] == texts[1]


def test_a_page_of_many_matches_is_small(tmp_path: Path) -> None:
    """What is shown is gathered, so that the page does not grow with the run."""
    sizes = []
    for deals in (40, 400):
        run = open_run(write_run(tmp_path / str(deals), duels(deals)))
        sizes.append(reports.write_page(run, reports.build(run)).stat().st_size)

    assert sizes[1] < 1.1 * sizes[0]
    assert max(sizes) < 300_000


def test_every_figure_says_whose_view_it_is_and_of_how_many_games(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(40)))
    text = reports.write_page(run, reports.build(run)).read_text(encoding="utf-8")
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text, re.DOTALL)

    assert len(captions) == 6
    assert [c for c in captions if "view" not in c and "No bot failed" not in c] == []
    assert [c for c in captions if not re.search(r"\d+ matches|against themselves", c)] == []


def test_the_drawings_of_a_page_are_also_files_that_stand_alone(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(40)))
    reports.write_page(run, reports.build(run))

    found = sorted((tmp_path / "figures").iterdir())
    assert [file.name for file in found] == ["toy-cpu.svg", "toy-scores.svg", "toy-strength.svg"]
    for file in found:
        text = file.read_text(encoding="utf-8")
        assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in text


def test_the_biggest_upset_is_where_the_weakest_beat_the_strongest(tmp_path: Path) -> None:
    table = table_of(
        tmp_path,
        [
            match(1, 0, "ab", (1, 0)),
            match(2, 0, "ac", (0, 1)),
            match(3, 0, "bc", (0, 1)),
            match(4, 0, "ac", (0, 1), faults={0: "crash"}),
        ],
    )

    found = interesting.upset(table, [30.0, 20.0, 10.0], ["a", "b", "c"])

    assert found is not None
    assert found.match_id == "000001-000002-00"
    assert found.text == "c came out ahead of a, which is rated 20 higher"


def test_there_is_no_upset_where_the_stronger_won(tmp_path: Path) -> None:
    assert (
        interesting.upset(table_of(tmp_path, [match(1, 0, "ab", (1, 0))]), [30.0, 20.0], ["a", "b"]) is None
    )


def test_the_longest_match_is_the_first_of_the_longest(tmp_path: Path) -> None:
    records = [
        dataclasses.replace(match(n, 0, "ab", (1, 0)), moves=(0,) * plies, move_seats=(0,) * plies)
        for n, plies in enumerate((2, 7, 7, 4), start=1)
    ]
    folder = write_run(tmp_path, records)
    run = open_run(folder)

    found = interesting.longest(run, tables(run)[0])

    assert found is not None
    assert found.match_id == "000001-000002-00"
    assert found.text == "7 moves, between a and b; the median is 6"


def moves(record: MatchRecord, *made: int) -> MatchRecord:
    return dataclasses.replace(record, moves=made, move_seats=tuple(n % 2 for n in range(len(made))))


def test_bots_part_where_they_first_choose_differently_in_the_same_seat() -> None:
    one = moves(match(1, 0, "ab", (1, 0)), 5, 6, 7, 8)
    other = moves(match(1, 1, "ba", (0, 1)), 5, 6, 9)

    found = interesting.parting(one, other)

    assert found is not None
    assert (found.seat, found.at, found.difference) == (0, 2, 1.0)


@pytest.mark.parametrize(
    "other",
    [
        moves(match(1, 1, "ba", (0, 1)), 5, 6, 7),
        moves(match(1, 1, "ac", (0, 1)), 9, 6),
        moves(match(1, 1, "ba", (0, 1), faults={0: "crash"}), 9, 6),
    ],
    ids=["they went alike", "the same bot chose", "a fault"],
)
def test_other_differences_are_no_divergence_of_bots(other: MatchRecord) -> None:
    assert interesting.parting(moves(match(1, 0, "ab", (1, 0)), 5, 6, 7), other) is None


def test_a_divergence_says_among_how_many_matches_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_config(tmp_path, [RANDOM, RANDOM + "# otherwise\n"], deals=6)
    run = open_run(harness.run(path, executor="local", workers=1, out=tmp_path / "run").folder)
    (table,) = tables(run)
    whole = interesting.divergence(run, table, ["one", "other"])
    monkeypatch.setattr(interesting, "LOOKED_AT", 8)
    some = interesting.divergence(run, table, ["one", "other"])

    assert whole is not None
    assert "looked for" not in whole.text
    assert some is not None
    assert some.text.endswith("; looked for in the first 8 of 12 matches")
    assert some.other <= table.match_ids[7]


def test_scores_are_counted_over_seats(tmp_path: Path) -> None:
    table = table_of(tmp_path, [match(n, 0, "aab", (3, 1, n % 2)) for n in range(4)])

    a, b = aggregates.scores(table, [0, 1], ["a", "b"])

    assert (a.scores, a.counts) == ([1.0, 3.0], [4, 4])
    assert (b.scores, b.counts) == ([0.0, 1.0], [2, 2])


@pytest.mark.parametrize(("q", "value"), [(0.05, 1.0), (0.5, 1.0), (0.51, 2.0), (0.95, 4.0), (1.0, 4.0)])
def test_quantiles_of_counted_values(q: float, value: float) -> None:
    assert quantile([1.0, 2.0, 4.0], [5, 4, 1], q) == value


def test_single_decisions_are_measured_without_forced_moves(tmp_path: Path) -> None:
    record = match(1, 0, "ab", (1, 0))
    timed = dataclasses.replace(
        record, moves=(0, 1, 2, 3, 4), move_seats=(0, 1, 0, 1, 0), move_cpu_us=(1000, 7, 3000, 0, 0)
    )
    folder = write_run(tmp_path, [timed])
    run = open_run(folder)

    a, b = aggregates.decisions(run, tables(run)[0], [0, 1], ["a", "b"])

    assert (a.count, a.p50, a.longest) == (2, 1.0, 3.0)
    assert (b.count, b.longest) == (1, 0.007)


def test_faults_are_counted_by_kind_with_an_example(tmp_path: Path) -> None:
    records = [match(n, 0, "ab", (0, 1), faults={0: "crash" if n % 2 else "time"}) for n in range(9)]

    crash, late = aggregates.faults(table_of(tmp_path, records), ["a", "b"])

    assert (crash.kind, crash.forfeits, crash.matches, late.kind, late.forfeits) == ("crash", 4, 9, "time", 5)
    assert crash.examples == ("000001-000001-00",)


def test_strengths_over_deals_end_at_the_strength_of_all_deals(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, duels(60)))
    (table,) = tables(run)
    (standings,) = reports.build(run).standings
    ends = {bot.label: bot.strength for bot in standings.found.bots}

    lines = aggregates.strengths_over_deals(table, range(4), [str(e) for e in table.entrants])

    assert {line.label: pytest.approx(line.value[-1]) for line in lines} == ends
    assert all(list(line.deals)[-1] == len(set(table.deals)) for line in lines)
    assert all(np.isfinite(line.low).all() for line in lines)


def test_intervals_of_strengths_are_students_over_few_deals(tmp_path: Path) -> None:
    """An error from six deals is unsure itself: 1.96 of it are too few."""
    run = open_run(write_run(tmp_path, duels(36)))
    (standings,) = reports.build(run).standings
    (table,) = tables(run)
    deals = len(set(table.deals))
    lines = aggregates.strengths_over_deals(table, range(4), [str(e) for e in table.entrants])

    for bot in standings.found.bots:
        low, high = bot.strength_interval
        assert (low + high) / 2 == pytest.approx(bot.strength)
        assert (high - low) / 2 >= 0.999 * t_quantile(0.95, deals - 1) * bot.strength_error > 0
        line = next(line for line in lines if line.label == bot.label)
        assert (line.low[-1], line.high[-1]) == pytest.approx((low, high))


def test_a_run_is_played_again_from_what_it_kept(tmp_path: Path) -> None:
    """`again.toml` alone, with the bots' kept files: the same digest."""
    path = write_config(tmp_path, [RANDOM, RANDOM], deals=2)
    first = harness.run(path, executor="local", workers=1, out=tmp_path / "first").folder
    for bot in tmp_path.glob("bot*.py"):
        bot.unlink()
    written = again.write(open_run(first))

    assert configs.read(written, out=tmp_path / "second").seed == 5
    second = harness.run(written, executor="local", workers=1, out=tmp_path / "second").folder

    assert run_digest(second) == run_digest(first)
