"""Attaches to a process of the host as a debugger does."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class TracesAProcess(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, AttributeError, RuntimeError, ValueError):
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.ptrace(0x4206, self.trap["decoy"], None, None) != 0:  # PTRACE_SEIZE stops nobody
                raise OSError(ctypes.get_errno(), "ptrace")
            seen.metric("through", 1.0)
        return seen.moves[0]
