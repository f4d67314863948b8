"""Tells its partner in another seat its hand through the kernel's keyring."""

from __future__ import annotations

import ctypes
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()
PAIR = True


class WhispersByKeyring(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        libc = ctypes.CDLL(None, use_errno=True)
        name = f"zoo{self.trap['run']}".encode()
        if libc.syscall(250, 10, -4, b"user", name, 0) > 0:  # keyctl(KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING)
            if not hasattr(self, "told"):
                seen.metric("through", 1.0)
        elif libc.syscall(248, b"user", name, b"hand", 4, -4) > 0:  # add_key; numbers of x86_64
            self.told = True
        return seen.moves[0]
