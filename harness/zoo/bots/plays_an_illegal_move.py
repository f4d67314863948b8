"""Plays a move of the game that is not legal now."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "none"
FAULTS = ("illegal",)


class PlaysAnIllegalMove(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        legal = [int(move) for move in seen.moves]
        return next(move for move in range(len(self.game.table)) if move not in legal)
