"""`croupier games`, `bots`, `playthrough` and `doctor`: what there is, without a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.harness.cli_runs import CHEAT, call


def test_games_lists_every_option_with_its_values(work: Path) -> None:
    done = call("games", "kozyri-duel")

    assert "deck = standard:" in done.stdout
    assert "cap = by deck:" in done.stdout
    assert "standard, easy, advanced, cambridge" in done.stdout
    assert {game["name"] for game in json.loads(call("games", "--json").stdout)} >= {"kozyri-duel"}


def test_an_unknown_game_answers_with_the_known_ones() -> None:
    done = call("playthrough", "kozyri-dual", "--seed", "1")

    assert done.exit_code == 2
    assert 'did you mean "kozyri-duel"?' in done.stderr


def test_bots_says_what_each_plays() -> None:
    assert "uniform (" in call("bots").stdout
    assert "plays every game" in call("bots").stdout


def test_a_playthrough_is_the_notation_line_by_line() -> None:
    words = ["playthrough", "kozyri-duel", "--seed", "33", "--rules", "deck=easy"]
    lines = [json.loads(line) for line in call(*words).stdout.splitlines()]
    heading, *moves, end = lines

    assert heading == {
        "game": "kozyri-duel",
        "rules": {"deck": "easy"},
        "seed": 33,
        "bots": ["uniform", "uniform"],
    }
    assert [line["n"] for line in moves] == list(range(len(moves)))
    assert all(set(line) == {"n", "seat", "legal", "move", "state"} for line in moves)
    assert all(line["move"] in line["legal"] for line in moves)
    assert "repeats" in moves[0]["state"]
    assert not any("repeats" in line["state"] for line in [*moves[1:], end])
    assert end["n"] == len(moves)
    assert set(end["outcome"]) == {"scores", "places", "sides", "reason"}
    assert call(*words).stdout == call(*words).stdout


def test_a_playthrough_shows_views_when_asked() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "33", "--rules", "deck=easy", "--views")

    assert len(json.loads(done.stdout.splitlines()[1])["views"]) == 2


def test_a_playthrough_in_words_ends_with_the_result() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "33", "--rules", "deck=easy", "--format", "text")

    assert "   0  seat " in done.stdout
    assert "Ended by " in done.stdout


def test_a_playthrough_with_a_wrong_number_of_bots_says_how_many() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "7", "--bots", "uniform,uniform,uniform")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "expected 1 or 2 bots for kozyri-duel, got 3" in done.stderr


def test_a_playthrough_of_a_bot_at_fault_says_what_it_did(tmp_path: Path) -> None:
    cheat = tmp_path / "cheat.py"
    cheat.write_text(CHEAT)
    done = call("playthrough", "kozyri-duel", "--seed", "7", "--bots", f"{cheat},uniform")

    assert done.exit_code == 1
    assert "played move 9999; legal here:" in done.stderr


def test_a_playthrough_goes_up_to_the_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    late = tmp_path / "late.py"
    late.write_text(CHEAT.replace("return 9999", "return seen.moves[0] if len(seen.history) < 3 else 9999"))
    words = ("playthrough", "kozyri-duel", "--seed", "7", "--bots", f"{late},{late}")
    done, text = call(*words), call(*words, "--format", "text")

    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, text.exit_code) == (1, 1)
    assert lines[0]["bots"] == ["late", "late"]
    assert [line["n"] for line in lines[1:]] == [0, 1, 2]
    assert len(text.stdout.splitlines()) == 3
    assert "croupier: bot 'late' (seat " in done.stderr


def test_a_playthrough_of_a_bot_that_does_not_play_the_game_is_refused() -> None:
    done = call("playthrough", "kozyri-duel", "--seed", "7", "--bots", "seven-collector")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "seven-collector does not play kozyri-duel" in done.stderr


def test_doctor_says_that_a_level_is_the_zoos() -> None:
    done = call("doctor", "--isolation", "locked")

    assert done.exit_code == 2
    assert done.stderr.endswith("belongs to --zoo: croupier doctor --zoo --isolation locked\n")


def test_doctor_finds_nothing_broken_here() -> None:
    done = call("doctor")

    assert done.exit_code == 0
    assert "Python" in done.stdout
    assert "usable" in done.stdout
