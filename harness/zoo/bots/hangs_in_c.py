"""Loops for ever inside one call of C, where no Python signal handler runs; its CPU clock ends it from outside."""

from __future__ import annotations

from itertools import repeat
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("time",)


class HangsInC(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        return sum(repeat(0))
