"""Leaves the next player what it can hardly beat when the pile is worth taking, and sheds low cards else.

RESULTS
"""

from __future__ import annotations

from math import comb

from bots import Bot, Seen
from engines.kozyri.beating import beaters
from engines.kozyri.common import Card
from engines.kozyri.hund import HundView, Kind, Move

QUEEN_OF_CLUBS = 1 << 49


class Squeeze(Bot[HundView]):
    """Weighs for every card what it would be worth later against the pile that the next player would get."""

    games = ("hund",)

    W_TAKE = 0.2
    TRUMP = 10.0
    SHED = 2.0
    QUEEN = 12.0
    HIGH = 0.0

    def act(self, seen: Seen[HundView]) -> Move:
        return max(seen.moves, key=lambda move: self.worth(seen.view, move))

    def worth(self, view: HundView, move: Move) -> float:
        """What a move gains, in ranks of a card."""
        if move.kind is Kind.TAKE:
            return -1000.0
        if move.kind is Kind.PASS:
            return self.pressure(view, view.pile[-1], len(view.pile)) - self.SHED
        card = move.card
        gain = -self.price(view, card)
        if move.kind is Kind.FREE or move.kind is Kind.LEAD:
            gain += self.pressure(view, card, len(view.pile) + 1)
        return gain

    def pressure(self, view, card, size):
        return self.W_TAKE * size * (1 - self.beaten(view, card))

    def price(self, view: HundView, card: Card) -> float:
        """What a card would be worth later: its rank, more for a trump, and for the Queen before trumps."""
        if not view.trumps_set and card.name == "QC":
            return self.QUEEN
        return card.rank + self.TRUMP * (card.suit == view.trump)

    def beaten(self, view: HundView, card: Card) -> float:
        """How likely the next player can beat a card, all ways to hand out the unseen cards being equal."""
        after = view.active[1] if len(view.active) > 1 else view.seat
        known = view.known_masks
        unseen = view.unseen_mask
        trump = view.trump_suits[after]
        escape = 0 if view.trumps_set or card.name == "QC" else QUEEN_OF_CLUBS
        if beaters(known[after], card, trump) or known[after] & escape:
            return 1.0
        room = view.sizes[after] - known[after].bit_count()
        good = (beaters(unseen, card, trump) | unseen & escape).bit_count()
        count = unseen.bit_count()
        return 1 - comb(count - good, room) / comb(count, room)
