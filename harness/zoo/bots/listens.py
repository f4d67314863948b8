"""Waits for connections on a TCP port of its own."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class Listens(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, AttributeError, RuntimeError, ValueError):
            with socket.create_server(("127.0.0.1", 0)):
                pass
            seen.metric("through", 1.0)
        return seen.moves[0]
