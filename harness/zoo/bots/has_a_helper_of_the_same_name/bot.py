"""Has a helper.py, as its rival has: each must get its own."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "none"
FAULTS = ()


class HasAHelperOfTheSameName(Bot[Any]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[Any]) -> int:
        import helper

        if helper.OWNER != "zoo":
            seen.metric("through", 1.0)
        return seen.moves[0]
