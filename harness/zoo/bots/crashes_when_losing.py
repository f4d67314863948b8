"""Plays on while it is ahead and fails when it falls behind: a forfeit costs it the match all the same."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("exception",)


class CrashesWhenLosing(Bot[Any]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[Any]) -> int:
        own, other = seen.view.sizes[self.seat], seen.view.sizes[1 - self.seat]
        if own > other:
            raise RuntimeError("sore loser")
        return seen.moves[-1]
