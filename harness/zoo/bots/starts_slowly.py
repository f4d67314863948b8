"""Computes for ever when its object is made; the start has a budget of CPU."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("start",)


class StartsSlowly(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        while True:
            super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[0]
