"""Leaves a mark in a module for its next match."""

from __future__ import annotations

import builtins
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()
TWICE = True


class LeavesAMarkInModules(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        if hasattr(builtins, "_zoo_mark") and not hasattr(self, "marked"):
            seen.metric("through", 1.0)
        self.marked = True
        builtins._zoo_mark = True  # type: ignore[attr-defined]  # the point
        return seen.moves[0]
