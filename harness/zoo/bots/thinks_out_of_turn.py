"""Has a timer wake it while its opponent thinks; it is frozen then."""

from __future__ import annotations

import signal
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()


class ThinksOutOfTurn(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)
        self.ticks = 0

    def act(self, seen: Seen[View[Move]]) -> int:
        before, self.ticks = self.ticks, 0
        if before > 5:
            seen.metric("through", float(before))
        signal.signal(signal.SIGALRM, self.tick)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        return seen.moves[0]

    def tick(self, *_: Any) -> None:
        self.ticks += 1
