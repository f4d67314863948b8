"""Loops for ever when it is imported; the start has a budget of its own."""

from __future__ import annotations

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

while True:
    pass


class LoopsAtImport(Bot[View[Move]]):
    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[0]
