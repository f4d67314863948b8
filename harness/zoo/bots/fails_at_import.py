"""Raises when it is imported: it has not started."""

from __future__ import annotations

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

raise ImportError("weights.bin is not here")


class FailsAtImport(Bot[View[Move]]):
    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[0]
