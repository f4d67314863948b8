"""Searches sampled worlds like `ismcts`, deal by deal, with greedy playouts; partners share what they win.

Playouts end with the deal (bots/seven/playout.py), and the points that it brings are worth what they
promise for the match (bots/seven/outlook.py). Worlds agree with all voids shown and cards given; of a few
it takes the one in which the giver's three cards are most plausibly the ones it would part with.

Options as for `ismcts`: `nodes`, `exploration`, `reuse`; and `worlds`, how many it chooses among (1: what
a giver would part with is not thought of).
"""

from __future__ import annotations

from random import Random
from typing import Any, cast

from bots.core.bot import Seen
from bots.core.search import Budget, Payoff, Rollout
from bots.core.search.tree import EXPLORATION
from bots.ismcts import Ismcts
from bots.seven.outlook import Outlook
from bots.seven.playout import DealPlayout
from engines.core.game import Game, Move, View
from engines.seven_symbols import SevenView
from engines.seven_symbols.seven_state import SevenState


class SevenSearch(Ismcts):
    """Information-set search of one deal at a time."""

    games = ("seven-symbols",)

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        rng: Random,
        nodes: int | None = None,
        exploration: float = EXPLORATION,
        *,
        reuse: bool = True,
        worlds: int = 1,
    ) -> None:
        super().__init__(game, seat, rng, nodes, exploration, reuse=reuse)
        if type(worlds) is not int or worlds < 1:
            raise ValueError(f"worlds: expected a whole number from 1, got {worlds!r}")
        self.worlds = worlds

    def rollout(self, payoff: Payoff) -> Rollout:
        return DealPlayout(payoff, Outlook(self.game.setup, payoff).table())  # type: ignore[attr-defined]  # the game's own

    def search(self, seen: Seen[View[Move]], budget: Budget) -> int:
        view = cast("SevenView", seen.view)
        leaf = cast("DealPlayout", self.leaf)
        if leaf.number != view.deal:
            leaf.number = view.deal
            self._kept = None
        return super().search(seen, budget)

    def world(self, view: View[Move]) -> SevenState:
        mine = cast("SevenView", view)
        drawn: list[SevenState] = [self.game.sample(mine, self.rng)]
        if not mine.received:
            return drawn[0]
        drawn += [self.game.sample(mine, self.rng) for _ in range(self.worlds - 1)]
        return max(drawn, key=lambda world: likely_gift(mine, world)) if len(drawn) > 1 else drawn[0]


def likely_gift(view: SevenView, world: SevenState) -> int:
    """0, less one for every card that the giver kept in this world and would have given rather."""
    giver = (view.seat + 2) % len(view.sizes)
    gift = sum(1 << card for card in view.received)
    kept = int(world.full(giver))
    if len(view.sizes) == 4:
        kept &= ~sum(1 << card for card in view.given)
    dealt = kept | gift
    most = max(keeping(card, dealt, view.trump) for card in view.received)
    return -sum(keeping(card, dealt, view.trump) < most for card in range(49) if kept >> card & 1)


def keeping(card: int, hand: int, trump: int) -> int:
    """How much a card is worth in a hand before the exchange, as `seven-collector` has it."""
    suit = card // 7
    length = (hand >> 7 * suit & 0x7F).bit_count()
    place = card - 7 * suit + 1
    return place + length + 5 * (suit == trump) + 4 * (card % 6 == 0 and 0 < card < 48) + 20 * (card == 0)
