"""Plays on while it is ahead and fails when it falls behind: a forfeit costs it the match all the same."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("exception",)


class CrashesWhenLosing(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        view: Any = seen.view
        own, other = view.sizes[self.seat], view.sizes[1 - self.seat]
        if own > other:
            raise RuntimeError("sore loser")
        return seen.moves[-1]
