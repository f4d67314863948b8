"""Has a helper.py, as its rival has: each must get its own."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "none"
FAULTS = ()


class HasAHelperOfTheSameName(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        import helper  # type: ignore[import-not-found]  # beside this file, for whoever plays it

        if helper.OWNER != "zoo":
            seen.metric("through", 1.0)
        return seen.moves[0]
