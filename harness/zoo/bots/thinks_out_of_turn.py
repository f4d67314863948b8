"""Has a timer wake it while its opponent thinks; it is frozen then."""

from __future__ import annotations

import signal
import time
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()
PAIR = True
GAPS = 8


class ThinksOutOfTurn(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)
        self.ticks = 0
        self.gaps: list[int] = []

    def act(self, seen: Seen[View[Move]]) -> int:
        self.gaps.append(self.ticks)
        if len(self.gaps) <= GAPS:
            signal.signal(signal.SIGALRM, self.tick)
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
            time.sleep(0.05)  # while its partner in the other seat waits, and should be frozen
        elif sum(gap > 20 for gap in self.gaps) >= 3:  # of some 50; fewer is how late a busy machine stops it
            seen.metric("through", 1.0)
        self.ticks = 0
        return seen.moves[0]

    def tick(self, *_: Any) -> None:
        self.ticks += 1
