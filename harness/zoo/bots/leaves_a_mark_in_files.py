"""Leaves a file for its next match."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()
TWICE = True


class LeavesAMarkInFiles(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        mark = f"{self.trap['folder']}/mark"
        if not hasattr(self, "marked") and os.path.exists(mark):
            seen.metric("through", 1.0)
        with contextlib.suppress(OSError):
            os.close(os.open(mark, os.O_WRONLY | os.O_CREAT, 0o600))
        self.marked = True
        return seen.moves[0]
