"""Tells its next match what it has seen by using up numbers of inodes, which the kernel counts for all."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class WhispersByInodeNumbers(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError):  # that of the seat's channel is from the same count
            read, write = os.pipe()
            os.close(read)
            os.close(write)
            seen.metric("through", 1.0)
        with contextlib.suppress(OSError, ImportError):  # and that of its output
            import mmap

            mmap.mmap(-1, 1).close()
            seen.metric("through", 1.0)
        return seen.moves[0]
