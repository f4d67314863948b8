"""Computes for seconds when it is imported; the start has a budget of CPU."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

TABLE = [sum(range(i)) for i in range(200_000)]


class ImportsSlowly(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[len(TABLE) * 0]
