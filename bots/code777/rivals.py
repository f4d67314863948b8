"""When the first rival will have its last point: from what each can know, and from what it still needs.

A rival's knowledge is looked up, not guessed: in a world that agrees with the own view, the rival's view
and its exact posterior follow. Rivals are taken to announce when they are about as sure as ENOUGH. Times
are in questions. That a rival says nothing is not taken as a sign of what it does not know.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engines.code777 import Code777View, posterior
from engines.core.game import Game

HEARD: Final = 6.0
"""Answers heard until a fresh rack is known well enough, on average; a reader hears none of its own."""
ENOUGH: Final = 0.65
"""How sure a seat is then."""
RIGHT: Final = 0.72
"""How often it is right then."""
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
    fresh = HEARD * len(sure) / (len(sure) - 1)
    first = 1e9
    for seat, chance in enumerate(sure):
        if seat == view.seat:
            continue
        wanting = target - view.scores[seat]
        left = max(0.0, 1 - chance / ENOUGH)
        time = 0.0
        while wanting > 0 and time < first:
            time += fresh * left * (LEAST + (1 - LEAST) * rng.expovariate(1.0))
            wanting -= rng.random() < RIGHT
            left = 1.0
        first = min(first, time)
    return first
