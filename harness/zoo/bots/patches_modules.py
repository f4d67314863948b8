"""Replaces the clock, the luck and the JSON of its process; the referee has its own."""

from __future__ import annotations

import json
import random
import time
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()


class PatchesModules(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        random.seed(0)
        random.random = lambda: 0.0
        time.time = time.monotonic = time.perf_counter = time.thread_time = lambda: 0.0
        json.dumps = lambda *_, **__: "zoo"
        json.loads = lambda *_, **__: "zoo"
        return seen.moves[0]
