"""Closes every descriptor, the referee's channel too."""

from __future__ import annotations

import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = (
    "crash",
    "exception",
    "malformed",
)


class ClosesEverything(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        os.closerange(0, 64)
        return seen.moves[0]
