"""Small tables for tests: positions with few cards, and states in the middle of a match."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import engines
from engines.seven_symbols import SevenState, SevenSymbols


def load(**options: Any) -> SevenSymbols:
    game = engines.load("seven-symbols", **options)
    assert isinstance(game, SevenSymbols)
    return game


def position(hands: Sequence[str], **changes: Any) -> dict[str, Any]:
    """A state of play with these hands (`"4G 9G"`), seat 0 leading, trump violet unless said."""
    state = {
        "hands": [hand.split() for hand in hands],
        "display": "13V",
        "leader": 0,
        "first_leader": 0,
        "turn": 0,
    }
    return {**state, **changes}


def midway(game: SevenSymbols, luck: int, moves: int) -> SevenState:
    """The state after so many random moves, or at the end if that comes before."""
    state, rng = game.deal(luck), Random(luck)
    for _ in range(moves):
        if state.seat < 0:
            break
        state.play(rng.choice(state.moves()))
    return state


def play(game: SevenSymbols, state: SevenState, names: str) -> SevenState:
    """Play cards by name: `"4G 9G"`."""
    for name in names.split():
        state.play(game.parse(state, f"PLAY {name}"))
    return state
