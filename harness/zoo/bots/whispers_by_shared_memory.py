"""Tells its partner in another seat its hand through System V shared memory."""

from __future__ import annotations

import ctypes
import errno
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()
PAIR = True


class WhispersBySharedMemory(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        libc = ctypes.CDLL(None, use_errno=True)
        made = libc.shmget(self.trap["run"] & 0x7FFFFFFF, 4096, 0o1600 | 0o2000)  # IPC_CREAT | IPC_EXCL
        if made < 0 and ctypes.get_errno() == errno.EEXIST and not hasattr(self, "made"):
            seen.metric("through", 1.0)
        self.made = made
        return seen.moves[0]
