"""A person at the table: what is shown, what may be said, how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import engines
from engines.core.play import legal
from harness.cli.app import app
from harness.players.person import chosen, listed

ROOT = Path(__file__).parents[2]


def play(*words: str, said: str) -> Result:
    return CliRunner().invoke(app, ["play", *words], input=said, prog_name="croupier", env={"COLUMNS": "80"})


@pytest.mark.parametrize("game", ["kozyri-duel", "kozyri-classic", "hund", "code777", "seven-symbols"])
def test_every_game_is_drawn_and_left_politely(game: str) -> None:
    done = play(game, "--deal", "5", said="?\nnonsense\n99999\n1\n")

    assert done.exit_code == 0, done.output
    assert "RULES.md" in done.output
    assert "NONSENSE is no move here: 1 to" in done.output
    assert "no move 99999 here" in done.output
    assert "You left after 1 decision. --deal 5 has the same deal again." in done.output
    assert max(len(line) for line in done.output.splitlines() if "RULES.md" not in line) <= 80


def test_a_game_is_played_to_its_end_and_compared_on_the_same_deal() -> None:
    done = play(
        "kozyri-duel", "--rules", "deck=easy", "--against", "duel-longsuit", "--deal", "3", said="1\n" * 400
    )

    assert done.exit_code == 0, done.output
    assert "It is over" in done.output
    assert "The same deal with others in your seat:" in done.output
    assert done.output.splitlines()[-1].startswith("You did better than ")


@pytest.mark.slow
def test_who_says_what_a_bot_plays_fares_like_it() -> None:
    """The first legal move is always `steady`'s; so the person and steady come out alike."""
    done = play(
        "kozyri-duel", "--rules", "deck=easy", "--against", "duel-longsuit", "--deal", "4", said="1\n" * 400
    )
    rows = {line.split()[-1]: line.split()[:2] for line in done.output.splitlines() if line.startswith("  ")}

    assert rows["you"] == rows["steady"]


@pytest.mark.parametrize(
    ("said", "move"),
    [("3", "BEAT AS"), ("beat  as", "BEAT AS"), ("as", "BEAT AS"), ("ta", "TAKE"), ("TAKE", "TAKE")],
)
def test_a_move_is_said_by_number_name_or_its_end(said: str, move: str) -> None:
    game = engines.load("kozyri-duel")
    moves = [game.by_name[name] for name in ("BEAT 8S", "BEAT KS", "BEAT AS", "TAKE")]

    assert chosen(said, moves) == game.by_name[move]
    assert chosen("beat", moves) == "BEAT could be BEAT 8S, BEAT KS, BEAT AS: say which"


def test_very_many_moves_are_summed_up() -> None:
    game = engines.load("code777")
    lines = listed(legal(game, game.deal(1)), 80)

    assert lines == ["  1  PASS", "  2-77  ANNOUNCE 1-2-2 … ANNOUNCE 7-7-7"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hund", "--against", "uniform,uniform"], "expected 1 or 3 bots for hund, got 2"),
        (["hund", "--against", "duel-longsuit"], "duel-longsuit does not play hund with 4 seats"),
        (["hund", "--seat", "4"], "hund has seats 0 to 3"),
        (["code777:3"], "expected its name alone, 'code777'; seats are an option"),
    ],
)
def test_a_mistake_is_one_line(words: list[str], said: str) -> None:
    done = play(*words, said="")

    assert done.exit_code == 2
    assert said in done.output


def test_ctrl_c_leaves_with_130() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "harness", "play", "hund", "--deal", "5"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            if "TAKE" in line and line.startswith("   "):
                break
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait(30) == 130
    assert "You left after 0 decisions." in rest
