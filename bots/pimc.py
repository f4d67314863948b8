"""Perfect-information Monte Carlo: a search of its own in each of a few sampled worlds; any game.

In every world all cards lie open and UCT looks for the best move; the move with the best mean payoff over
the worlds is played. It is strong where hidden cards matter little to the choice, and plans as if it
would learn the world later (strategy fusion: J. Long, N. Sturtevant, M. Buro and T. Furtak, AAAI 2010).
What others choose in secret is a move of theirs in every world, chosen as if they saw it.

Options: `nodes` (iterations a decision over all worlds; without it the match's node limit, its CPU clock,
or 200), `worlds` (16), `exploration` (0.7).
"""

from __future__ import annotations

from random import Random
from typing import Any

from bots.core.bot import Seen
from bots.core.search import Budget, SearchBot, Tree
from bots.core.search.tree import EXPLORATION
from engines.core.game import Game, Move, View


class Pimc(SearchBot):
    """A tree for every world, grown in turn."""

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        rng: Random,
        nodes: int | None = None,
        worlds: int = 16,
        exploration: float = EXPLORATION,
    ) -> None:
        super().__init__(game, seat, rng, nodes, exploration)
        if type(worlds) is not int or worlds < 1:
            raise ValueError(f"worlds: expected a whole number from 1, got {worlds!r}")
        self.worlds = worlds

    def search(self, seen: Seen[View[Move]], budget: Budget) -> int:
        # A world with fewer iterations than moves would not have tried them all.
        most = self.worlds if budget.nodes is None else budget.nodes // (2 * len(seen.moves))
        trees = []
        for _ in range(max(1, min(self.worlds, most))):
            world = self.world(seen.view)
            trees.append((world, Tree(self.leaf, self.rng.getrandbits(53), self.exploration)))
        turn = 0
        while budget.more():
            world, tree = trees[turn]
            tree.grow(world.copy())
            turn = turn + 1 if turn + 1 < len(trees) else 0
        found: dict[int, list[float]] = {}
        for _, tree in trees:
            for child in tree.root.children():
                found.setdefault(child.move, []).append(child.mean())
        return max(found, key=lambda move: (sum(found[move]) / len(found[move]), -move))
