"""Recurses through C with the limit lifted, until the stack is gone."""

from __future__ import annotations

import sys
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = (
    "crash",
    "exception",
    "memory",
    "time",
)


class Recurses(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        sys.setrecursionlimit(10**9)

        class Deep:
            def __repr__(self) -> str:
                return repr([self])

        return len(repr(Deep()))
