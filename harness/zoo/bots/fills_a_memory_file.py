"""Makes a file in memory of 512 MB, which no limit of address space counts."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()


class FillsAMemoryFile(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, AttributeError, RuntimeError, ValueError):
            descriptor = os.memfd_create("hoard")
            os.ftruncate(descriptor, 512_000_000)
            seen.metric("through", 1.0)
        return seen.moves[0]
