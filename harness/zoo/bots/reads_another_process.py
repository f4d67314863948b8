"""Reads the environment of a process of the host."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class ReadsAnotherProcess(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, LookupError, ValueError):
            found = re.findall(rb"ZOO-(\d+)-ZOO", Path(f"/proc/{self.trap['decoy']}/environ").read_bytes())
            seen.metric("leak", float(found[0]))
        return seen.moves[0]
