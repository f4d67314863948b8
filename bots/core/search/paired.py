"""Moves compared by playouts from the same worlds: what a world alone brings is the same for all of them.

Each round draws one world, makes every move still in the race in a copy of it, and plays on with the same
luck; what counts is how much more a move brings than the base move, which another player advises. This is
the rollout algorithm (G. Tesauro and G. Galperin, NIPS 1996; D. Bertsekas, J. Tsitsiklis and C. Wu, Journal
of Heuristics 3 (1997), 245-262) over sampled worlds, with common random numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from bots.core.search.budget import Budget
from bots.core.search.rollout import Rollout
from engines.core.state import State

ROUNDS: Final = 6
"""Rounds before the first move may drop out."""
BEHIND: Final = 2.0
"""A move drops out when it is so many standard errors behind the best."""


class Lead:
    """How much more than the base move one move brings."""

    __slots__ = ("count", "move", "squares", "total")

    def __init__(self, move: int) -> None:
        self.move = move
        self.count = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, difference: float) -> None:
        """One more round."""
        self.count += 1
        self.total += difference
        self.squares += difference * difference

    @property
    def mean(self) -> float:
        """The mean difference; 0 before the first round."""
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite before the second round."""
        if self.count < 2:
            return math.inf
        spread = max(self.squares - self.total * self.total / self.count, 0.0) / (self.count - 1)
        return math.sqrt(spread / self.count)


def race(
    leaf: Rollout,
    seat: int,
    moves: Sequence[int],
    base: int,
    world: Callable[[], State],
    rng: Random,
    budget: Budget,
    caution: float,
) -> int:
    """The best of `moves` by `leaf` in worlds from `world()`; every playout is a node of `budget`.

    It is `base` unless another is ahead of it by more than `caution` standard errors. Ends early when
    nobody can catch up any more.
    """
    leads = [Lead(move) for move in moves if move != base]
    racing, most = list(leads), budget.nodes
    while racing and (most is None or budget.used + len(racing) < most or budget.used == 0):
        if not budget.more():
            break
        drawn, luck = world(), rng.getrandbits(53)
        start = _after(leaf, drawn, base, luck, seat)
        for lead in racing:
            if not budget.more():
                break
            lead.add(_after(leaf, drawn, lead.move, luck, seat) - start)
        if racing[0].count >= ROUNDS:
            highest = max(0.0, *(lead.mean - BEHIND * lead.error for lead in racing))
            racing = [lead for lead in racing if lead.mean + BEHIND * lead.error > highest]
            if len(racing) == 1 and racing[0].mean > 2 * BEHIND * racing[0].error:
                break
    best = max(leads, key=lambda lead: (lead.mean - caution * lead.error, -lead.move), default=None)
    return best.move if best is not None and best.mean > caution * best.error else base


def _after(leaf: Rollout, world: State, move: int, luck: int, seat: int) -> float:
    """What a copy of `world` is worth to `seat` after its move."""
    state = world.copy()
    state.play(move)
    return leaf.value(state, luck)[seat]
