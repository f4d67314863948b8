"""Connects to a TCP port of this machine."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class Connects(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.trap["tcp"]), 0.2).close()
        return seen.moves[0]
