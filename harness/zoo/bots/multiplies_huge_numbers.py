"""Multiplies numbers of millions of digits in one call; its CPU clock ends it."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = (
    "time",
    "memory",
)


class MultipliesHugeNumbers(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        return int((1 << 400_000_000) // 3**20_000_000) % 2 + int(seen.moves[0])
