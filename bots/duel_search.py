"""Searches sampled worlds like `ismcts`, with playouts that shed cards by a plan instead of luck alone.

The plan is in bots/kozyri/shedding.py. Options as for `ismcts`: `nodes`, `exploration`, `reuse`.
"""

from __future__ import annotations

from bots.core.search import Payoff, Rollout
from bots.ismcts import Ismcts
from bots.kozyri.shedding import DuelShedding


class DuelSearch(Ismcts):
    """Information-set search of its game with informed playouts."""

    games = ("kozyri-duel",)

    def rollout(self, payoff: Payoff) -> Rollout:
        return DuelShedding(payoff)
