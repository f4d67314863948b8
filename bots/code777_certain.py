"""Announces its code when only one is possible, and never before.

What is possible follows from all answers, own wrong announcements and tiles seen (`posterior`), so it is
never wrong; it loses to bots that dare more.
"""

from __future__ import annotations

from bots import Bot, Seen
from engines.code777 import Code777View, Kind, Move, posterior


class Certain(Bot[Code777View]):
    """Waits for certainty."""

    games = ("code777",)

    def act(self, seen: Seen[Code777View]) -> Move:
        codes = posterior(seen.view)
        if seen.moves[0].kind is Kind.RACK or len(codes) > 1:
            return seen.moves[0]  # the lower ownerless rack, or PASS
        return next(move for move in seen.moves if move.name == f"ANNOUNCE {min(codes)}")
