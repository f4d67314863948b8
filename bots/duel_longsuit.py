"""Leads the lowest card of its longest suit, beats with the cheapest card, takes only when it must.

Trumps are kept for beating. As soon as all but one of its cards are such that the opponent cannot beat
them, it leads those one after another, and the last card wins (rule DU-8).

Against `uniform`: 0.9990 ± 0.0007 of the points (standard deck, deals 0 … 999, each from both sides, error
over deals). Against the same bot that leads its lowest card of any suit: 0.641 ± 0.012 (500 deals).
"""

from __future__ import annotations

from collections import Counter

from bots import Bot, Seen
from engines.kozyri.beating import beaters
from engines.kozyri.duel import DuelView, Kind, Move


class LongSuit(Bot[DuelView]):
    """Both hands lie open in the duel, so it knows what the opponent can beat."""

    games = ("kozyri-duel",)

    def act(self, seen: Seen[DuelView]) -> Move:
        view = seen.view

        def cost(move: Move) -> tuple[bool, int]:
            return move.card.suit == view.trump, move.card.rank

        leads = [move for move in seen.moves if move.kind is Kind.LEAD]
        if leads:
            safe = [move for move in leads if not beatable(move, view)]
            if safe and len(safe) >= len(leads) - 1:
                return min(safe, key=cost)
            length = Counter(card.suit for card in view.hand)
            return min(leads, key=lambda m: (m.card.suit == view.trump, -length[m.card.suit], m.card.rank))
        beats = [move for move in seen.moves if move.kind is Kind.BEAT]
        # Without a beat there is TAKE, or a suit to choose, which neither helps nor hurts (A8).
        return min(beats, key=cost) if beats else seen.moves[0]


def beatable(lead: Move, view: DuelView) -> bool:
    """Whether the opponent holds a card that beats the one led."""
    opponent = 1 - view.seat
    return beaters(view.hand_masks[opponent], lead.card, view.trump_suits[opponent]) != 0
