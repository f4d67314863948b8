"""The three calls for scripts and notebooks: play, run, open_run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engines
import harness
from bots.uniform import Uniform
from tests.bots.rogues import Honest

CONFIG = """
game = "kozyri-duel"
rules = { deck = "easy", cap = 60 }
format = { deals = 2 }
[[bots]]
bot = "uniform"
[[bots]]
name = "other"
bot = "uniform"
"""


def test_a_tournament_is_run_and_opened_from_python(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(CONFIG)
    result = harness.run(tmp_path / "small.toml", out=tmp_path / "run", executor="local", workers=1)
    again = harness.run(tmp_path / "small.toml", out=str(tmp_path / "run"), executor="local", workers=1)
    run = harness.open_run(result.folder)

    assert (result.matches_played, result.already_complete) == (4, False)
    assert (again.matches_played, again.already_complete) == (0, True)
    assert again.digest == result.digest
    assert len(run.seats) == 8


def test_importing_the_harness_imports_nothing_heavy() -> None:
    heavy = ("ray", "pandas", "pyarrow", "typer")
    check = f"import harness, sys; print([name for name in {heavy} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "[]"


def test_a_run_is_opened_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(CONFIG)
    harness.run("small.toml", executor="local", workers=1)

    assert len(harness.open_run("small").seats) == 8


def test_bots_are_classes_or_names() -> None:
    by_name = harness.play("kozyri-duel", ["uniform", Honest], luck=7, options={"deck": "easy"})
    by_class = harness.play("kozyri-duel", [Uniform, (Honest, {})], luck=7, options={"deck": "easy"})

    assert by_name.moves == by_class.moves
    assert by_name.seats[0].bot.name == "uniform"


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        ("uniform", "bots: expected a list with one bot a seat or a side, got 'uniform'"),
        ([Uniform, 7], r"bots\[1\]: expected a bot's class or name, or \(bot, options\), got 7"),
        ([Uniform, (Uniform, 7)], r"bots\[1\]: expected options as a mapping, got 7"),
        ([Uniform, "unifrom"], "unknown bot 'unifrom', did you mean \"uniform\""),
        ([Uniform], "kozyri-duel takes 2 bots, got 1"),
        (
            [Uniform, "seven-collector"],
            "seven-collector does not play kozyri-duel with 2 seats: it plays seven-",
        ),
    ],
)
def test_bots_that_cannot_be_seated_are_told_in_one_line(bots: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        harness.play("kozyri-duel", bots, luck=7)


@pytest.mark.parametrize("name", engines.available())
@pytest.mark.parametrize("luck", [-1, 2**53, 0.5, "7", True])
def test_a_luck_that_is_none_is_told_in_one_line(name: str, luck: Any) -> None:
    game = engines.load(name)
    for deal in (game.deal, lambda luck: harness.play(game, ["uniform"] * game.seats, luck=luck)):
        with pytest.raises(
            (TypeError, ValueError), match=r"luck: expected a whole number from 0 to 2\*\*53 - 1"
        ):
            deal(luck)
