"""Tells its partner in another seat its hand by letting signals wait, which the kernel counts by user."""

from __future__ import annotations

import os
import resource
import signal
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()
PAIR = True
SENT = 20


class WhispersBySignals(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)
        self.spoken = False

    def act(self, seen: Seen[View[Move]]) -> int:
        if not self.spoken:
            self.spoken = True
            number = signal.SIGRTMIN + 3
            signal.pthread_sigmask(signal.SIG_BLOCK, [number])
            room = min(resource.getrlimit(resource.RLIMIT_SIGPENDING)[0], 1000)
            for _ in range(room + 1):
                os.kill(os.getpid(), number)
            waiting = 0
            while signal.sigtimedwait([number], 0) is not None:
                waiting += 1
            if waiting <= room - SENT:
                seen.metric("through", 1.0)
            for _ in range(SENT):
                os.kill(os.getpid(), number)
        return seen.moves[0]
