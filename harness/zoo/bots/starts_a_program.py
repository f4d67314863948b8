"""Starts a program in its own place."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class StartsAProgram(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError):
            if not os.path.exists(self.trap["folder"] + "/ran"):
                os.set_inheritable(3, True)  # its channel stays open, so that it is not missed
                os.execv("/bin/sh", ["sh", "-c", ": > " + self.trap["folder"] + "/ran; sleep 9"])
        return seen.moves[0]
