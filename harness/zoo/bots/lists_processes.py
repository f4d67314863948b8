"""Reads the command lines of all processes."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class ListsProcesses(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, LookupError, ValueError):
            lines = b"".join(file.read_bytes() for file in Path("/proc").glob("[0-9]*/cmdline"))
            found = re.findall(rb"ZOO-(\d+)-ZOO", lines)
            seen.metric("leak", float(found[0]))
        return seen.moves[0]
