"""Loops for ever when it is imported; the start has a budget of its own."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

while True:
    pass


class LoopsAtImport(Bot[Any]):
    def act(self, seen: Seen[Any]) -> int:
        return seen.moves[0]
