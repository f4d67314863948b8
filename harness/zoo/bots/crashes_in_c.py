"""Reads address 0 through ctypes: SIGSEGV ends its process and no other."""

from __future__ import annotations

import ctypes
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ("crash",)


class CrashesInC(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        return len(ctypes.string_at(0))
