"""`duel-longsuit` without its ending: leads on from its longest suit where safe cards would win."""

from __future__ import annotations

from collections import Counter

from bots import Seen
from bots.duel_longsuit import LongSuit
from engines.kozyri.duel import DuelView, Kind, Move


class NoEnding(LongSuit):
    """It does not look at what the opponent can beat."""

    def act(self, seen: Seen[DuelView]) -> Move:
        view = seen.view
        leads = [move for move in seen.moves if move.kind is Kind.LEAD]
        if not leads:
            return super().act(seen)
        length = Counter(card.suit for card in view.hand)
        return min(leads, key=lambda m: (m.card.suit == view.trump, -length[m.card.suit], m.card.rank))
