"""Tells its partner in another seat its hand by the CPU time that it has taken, which the kernel tells anyone."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()
PAIR = True


class WhispersByCpuClocks(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        own = os.getpid()
        for process in (1, os.getppid(), own - 1, own + 1):
            with contextlib.suppress(OSError):
                if process > 0 and time.clock_gettime_ns((~process << 3) | 2):
                    seen.metric("through", 1.0)
        return seen.moves[0]
