"""A search that starts from what a hand-written bot would play and leaves it only for something better."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from bots.core.bot import Bot, Seen
from bots.core.search.budget import Budget
from bots.core.search.paired import race
from bots.core.search.player import SearchBot
from engines.core.game import Game, Move, View

CAUTION = 1.0
"""Standard errors by which a move must be ahead of the adviser's."""


class AdvisedBot(SearchBot):
    """Races the legal moves against the adviser's, in sampled worlds. Options: `nodes`, `caution`."""

    adviser: ClassVar[type[Bot[Any]]]
    """Who proposes the move to begin with."""

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        rng: Random,
        nodes: int | None = None,
        caution: float = CAUTION,
    ) -> None:
        super().__init__(game, seat, rng, nodes)
        if not caution >= 0:
            raise ValueError(f"caution: expected a number of standard errors from 0, got {caution!r}")
        self.caution = float(caution)
        self.advice = self.adviser(game, seat, Random(rng.getrandbits(53)))

    def search(self, seen: Seen[View[Move]], budget: Budget) -> int:
        base = int(self.advice.act(seen))
        moves = [int(move) for move in seen.moves]
        view = seen.view
        return race(
            self.leaf, self.seat, moves, base, lambda: self.world(view), self.rng, budget, self.caution
        )
