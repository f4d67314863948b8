"""The command line for tests: as a process of its own, or in this one; and a small config for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from harness.cli.app import app

ROOT = Path(__file__).parents[2]
CONFIG = """
name = "small"
seed = 7
game = "kozyri-duel"
rules = { deck = "easy" }
format = { name = "round_robin", deals = 3 }
[[bots]]
name = "one"
bot = "uniform"
[[bots]]
name = "two"
bot = "uniform"
"""
CHEAT = '''
"""Plays a move that is not there."""
from bots import Bot


class Cheat(Bot):
    def act(self, seen):
        return 9999
'''


def croupier(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *words],
        cwd=cwd or ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def call(*words: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(app, list(words), prog_name="croupier")
