"""`croupier compare` as people use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from harness.cli.app import app
from harness.cli.comparing import entry, names, without_cluster
from tests.harness.small_runs import RANDOM

CLOCK = """
import time
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return seen.moves[time.perf_counter_ns() // 100 % len(seen.moves)]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(RANDOM, encoding="utf-8")
    Path("clock.py").write_text(CLOCK, encoding="utf-8")


def compare(*words: str) -> Result:
    return CliRunner().invoke(
        app,
        ["compare", *words, "--game", "kozyri-duel", "--rules", "deck=easy", "--workers", "1"],
        prog_name="croupier",
    )


def test_it_says_who_is_better_and_exits_with_0() -> None:
    done = compare("duel-longsuit", "./mine.py", "--seed", "3")

    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("duel-longsuit is better than mine: its share is ")
    assert "likelihood ratio of being better: duel-longsuit " in done.stdout
    assert "20 different deals among 20" in done.stdout
    assert "duel-longsuit is reproducible: 3 matches at kozyri-duel" in done.stdout
    assert "at most 10,006 deal sets" in done.stderr


def test_too_few_deals_leave_it_open_and_exit_with_1() -> None:
    done = compare("mine.py", "uniform", "--deals", "5", "--margin", "0.01")

    assert done.exit_code == 1
    assert done.stdout.startswith("undecided after the most deals allowed: mine may be better or worse than")


def test_it_does_not_look_before_as_many_deals_as_were_asked_for() -> None:
    done = compare("duel-longsuit", "mine.py", "--seed", "3", "--first", "70")

    assert done.exit_code == 0, done.output
    assert "70 different deals among 70" in done.stdout


def test_the_same_command_continues_and_another_seed_is_another_run() -> None:
    first = compare("mine.py", "uniform", "--deals", "5", "--format", "json")
    again = compare("mine.py", "uniform", "--deals", "5", "--format", "json")
    other = compare("mine.py", "uniform", "--deals", "5", "--format", "json", "--seed", "1")

    assert again.stdout == first.stdout
    assert "22 matches are stored already" in again.stderr
    assert json.loads(other.stdout)["folder"] != json.loads(first.stdout)["folder"]
    assert json.loads(other.stdout)["digest"] != json.loads(first.stdout)["digest"]


@pytest.mark.slow
def test_more_deals_go_on_where_an_open_comparison_stopped() -> None:
    compare("mine.py", "uniform", "--deals", "22", "--margin", "0.001", "--format", "json")
    more = compare("mine.py", "uniform", "--deals", "30", "--margin", "0.001", "--format", "json")
    whole = compare(
        "mine.py", "uniform", "--deals", "30", "--margin", "0.001", "--format", "json", "--out", "whole"
    )
    fewer = compare("mine.py", "uniform", "--deals", "22", "--margin", "0.001", "--format", "json")

    assert "56 matches are stored already" in more.stderr
    assert {**json.loads(more.stdout), "folder": ""} == {**json.loads(whole.stdout), "folder": ""}
    assert json.loads(more.stdout)["sets"] == 30
    assert fewer.exit_code == 2
    assert "format.deals  30 -> 22" in fewer.stderr


def test_json_has_the_whole_answer() -> None:
    data = json.loads(compare("steady:place=1.0", "steady", "--format", "json", "--margin", "0.1").stdout)

    assert [bot["name"] for bot in data["bots"]] == ["steady-A", "steady-B"]
    assert [bot["options"] for bot in data["bots"]] == [{"place": 1.0}, {}]
    assert data["known"] is True
    assert data["verdict"] in {"better", "worse"}
    assert data["won"] + data["level"] + data["lost"] == data["sets"]
    assert data["low"] <= data["share"] <= data["high"]
    assert data["margin_points"] == pytest.approx(0.2)
    assert [one["reproducible"] for one in data["self_play"]] == [True, True]


def test_a_bot_beside_itself_is_equal_by_cancelling_exactly() -> None:
    data = json.loads(compare("uniform", "uniform", "--format", "json", "--margin", "0.1").stdout)

    assert (data["verdict"], data["share"], data["won"], data["lost"]) == ("equal", 0.5, 0, 0)


def test_a_bot_that_cannot_be_reproduced_is_named_at_once_and_in_the_answer() -> None:
    done = compare("clock.py", "duel-longsuit")

    assert "Note: clock is not reproducible: " in done.stdout
    assert "Note: clock is not reproducible: " in done.stderr
    assert "equal moves, seat " in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nobody", "uniform"], "compare: bots[0].bot: unknown bot 'nobody'"),
        (["uniform", "gone.py"], "compare: bots[1].path: no such file or folder"),
        (["uniform:pace=1", "steady"], "compare: bots[0].options: pace: Uniform takes no options"),
        (["uniform", "steady", "--margin", "0.7"], "compare: format.margin: expected a number above 0"),
        (["seven-collector", "uniform"], "which is none of kozyri-duel:2"),
        (["uniform", "steady", "--rules", "cap=x"], "compare: rules.cap: expected "),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(words: list[str], told: str) -> None:
    done = compare(*words)

    assert done.exit_code == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not Path("reports").exists()


def test_an_unknown_game_is_told_by_the_option_that_names_it() -> None:
    done = CliRunner().invoke(app, ["compare", "uniform", "steady", "--game", "hunt"], prog_name="croupier")

    assert done.exit_code == 2
    assert done.stderr.startswith("croupier: compare: game: unknown game 'hunt', did you mean \"hund\"?")


def test_bots_are_named_by_what_they_are_called() -> None:
    assert names(["uniform", "steady:place=1.0"]) == ["uniform", "steady"]
    assert names(["a/bot.py", "old/miser.py"]) == ["a", "miser"]
    assert names(["new/miser.py", "old/miser.py"]) == ["miser-A", "miser-B"]
    assert entry("x/y.py:depth=3,style=bold", "y") == {
        "name": "y",
        "path": "x/y.py",
        "options": {"depth": 3, "style": "bold"},
    }


@pytest.mark.parametrize("given", [["--address", "head:6379"], ["--address=head:6379"], []])
def test_without_its_cluster_the_same_command_goes_on_here(given: list[str]) -> None:
    words = ["compare", "a", *given, "b", "--game", "hund"]

    assert without_cluster(words) == ["compare", "a", "b", "--game", "hund", "--executor", "local"]
