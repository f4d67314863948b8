"""What `croupier new bot` writes plays, is typed, and is pinned down in the game's own words."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import engines
from bots.core.claims import Claim
from bots.core.testing import tables
from harness.cli.app import app

ROOT = Path(__file__).parents[2]
CLAIMS = [
    claim
    for name in engines.available()
    for claim in (
        name,
        *(f"{name}:{game.seats}" for game in tables(Claim(name)) if "seats" in game.rules.changed()),
    )
]


def new(name: str, game: str) -> Result:
    return CliRunner().invoke(app, ["new", "bot", name, "--game", game], prog_name="croupier")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot for every game and number of seats."""
    folder = tmp_path_factory.mktemp("new")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for claim in CLAIMS:
            done = new(module_of(claim), claim)
            assert done.exit_code == 0, done.output
            assert f"next: croupier check {module_of(claim)}.py" in done.output
    return folder


def module_of(claim: str) -> str:
    return "new_" + claim.replace("-", "_").replace(":", "_")


def test_every_game_and_number_of_seats_is_there() -> None:
    assert len(CLAIMS) >= 11


@pytest.mark.parametrize("claim", CLAIMS)
def test_its_own_tests_pass(claim: str, written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(written)
    found = importlib.import_module(f"test_{module_of(claim)}")
    tests = {name: value for name, value in vars(found).items() if name.startswith("test_")}

    assert len(tests) >= 3
    if any(other.startswith(f"{claim}:") for other in CLAIMS):
        del tests["test_it_keeps_the_rules_of_the_house"]  # each of its tables is tried by itself
    for test in tests.values():
        test()


def test_all_of_it_is_strictly_typed(written: Path) -> None:
    files = sorted(path.name for path in written.glob("*.py"))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", *files],
        cwd=written, env={"PYTHONPATH": str(ROOT), "PATH": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout


def test_nothing_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("test_mine.py").write_text("mine", encoding="utf-8")

    done = new("mine", "hund")

    assert done.exit_code == 2
    assert "test_mine.py is there already; nothing was written" in done.output
    assert not Path("mine.py").exists()


@pytest.mark.parametrize(
    ("name", "game", "said"),
    [
        ("random", "hund", "the name of a module that Python would take for it"),
        ("uniform", "hund", "a bot that comes with Croupier"),
        ("two words", "hund", "cannot be a bot's name"),
        ("a" * 300, "hund", "of 300 characters cannot be a bot's name: at most 100 letters"),
        ("mine", "hunt", "hund"),
        ("mine", "hund:3", "there is no such table; there are hund:4"),
    ],
)
def test_a_mistake_is_one_line(
    name: str, game: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = new(name, game)

    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
