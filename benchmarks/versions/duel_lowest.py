"""`duel-longsuit` as it was before: leads its lowest card of any suit."""

from __future__ import annotations

from bots import Seen
from bots.duel_longsuit import LongSuit, beatable
from engines.kozyri.duel import DuelView, Kind, Move


class Lowest(LongSuit):
    """Suits of any length are alike to it."""

    def act(self, seen: Seen[DuelView]) -> Move:
        leads = [move for move in seen.moves if move.kind is Kind.LEAD]
        safe = [move for move in leads if not beatable(move, seen.view)]
        if leads and not (safe and len(safe) >= len(leads) - 1):
            return min(leads, key=lambda move: (move.card.suit == seen.view.trump, move.card.rank))
        return super().act(seen)
