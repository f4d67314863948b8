"""What search bots have in common: options, budget, rollout, and the choice of the move to play."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from random import Random
from typing import Any

from bots.core.bot import Bot, Seen
from bots.core.search.budget import Budget
from bots.core.search.rollout import Payoff, Rollout, Uniform
from bots.core.search.tree import EXPLORATION, Node
from engines.core.game import Game, Move, View
from engines.core.state import State


class SearchBot(Bot[View[Move]]):
    """Searches sampled worlds. Options: `nodes` a decision (iterations), `exploration` (UCB1's constant)."""

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        rng: Random,
        nodes: int | None = None,
        exploration: float = EXPLORATION,
    ) -> None:
        super().__init__(game, seat, rng)
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes: expected a whole number of iterations from 1, got {nodes!r}")
        if not exploration >= 0:
            raise ValueError(f"exploration: expected a number from 0, got {exploration!r}")
        self.nodes = nodes
        self.exploration = float(exploration)
        self.leaf = self.rollout(Payoff(game))

    def rollout(self, payoff: Payoff) -> Rollout:
        """What a leaf is worth: uniformly random play to the end. Override it to bring knowledge."""
        return Uniform(payoff)

    def world(self, view: View[Move]) -> State:
        """One of the worlds that could be. Override it to draw with more in mind."""
        world: State = self.game.sample(view, self.rng)
        return world

    def act(self, seen: Seen[View[Move]]) -> int:
        budget = Budget(seen.clock, self.nodes)
        move = self.search(seen, budget)
        seen.metric("nodes", budget.used)
        return move

    @abstractmethod
    def search(self, seen: Seen[View[Move]], budget: Budget) -> int:
        """The move to play, found while `budget.more()`."""


def most_visited(children: Iterable[Node]) -> int:
    """The move tried most often; of equals the one with the better mean, then the first."""
    return max(children, key=lambda child: (child.visits, child.mean(), -child.move)).move
