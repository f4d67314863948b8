"""Returns an object of its own that claims to be a move."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "none"
FAULTS = (
    "wrong_type",
    "illegal",
    "exception",
)


class ReturnsAnObject(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        class Sly(int):
            def __eq__(self, other: object) -> bool:
                return True

            __hash__ = int.__hash__

        return Sly(99_999)
