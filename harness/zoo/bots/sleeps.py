"""Sleeps instead of thinking, at no cost of CPU; the guard of wall time ends it."""

from __future__ import annotations

import time
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("time",)


class Sleeps(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        time.sleep(25)
        return seen.moves[0]
