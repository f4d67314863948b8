"""Plays the move at a fixed place among its legal moves, of any game: a cheap opponent that is not random.

Moves are in ascending order: by kind, suit and rank. `place = 0` is always the first of them, `place = 1`
the last. Two of these tell a new bot whether it does more than follow an order.
"""

from __future__ import annotations

from random import Random
from typing import Any

from bots.core.bot import Bot, Seen
from engines.core.game import Game, Move, View


class Steady(Bot[View[Move]]):
    """The same place in the order every time; it draws no luck."""

    def __init__(self, game: Game[Any, Any], seat: int, rng: Random, place: float = 0.0) -> None:
        super().__init__(game, seat, rng)
        if not 0 <= place <= 1:
            raise ValueError(f"place: expected a number from 0 (the first move) to 1 (the last), got {place}")
        self.place = place

    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[round(self.place * (len(seen.moves) - 1))]
