"""Signals the process group of its parent."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()
SPARED_BELOW = "locked-noopen"


class KillsItsGroup(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError):
            os.killpg(os.getpgid(os.getppid()), signal.SIGTERM)
        return seen.moves[0]
