"""Answers the next question before it is asked."""

from __future__ import annotations

import os
import signal
from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("malformed",)


class RepliesEarly(Bot[Any]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[Any]) -> int:
        if os.fork is not None:
            signal.signal(signal.SIGALRM, lambda *_: os.write(CHANNEL, b"\x93\xa1A\x01\x02"))
            signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        return seen.moves[0]
