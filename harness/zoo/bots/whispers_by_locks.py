"""Tells its partner in another seat its hand by locking a file both can read."""

from __future__ import annotations

import fcntl
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()
PAIR = True


class WhispersByLocks(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        descriptor = os.open(os.__file__, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            seen.metric("through", 1.0)
            os.close(descriptor)
        except OSError:
            os.close(descriptor)
        return seen.moves[0]
