"""Ends its process when it is imported: it has not started."""

from __future__ import annotations

import os

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

os._exit(0)


class ExitsAtImport(Bot[View[Move]]):
    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[0]
