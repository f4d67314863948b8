"""What a run shows while it plays."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from harness.analysis.reproducible import Deals
from harness.cli.progress import Scores, Watcher, fitted, opening
from harness.config_values import Timed
from harness.executors.base import Batch, BatchResult, Tally
from harness.progress import GameInfo, RunInfo
from harness.records import BotRef, Limits
from harness.store.tables import tables_of
from tests.harness.made_runs import match

INFO = RunInfo(
    folder=Path("reports/weekend"),
    name="weekend",
    seed=7,
    format="round_robin",
    games=(GameInfo("toy", '{"deck":"easy"}', 2, Deals(10, 10, 10), 20, 1200),),
    bots=(BotRef("ann", "0123456789ab"), BotRef("bob", "ba9876543210")),
    limits=Limits(nodes=500),
    isolation="none",
    executor="local",
    workers=2,
    sets=20,
    matches=1200,
    stored=0,
    notes=("bob does not play other",),
)


def batch(**scores: float) -> BatchResult:
    """One match between these bots."""
    record = match(0, 0, list(scores), list(scores.values()))
    tallies = {("toy", bot): Tally(1, score, 0, 1.0) for bot, score in scores.items()}
    return BatchResult(Batch((record.spec,)), tables_of([record]), tallies, 0.1)


def shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_first_lines_have_the_conditions_of_the_run() -> None:
    assert opening(INFO) == [
        "weekend: round_robin, seed 7, 20 deal sets, 1,200 matches",
        "  limits: nodes = 500; isolation: none; 2 workers (local)",
        '  toy, deck = "easy", rules version 2: 10 deals, all different; 20 deal sets, 1,200 matches',
        "  bots: ann (0123456789ab), bob (ba9876543210)",
    ]


def test_matches_of_bots_against_themselves_are_told_apart() -> None:
    assert opening(INFO._replace(self_play=12))[0] == (
        "weekend: round_robin, seed 7, 20 deal sets, 1,200 matches, 12 of them in self-play"
    )


def test_a_continued_run_says_how_much_is_there() -> None:
    assert opening(INFO._replace(stored=600))[-1] == (
        "  continuing in reports/weekend: 600 matches are stored already"
    )


def test_on_a_terminal_lines_fit_and_a_name_stays_with_its_digest() -> None:
    bots = opening(INFO)[-1]

    assert fitted(bots, 40) == ["  bots: ann (0123456789ab),", "      bob (ba9876543210)"]
    assert fitted(bots, None) == [bots]


def test_a_time_that_was_asked_for_is_among_the_first_lines() -> None:
    info = INFO._replace(timed=Timed("30m", "deals", 1_370, 100))

    assert opening(info)[-1] == "  deals = 1,370 was chosen for --time 30m"


def test_without_a_terminal_there_are_lines_and_no_bar() -> None:
    console = Console(file=io.StringIO(), width=100)
    watcher = Watcher(console)
    watcher.start(INFO)
    watcher.advance(batch(ann=1, bob=0))
    watcher.stop()

    assert shown(console).splitlines() == [*opening(INFO), "Note: bob does not play other"]


def test_on_a_terminal_there_is_a_bar_with_live_standings() -> None:
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system=None)
    watcher = Watcher(console)
    watcher.start(INFO)
    watcher.advance(batch(ann=1, bob=0))
    watcher.stop()

    assert "1/1200" in shown(console)
    assert "toy, so far" in shown(console)


def test_live_standings_have_the_best_first() -> None:
    scores = Scores()
    scores.add(batch(ann=0, bob=1))
    scores.add(batch(ann=0.5, bob=0.5))
    (table,) = scores.tables()
    console = Console(file=io.StringIO(), width=60)
    console.print(table)

    assert [line.split() for line in shown(console).splitlines()[2:]] == [
        ["bob", "0.750", "2", "0"],
        ["ann", "0.250", "2", "0"],
    ]


def test_notes_are_broken_at_spaces_where_the_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "12 matches void, to be played again: worker process died: signal SIGKILL (somewhere.example:4711)"
    monkeypatch.setenv("COLUMNS", "60")
    console = Console(file=io.StringIO())
    Watcher(console).note(text)

    lines = shown(console).splitlines()
    assert len(lines) == 2
    assert max(map(len, lines)) <= 60
    assert " ".join(" ".join(lines).split()) == f"Note: {text}"


def test_notes_that_differ_in_numbers_only_are_counted_after_the_third() -> None:
    console = Console(file=io.StringIO(), width=100)
    watcher = Watcher(console)
    for number in range(10):
        watcher.note(f"{number} matches void, to be played again")
    watcher.stop()

    lines = shown(console).splitlines()
    assert lines[:3] == [f"Note: {n} matches void, to be played again" for n in range(3)]
    assert lines[3:] == ["Note: 7 more like this: # matches void, to be played again"]
    assert watcher.notes == 10
