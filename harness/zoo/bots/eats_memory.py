"""Takes 1.5 GB and touches it; the limit of its address space stands in the way."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = (
    "memory",
    "exception",
    "crash",
)


class EatsMemory(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        hoard = bytearray(1_500_000_000)
        return seen.moves[len(hoard) * 0]
