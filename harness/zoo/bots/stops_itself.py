"""Stops its own process by a signal; the guard of wall time ends it."""

from __future__ import annotations

import os
import signal
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("time",)


class StopsItself(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        for _ in range(100):
            os.kill(os.getpid(), signal.SIGSTOP)
        while True:
            signal.pause()
