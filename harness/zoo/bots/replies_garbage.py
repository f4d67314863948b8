"""Writes garbage to every descriptor that it has."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = (
    "malformed",
    "crash",
)


class RepliesGarbage(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        for descriptor in range(64):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"\xc1 garbage " * 9)
        return seen.moves[0]
