"""Writes to a file of the host, and makes another beside it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class WritesFiles(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        for name in ("victim", "made-by-a-bot"):
            with contextlib.suppress(OSError):
                (Path(self.trap["folder"]) / name).write_text("zoo", encoding="ascii")
        return seen.moves[0]
