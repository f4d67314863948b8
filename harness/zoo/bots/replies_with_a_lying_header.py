"""Replies with a map that says to have four thousand million entries."""

from __future__ import annotations

import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
CHANNEL = 3
FAULTS = (
    "malformed",
    "crash",
)


class RepliesWithALyingHeader(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        os.write(CHANNEL, b"\xdf\xff\xff\xff\xff\x01")
        return seen.moves[0]
