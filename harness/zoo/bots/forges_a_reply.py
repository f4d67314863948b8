"""Writes a reply to the referee's channel itself, with a number that it guesses."""

from __future__ import annotations

import os
import sys
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
CHANNEL = 3
FAULTS = ("malformed",)


class ForgesAReply(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        wire = sys.modules["harness.players.wire"]
        os.write(CHANNEL, wire.encode(wire.Moved(7, int(seen.moves[0]))))
        return seen.moves[0]
