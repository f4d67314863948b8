"""Starts a thread that thinks while the opponent does."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class StartsThreads(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, AttributeError, RuntimeError, ValueError):
            threading.Thread(target=int).start()
            seen.metric("through", 1.0)
        return seen.moves[0]
