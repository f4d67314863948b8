"""Asks the kernel about the network over netlink."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class AsksTheKernel(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, AttributeError, RuntimeError, ValueError):
            with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0):
                pass
            seen.metric("through", 1.0)
        return seen.moves[0]
