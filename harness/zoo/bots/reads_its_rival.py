"""Reads its opponent's source."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class ReadsItsRival(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, LookupError, ValueError):
            found = re.findall(r"ZOO-(\d+)-ZOO", Path(self.trap["rival"]).read_text(encoding="utf-8")) * 2
            seen.metric("leak", float(found[1]))
        return seen.moves[0]
