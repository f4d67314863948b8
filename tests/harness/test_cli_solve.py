"""`croupier solve`: the value first, then the play; what it says where it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from harness.cli.app import app

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "duel-endgame.json"
WORDS = {"win", "draw", "loss"}


def solve(*words: str, said: str = "") -> Result:
    return CliRunner().invoke(app, ["solve", *words], input=said, prog_name="croupier", env={"COLUMNS": "80"})


def position(**changed: Any) -> str:
    data = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    data["state"] |= changed
    return json.dumps(data)


def check_words(output: str) -> str:
    """The first line; none of the other two words is anywhere."""
    first = output.splitlines()[0]
    assert first in WORDS
    assert [word for word in WORDS - {first} if word in output.lower()] == []
    return first


def test_a_file_is_solved_with_its_line_and_all_good_leads() -> None:
    done = solve(str(EXAMPLE), "--all")

    assert done.exit_code == 0, done.output
    assert check_words(done.stdout) == "win"
    assert "seat 0  LEAD AD" in done.stdout.splitlines()[1]
    assert "first moves as good: LEAD AD" in done.stdout.splitlines()


def test_a_position_from_stdin_that_cannot_be_held() -> None:
    done = solve("-", said=position(hands=[["AS", "9D"], ["AH", "AC"]]))

    assert done.exit_code == 0, done.output
    assert check_words(done.stdout) == "loss"


@pytest.mark.parametrize("options", [["--nodes", "3"], ["--seconds", "0"]])
def test_a_limit_that_is_reached_is_said_and_exits_with_1(options: list[str]) -> None:
    ranks = ["10", "J", "Q", "K", "A"]
    hands = [[r + s for r in ranks for s in "SC"], [r + s for r in ranks for s in "HD"]]

    done = solve("-", *options, said=position(hands=hands))

    assert done.exit_code == 1
    assert done.stdout == ""
    assert "not decided within" in done.stderr


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("{", "-: expected a position as JSON"),
        ("[]", "-: expected a position as a JSON object"),
        ("[" * 100_000, "-: not a position: nested too deeply"),
        ('{"game": "hund", "state": {}}', "-: hund cannot be solved"),
        ('{"game": "kozyri-duel", "state": {}}', "-: hands: is missing"),
        ('{"game": "kozyri-duel", "rules": {"deck": "huge"}, "state": {}}', "deck"),
    ],
)
def test_what_is_no_position_of_a_game_that_can_be_solved_is_refused(said: str, message: str) -> None:
    done = solve("-", said=said)

    assert done.exit_code == 2
    assert message in done.stderr
