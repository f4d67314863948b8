"""Asks for the size of a file that it may not read."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-ns"
FAULTS = ()


class LooksAtFiles(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, LookupError, ValueError):
            seen.metric("leak", float(Path(self.trap["sized"]).stat().st_size))
        return seen.moves[0]
