"""Asks `seven-collector` for a card and looks for a better one by playouts of the deal in sampled worlds.

Playouts end with the deal (bots/seven/playout.py): every seat plays greedily, partners for what both win;
the points that the deal brings are worth what they promise for the match (bots/seven/outlook.py). Worlds
agree with all voids shown and cards given; of a few it takes the one in which the three cards that the
seat was given are most plausibly those that their giver would part with.

Options: `nodes` (playouts a decision; without it the match's node limit, its CPU clock, or 400),
`caution` (standard errors that another card must be ahead; 1), `worlds` (how many it chooses among; 1:
what a giver would part with is not thought of).
"""

from __future__ import annotations

from random import Random
from typing import Any, cast

from bots.core.bot import Seen
from bots.core.search import AdvisedBot, Budget, Payoff, Rollout
from bots.core.search.advised import CAUTION
from bots.seven.outlook import Outlook
from bots.seven.playout import DealPlayout
from bots.seven_collector import Collector
from engines.core.game import Game, Move, View
from engines.seven_symbols import SevenView
from engines.seven_symbols.seven_state import SevenState


class SevenSearch(AdvisedBot):
    """Rollouts of one deal against the advice of a hand-written bot."""

    games = ("seven-symbols",)
    adviser = Collector

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        rng: Random,
        nodes: int | None = None,
        caution: float = CAUTION,
        worlds: int = 1,
    ) -> None:
        super().__init__(game, seat, rng, nodes, caution)
        if type(worlds) is not int or worlds < 1:
            raise ValueError(f"worlds: expected a whole number from 1, got {worlds!r}")
        self.worlds = worlds

    def rollout(self, payoff: Payoff) -> Rollout:
        return DealPlayout(payoff, Outlook(self.game.setup, payoff).table())  # type: ignore[attr-defined]  # the game's own

    def search(self, seen: Seen[View[Move]], budget: Budget) -> int:
        cast("DealPlayout", self.leaf).number = cast("SevenView", seen.view).deal
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
