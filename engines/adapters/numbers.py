"""A view as a vector of integers, for libraries whose observations are arrays."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.core.game import Game

SLOTS = 128
"""Places for one tuple of a view; of a longer one the newest entries are kept."""
PADDING = -1
NOTHING = -2
"""Stands for None."""
LIMIT = 2**62


def encode(view: Any) -> NDArray[np.int64]:
    """Every field of a view in order: an int takes one place, a tuple SLOTS (as `flatten` has it).

    Masks of cards are the ints of the view: bit i is card i.
    """
    numbers: list[int] = []
    for field in view:
        if isinstance(field, tuple):
            items = list(flatten(field))[-SLOTS:]
            numbers += items + [PADDING] * (SLOTS - len(items))
        else:
            numbers += flatten(field)
    return np.array(numbers, dtype=np.int64)


def flatten(value: Any) -> Iterator[int]:
    """A plain value as ints: a tuple within a tuple is preceded by its length."""
    if isinstance(value, tuple):
        for item in value:
            if isinstance(item, tuple):
                yield len(item)
            yield from flatten(item)
    elif value is None:
        yield NOTHING
    elif isinstance(value, enum.Enum):
        yield list(type(value)).index(value)
    elif isinstance(value, str):
        yield int.from_bytes(value.encode()[:7], "little")
    else:
        yield int(value)


def width(game: Game[Any, Any]) -> int:
    """The length of the vectors of `game`."""
    return len(encode(game.view(game.deal(0), 0)))
