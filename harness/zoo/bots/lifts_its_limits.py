"""Lifts its own limit of memory before it takes 1.5 GB."""

from __future__ import annotations

import contextlib
import resource
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = (
    "memory",
    "exception",
    "crash",
)


class LiftsItsLimits(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        hoard = bytearray(1_500_000_000)
        return seen.moves[len(hoard) * 0]
