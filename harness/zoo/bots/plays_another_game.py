"""Plays a move of another game, by its name."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "none"
FAULTS = ("wrong_type",)


class PlaysAnotherGame(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        return "ANNOUNCE 5-6-7"  # type: ignore[return-value]  # the point
