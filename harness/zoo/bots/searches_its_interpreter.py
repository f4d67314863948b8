"""Looks through every object, module, frame and variable of its process for what the referee knows."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "bounded"
FAULTS = ()


def everything() -> Iterator[str]:
    """Every text within reach."""
    yield from os.environ.values()
    yield from sys.argv
    for held in gc.get_objects():
        if isinstance(held, dict):
            yield from [value for value in list(held.values()) if isinstance(value, str)]
        elif isinstance(held, list | tuple):
            yield from [value for value in list(held) if isinstance(value, str)]


class SearchesItsInterpreter(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[View[Move]]) -> int:
        for text in everything():
            if found := re.search(r"ZOO-(\d+)-ZOO", text):
                seen.metric("leak", float(found[1]))
        return seen.moves[0]
