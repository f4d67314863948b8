"""Writes 30 MB to descriptor 2 without Python's help; what is over the limit of output is dropped."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()


class FloodsStderr(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        if not hasattr(self, "flooded"):
            self.flooded = True
            for _ in range(300):
                with contextlib.suppress(OSError):
                    os.write(2, b"x" * 100_000)
        return seen.moves[0]
