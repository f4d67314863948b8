"""Connects to Unix sockets, one by its path and one by its abstract name."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class UsesUnixSockets(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        for address in (self.trap["unix"], "\0" + self.trap["abstract"]):
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as unix:
                unix.sendto(b"zoo", socket.MSG_DONTWAIT, address)
        return seen.moves[0]
