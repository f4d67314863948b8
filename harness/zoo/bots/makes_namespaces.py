"""Makes a user namespace in which it is root."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class MakesNamespaces(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, AttributeError, RuntimeError, ValueError):
            if ctypes.CDLL(None, use_errno=True).unshare(0x10000000) != 0:
                raise OSError(ctypes.get_errno(), "unshare")
            seen.metric("through", 1.0)
        return seen.moves[0]
