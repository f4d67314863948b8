"""The three calls for scripts and notebooks: play, run, open_run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import harness

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
