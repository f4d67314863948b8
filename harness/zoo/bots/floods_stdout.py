"""Prints 30 MB; what is over the limit of output is dropped."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()


class FloodsStdout(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        if not hasattr(self, "flooded"):
            self.flooded = True
            for _ in range(300):
                print("x" * 100_000)
        return seen.moves[0]
