"""Svoyi Kozyri for two: all cards open, each seat with its own trumps, the first empty hand wins.

The rules are in RULES.md (DU-1 to DU-15); the state in play is in duel_state.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from engines.core.bits import indices
from engines.core.chance import LUCK_LIMIT, checked_luck
from engines.core.game import Game, Outcome
from engines.core.position import Reader, envelope, open_envelope
from engines.core.rules import Rules
from engines.core.solution import Solution
from engines.kozyri.common import Card, Kind, Move, deck_mask
from engines.kozyri.duel_position import check_ending, read, written
from engines.kozyri.duel_state import DuelState, dealt
from engines.kozyri.duel_view import PHASES, TABLE, DuelRules, DuelView
from engines.kozyri.laws import DuelLaw
from engines.kozyri.pile import Pile
from engines.kozyri.view_json import DuelViewJson

__all__ = ["Card", "DuelRules", "DuelView", "Kind", "KozyriDuel", "Move", "next_dealer"]


def next_dealer(dealer: int, outcome: Outcome) -> int:  # noqa: ARG001 - the other games' dealer depends on it
    """The dealer of the next deal, for those who play on: they take turns, whoever won (DU-14)."""
    return 1 - dealer


class KozyriDuel(Game[DuelState, DuelView]):
    """The two-player duel of Svoyi Kozyri."""

    name: ClassVar[str] = "kozyri-duel"
    rules_type: ClassVar[type[Rules]] = DuelRules
    view_json: ClassVar[type] = DuelViewJson
    rules: DuelRules
    seats = 2
    sides = (0, 1)
    table = TABLE
    stakes = (0.0, 1.0)

    def __init__(self, rules: DuelRules) -> None:
        super().__init__(rules)
        self.deck = deck_mask(rules.ranks)
        self.law = DuelLaw(
            indices(self.deck),
            chosen=rules.suits == "chosen",
            opponent_leads=rules.first_leader == "opponent",
            taker_leads=rules.after_take == "taker",
            repetition=rules.repetition,
            cap=rules.action_cap,
            fewest_cards=rules.cap_result == "fewest_cards",
            names=[move.name for move in TABLE],
        )

    def deal(self, luck: int) -> DuelState:
        """A new deal; the dealer is drawn too. `luck` is 0 … 2**53 - 1."""
        return dealt(self.law, checked_luck(luck))

    def view(self, state: DuelState, seat: int) -> DuelView:
        """What `seat` knows: everything on the table and in both hands."""
        return DuelView(
            seat,
            int(state.seat),
            PHASES[state.phase],
            (int(state.hand0), int(state.hand1)),
            tuple(state.pile.order()),
            (int(state.trump0), int(state.trump1)),
            (int(state.second0), int(state.second1)),
            int(state.dealer),
            int(state.actions),
            state.lead_counts(),
        )

    def sample(self, view: DuelView, rng: Random) -> DuelState:
        """The state of this view; only the luck of a deal still to come is unknown, and drawn."""
        return self._rebuild(view, rng.randrange(LUCK_LIMIT))

    def _rebuild(self, view: DuelView, luck: int) -> DuelState:
        pile = Pile()
        for card in view.order:
            pile.push(card)
        state = DuelState(self.law, luck, pile, dict(view.leads))
        state.listed = None
        state.seat = view.turn
        state.phase = PHASES.index(view.phase)
        state.hand0, state.hand1 = view.hand_masks
        state.trump0, state.trump1 = view.trump_suits
        state.second0, state.second1 = view.second_suits
        state.dealer = view.dealer
        state.actions = view.actions
        state.settle()
        return state

    def solve(
        self, state: DuelState, *, nodes: int | None = None, seconds: float | None = None, every: bool = False
    ) -> Solution:
        """The exact value for the seat to move and the line of play; raises Undecided (see duel_proof.py)."""
        from engines.kozyri.duel_proof import solve  # players need not have it in memory

        return solve(state, nodes=nodes, seconds=seconds, every=every)

    # -- JSON ------------------------------------------------------------------------------------------

    def position(self, state: DuelState) -> dict[str, Any]:
        """The state as JSON values."""
        values = written(self.view(state, 0))
        return envelope(self, {**values, "luck": int(state.luck)})

    def view_position(self, view: DuelView) -> dict[str, Any]:
        """A view as JSON values: all keys of `state` but the luck, and the sizes of the hands."""
        return {**written(view), "sizes": list(view.sizes)}

    def from_position(self, data: Mapping[str, Any]) -> DuelState:
        """The state that a position describes; raises BadPosition naming the key and the reason."""
        reader = Reader(open_envelope(self, data))
        view, luck = read(reader, self.rules)
        state = self._rebuild(view, luck)
        check_ending(reader, self.rules, state, reader.data["turn"])
        return state
