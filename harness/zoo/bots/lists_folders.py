"""Lists a folder of the host."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class ListsFolders(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, LookupError, ValueError):
            seen.metric(
                "leak", float(next(name for name in os.listdir(self.trap["listed"]) if name.isdigit()))
            )
        return seen.moves[0]
