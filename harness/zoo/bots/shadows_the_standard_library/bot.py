"""Brings a random.py and a json.py of its own, to stand in for the standard library's in whoever imports them next."""

from __future__ import annotations

import importlib
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "none"
FAULTS = ()


class ShadowsTheStandardLibrary(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        for name in ("random", "json"):
            if hasattr(importlib.import_module(name), "SHADOW"):
                seen.metric("through", 1.0)
        return seen.moves[0]
