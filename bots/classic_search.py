"""Asks `classic-burden` for a move and looks for a better one by playouts in sampled worlds.

Worlds have every card that is known to be held where it is; playouts shed cards by a plan
(bots/kozyri/shedding.py). All moves are tried in the same worlds, and the advised move is left only for
one that is ahead by more than chance.

Options: `nodes` (playouts a decision; without it the match's node limit, its CPU clock, or 200),
`caution` (standard errors that another move must be ahead; 1).
"""

from __future__ import annotations

from bots.classic_burden import Burden
from bots.core.search import AdvisedBot, Payoff, Rollout
from bots.kozyri.shedding import TableShedding


class ClassicSearch(AdvisedBot):
    """Rollouts of its game against the advice of a hand-written bot."""

    games = ("kozyri-classic",)
    adviser = Burden

    def rollout(self, payoff: Payoff) -> Rollout:
        return TableShedding(payoff)
