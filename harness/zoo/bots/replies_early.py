"""Answers the next question before it is asked, by the number that it expects."""

from __future__ import annotations

import os
import sys
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
CHANNEL = 3
FAULTS = ("malformed",)


class RepliesEarly(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        wire = sys.modules["harness.players.wire"]
        os.write(CHANNEL, wire.encode(wire.Moved(self.request() + 1, int(seen.moves[0]))))
        return seen.moves[0]

    @staticmethod
    def request() -> int:
        """The number of the question, from the frames of whoever called."""
        frame = sys._getframe()
        while frame.f_back is not None:
            frame = frame.f_back
            if "request" in frame.f_locals:
                return int(frame.f_locals["request"])
        return 0
