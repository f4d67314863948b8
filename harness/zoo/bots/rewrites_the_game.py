"""Makes every move it names legal in its copy of the game, and plays one that is not."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = (
    "illegal",
    "exception",
)


class RewritesTheGame(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        kind = type(self.game)
        self.game.table = self.game.table[::-1]
        kind.stakes = (99.0, -99.0)
        legal = [int(move) for move in seen.moves]
        return next(move for move in range(200) if move not in legal)
