"""When the first rival will have its last point: from what each can know, and from what it still needs.

A rival's knowledge is looked up, not guessed: in a world that agrees with the own view, the rival's view
and its exact posterior follow. Times are in questions. That a rival says nothing is not taken as a sign
of what it does not know.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engines.code777 import Code777View, posterior
from engines.core.game import Game

FRESH: Final = 8.0
"""Answers heard for a point, on average, with wrong announcements between; a reader hears none of its own."""
LEAST: Final = 0.35
"""The part of that time that no luck shortens."""


def likeliest(game: Game[Any, Any], view: Code777View, rng: Random) -> list[float]:
    """How likely every seat's likeliest announcement is to itself, in a drawn world; 0 for the own seat."""
    world = game.sample(view, rng)
    return [
        0.0 if seat == view.seat else max(posterior(game.view(world, seat)).values())
        for seat in range(game.seats)
    ]


def until_over(view: Code777View, target: int, sure: list[float], rng: Random) -> float:
    """A draw of the questions until some rival has `target` points."""
    seats = len(sure)
    pace = FRESH * seats / (seats - 1)
    first = 1e9
    for seat, chance in enumerate(sure):
        if seat == view.seat:
            continue
        wanting = target - view.scores[seat]
        total = point(pace * (1 - chance), rng)
        for _ in range(wanting - 1):
            total += point(pace, rng)
        first = min(first, total)
    return first


def point(pace: float, rng: Random) -> float:
    """A draw of the time for one point, with this mean."""
    return pace * (LEAST + (1 - LEAST) * rng.expovariate(1.0)) if pace > 0 else 0.0
