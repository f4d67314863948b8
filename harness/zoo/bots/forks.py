"""Forks, forty times if it may."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class Forks(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)
        self.children = 0

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, AttributeError, RuntimeError, ValueError):
            while self.children < 40:
                if os.fork() == 0:
                    os._exit(0)
                self.children += 1
            seen.metric("through", 1.0)
        return seen.moves[0]
