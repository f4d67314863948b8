"""Information-set Monte Carlo tree search: one tree, a new sampled world for every iteration; any game.

Single observer (Cowling, Powley and Whitehouse 2012). The default policy is uniformly random play to the
end of the match. Part of the tree is kept from one decision to the next: what lies below the moves made
since, as far as all of them were public. What others choose in secret (a gift, an announcement) is a move
of theirs in every sampled world, chosen in the tree as if they saw that world; that they do not, and that
they infer things from what others do, is not modelled.

Options: `nodes` (iterations a decision; without it the match's node limit, its CPU clock, or 200),
`exploration` (0.7), `reuse` (true).
"""

from __future__ import annotations

from random import Random
from typing import Any

from bots.core.bot import Seen
from bots.core.search import Budget, SearchBot, Tree
from bots.core.search.player import most_visited
from bots.core.search.tree import EXPLORATION
from engines.core.game import Game, Move, View


class Ismcts(SearchBot):
    """One tree over information sets."""

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        rng: Random,
        nodes: int | None = None,
        exploration: float = EXPLORATION,
        *,
        reuse: bool = True,
    ) -> None:
        super().__init__(game, seat, rng, nodes, exploration)
        self.reuse = reuse
        self._kept: Tree | None = None

    def search(self, seen: Seen[View[Move]], budget: Budget) -> int:
        view = seen.view
        tree = self._tree(seen)
        while budget.more():
            tree.grow(self.world(view))
        legal = {int(move) for move in seen.moves}
        self._kept = tree if self.reuse else None
        return most_visited(child for child in tree.root.children() if child.move in legal)

    def _tree(self, seen: Seen[View[Move]]) -> Tree:
        """What is left of the last tree after the moves made since, or a new one."""
        kept, self._kept = self._kept, None
        if kept is not None and seen.news and kept.follow([(seat, int(move)) for seat, move in seen.news]):
            return kept
        return Tree(self.leaf, self.rng.getrandbits(53), self.exploration)
