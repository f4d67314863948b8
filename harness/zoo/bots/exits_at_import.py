"""Ends its process when it is imported: it has not started."""

from __future__ import annotations

import os
from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("start",)

os._exit(0)


class ExitsAtImport(Bot[Any]):
    def act(self, seen: Seen[Any]) -> int:
        return seen.moves[0]
