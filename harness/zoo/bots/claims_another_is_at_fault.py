"""Reports a failure of the platform and a ready seat in place of a move."""

from __future__ import annotations

import os
import sys
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
CHANNEL = 3
FAULTS = ("malformed",)


class ClaimsAnotherIsAtFault(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        wire = sys.modules["harness.players.wire"]
        os.write(CHANNEL, wire.encode(wire.Opened("none", [], "", "a failure of the platform")))
        os.write(CHANNEL, wire.encode(wire.Ready(False)))
        return seen.moves[0]
