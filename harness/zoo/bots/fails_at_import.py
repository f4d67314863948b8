"""Raises when it is imported: it has not started."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

raise ImportError("weights.bin is not here")


class FailsAtImport(Bot[Any]):
    def act(self, seen: Seen[Any]) -> int:
        return seen.moves[0]
