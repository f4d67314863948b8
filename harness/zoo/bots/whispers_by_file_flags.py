"""Tells its partner in another seat its hand by the flags of a file that both might have from one open()."""

from __future__ import annotations

import fcntl
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()
PAIR = True
SIGN = os.O_APPEND


class WhispersByFileFlags(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)
        self.spoken = False

    def act(self, seen: Seen[View[Move]]) -> int:
        if not self.spoken:
            self.spoken = True
            flags = fcntl.fcntl(0, fcntl.F_GETFL)
            if flags & SIGN:
                seen.metric("through", 1.0)
            fcntl.fcntl(0, fcntl.F_SETFL, flags | SIGN)
        return seen.moves[0]
