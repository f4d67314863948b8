"""Plays proven wins, and otherwise searches by alpha-beta with an evaluation learnt from its own games.

Half of its nodes go to proofs (engines/kozyri/duel_proof.py), which decide small decks and many endgames of
the full ones; what is proved is kept for the match, and a proven win is played to its end. The other half
deepens an alpha-beta search. Both plays differ between rules only by who leads after a TAKE; repetition is
seen by either, the action cap by neither.

Standard deck, 1000 nodes, deals 0 … from both sides, with 95 % intervals over deals: 0.900 ± 0.062 of the
points against `duel_longsuit` (40 deals), all 16 games against `duel_search` with 400 iterations. On the
easy deck 800 nodes have 0.700 ± 0.081 against 400 (60 deals), and 1600 have 0.880 ± 0.100 (25 deals).

Option: `nodes` (positions a decision; without it the match's node limit, its CPU clock, or 4000).
"""

from __future__ import annotations

from random import Random
from time import thread_time
from typing import Any, Final

from bots import Bot, Seen
from bots.core.search import Budget
from bots.kozyri.alphabeta import AlphaBeta, Judge
from bots.kozyri.duel_weights import WEIGHTS
from engines.core.game import Game
from engines.kozyri.duel import DuelView
from engines.kozyri.duel_proof import Proofs
from engines.kozyri.duel_state import BEAT_MOVE, LEAD_MOVE, RESPOND, TAKE_MOVE, TRUMP, DuelState

NODES: Final = 4000
"""Positions a decision where nothing is said: about 15 ms, compiled."""


class DuelAlphaBeta(Bot[DuelView]):
    """Exact where it can be, deep where it cannot."""

    games = ("kozyri-duel",)

    def __init__(self, game: Game[Any, Any], seat: int, rng: Random, nodes: int | None = None) -> None:
        super().__init__(game, seat, rng)
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes: expected a whole number of positions from 1, got {nodes!r}")
        self.nodes = nodes
        self._proofs: Proofs | None = None
        self._search: AlphaBeta | None = None

    def act(self, seen: Seen[DuelView]) -> int:
        state: DuelState = self.game.sample(seen.view, self.rng)
        if state.phase >= TRUMP:
            return seen.moves[0]  # which suits one has neither helps nor hurts (A8)
        budget = Budget(seen.clock, self.nodes, NODES)
        now, end = thread_time(), budget.until
        proofs = self._known(state)
        before = proofs.nodes
        half = None if budget.nodes is None else max(budget.nodes // 2, 1)
        found = proofs.winner(state, half, None if end is None else now + (end - now) / 2)
        seen.metric("proved", float(found is not None))
        left = 10**9 if budget.nodes is None else max(budget.nodes - (proofs.nodes - before), 1)
        if found is not None and found[0] == self.seat:
            seen.metric("nodes", proofs.nodes - before)
            return proofs.next_move(state, *found)
        assert self._search is not None
        searched = int(self._search.nodes)
        _, mine, other, top = proofs.place(state, self.seat)
        responds = state.phase == RESPOND
        card = self._search.choose(mine, other, top if responds else -1, self.seat, left, end or 0.0)
        seen.metric("nodes", proofs.nodes - before + int(self._search.nodes) - searched)
        if card < 0:
            return int(TAKE_MOVE)
        return int(BEAT_MOVE if responds else LEAD_MOVE) + proofs.cards[card]

    def _known(self, state: DuelState) -> Proofs:
        """What has been proved in this match, or a fresh start where leads have become forbidden since."""
        if self._proofs is None or not self._proofs.fits(state):
            self._proofs = proofs = Proofs(state)
            self._search = searcher(proofs, state.law.taker_leads, WEIGHTS)
        return self._proofs


def searcher(proofs: Proofs, taker_leads: bool, weights: list[int]) -> AlphaBeta:
    """An alpha-beta search over the cards of some proofs."""
    everything = proofs.mask(proofs.cards)
    return AlphaBeta(
        Judge(proofs.suits, list(proofs.trumps), weights),
        [card // 13 for card in proofs.cards],
        proofs.beats,
        taker_leads=taker_leads,
        forbidden=[
            2 * proofs.dense(key >> 1 if key & 1 == 0 else everything ^ key >> 1) + (key & 1)
            for key in sorted(proofs.forbidden)
        ],
    )
