"""Sleeps when it is imported; the start has a guard of wall time too."""

from __future__ import annotations

import time
from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

time.sleep(25)


class SleepsAtImport(Bot[Any]):
    def act(self, seen: Seen[Any]) -> int:
        return seen.moves[0]
