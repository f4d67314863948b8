"""Sends the reply of every decision twice, by wrapping what writes it."""

from __future__ import annotations

import os
import sys
from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("malformed",)


class RepliesTwice(Bot[Any]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[Any]) -> int:
        if not hasattr(os, "_once"):
            once = os.write

            def twice(descriptor: int, data: Any) -> int:
                once(descriptor, data)
                return once(descriptor, data)

            os._once = once  # type: ignore[attr-defined]  # a mark
            os.write = twice
            frame = sys._getframe()
            while frame.f_back is not None:
                frame = frame.f_back
                for scope in (frame.f_globals, frame.f_locals):
                    for name, value in list(scope.items()):
                        if value is once:
                            scope[name] = twice
            duplicate_later()
        return seen.moves[0]
