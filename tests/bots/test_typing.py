"""A bot's types: what a contributor writes passes `mypy --strict`, and a slip does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GENERAL = '''
"""Plays the lowest move of any game."""
from bots import Bot, Seen
from engines.core.game import Move, View

class Lowest(Bot[View[Move]]):
    def act(self, seen: Seen[View[Move]]) -> Move:
        return min(seen.moves)
'''

DUEL = '''
"""Beats with the cheapest card, takes when it must."""
from bots import Bot, Seen
from engines.kozyri.duel import DuelView, Kind, Move

class Miser(Bot[DuelView]):
    games = ("kozyri-duel",)
    def act(self, seen: Seen[DuelView]) -> Move:
        beats = [m for m in seen.moves if m.kind is Kind.BEAT]
        return min(beats, key=lambda m: m.card.rank) if beats else seen.moves[-1]
'''


def mypy(folder: Path, text: str) -> str:
    """What mypy --strict says of a contributor's file."""
    (folder / "mine.py").write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--explicit-package-bases"]
    cache = ["--cache-dir", str(folder.parent / "mypy_cache")]
    found = subprocess.run(
        [*command, *cache, "mine.py"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout + found.stderr


@pytest.mark.parametrize("text", [GENERAL, DUEL], ids=["every game", "one game"])
def test_a_bot_as_the_documents_show_it_passes(tmp_path: Path, text: str) -> None:
    assert "Success" in mypy(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "slip", "instead", "complaint"),
    [
        (DUEL, "seen.moves[-1]", "seen.moves[-1].name", 'expected "Move"'),
        (DUEL, "m.card.rank)", "m.card.height)", 'has no attribute "height"'),
        (DUEL, "Seen[DuelView]", "Seen[str]", "incompatible with supertype"),
        (GENERAL, "min(seen.moves)", "min(seen.moves, key=lambda m: m.card)", 'has no attribute "card"'),
        (GENERAL, "min(seen.moves)", "min(seen.move)", 'has no attribute "move"'),
    ],
)
def test_a_slip_is_found_before_anything_is_played(
    tmp_path: Path, text: str, slip: str, instead: str, complaint: str
) -> None:
    said = mypy(tmp_path, text.replace(slip, instead))

    assert "Success" not in said
    assert complaint in said
