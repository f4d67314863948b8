"""Writes a reply of 8 MB to the referee's channel."""

from __future__ import annotations

import os
import time
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
CHANNEL = 3
FAULTS = (
    "malformed",
    "crash",
    "exception",
)


class RepliesHugely(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        os.set_blocking(CHANNEL, False)
        os.write(CHANNEL, b"x" * 8_000_000)
        time.sleep(0.01)
        return seen.moves[0]
