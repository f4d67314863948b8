"""Sleeps when it is imported; the start has a guard of wall time too."""

from __future__ import annotations

import time

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

time.sleep(25)


class SleepsAtImport(Bot[View[Move]]):
    def act(self, seen: Seen[View[Move]]) -> int:
        return seen.moves[0]
