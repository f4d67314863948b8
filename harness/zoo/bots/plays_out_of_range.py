"""Plays move number 10**20."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "none"
FAULTS = (
    "illegal",
    "wrong_type",
    "malformed",
)


class PlaysOutOfRange(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        return 10**20
