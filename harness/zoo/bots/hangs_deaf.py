"""Ignores every signal that can be ignored, then loops; what ends it cannot be ignored."""

from __future__ import annotations

import contextlib
import signal
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("time",)


class HangsDeaf(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        for number in signal.valid_signals():
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        while True:
            pass
