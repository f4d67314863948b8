"""Forks twice and leaves its session, so that a process outlives the match."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class LeavesAnOrphan(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap
        self.left = False

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError):
            if not self.left and os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.closerange(0, 64)
                    os.execv(
                        self.trap["python"],
                        [self.trap["python"], "-c", "import time; time.sleep(20)", self.trap["orphan"]],
                    )
                os._exit(0)
            self.left = True
        return seen.moves[0]
