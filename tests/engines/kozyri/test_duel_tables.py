"""The exact values of the duel with one, two and three ranks."""

from __future__ import annotations

import functools
import json
from math import comb
from random import Random

import pytest

import engines
from engines.kozyri.common import SUITS, card_named, mask_of
from engines.kozyri.duel_state import LEAD, DuelState
from tests.engines.kozyri.scenario import DATA
from tests.engines.kozyri.solver import LOSS, WIN, Solver

RANKS = {1: ("A",), 2: ("K", "A"), 3: ("Q", "K", "A")}
WINNING = json.loads((DATA / "scenarios" / "duel_winning_leads.json").read_text(encoding="utf-8"))


@functools.cache
def solved(ranks: int) -> Solver:
    return Solver(RANKS[ranks])


def hands(ranks: int, number: int) -> tuple[int, int]:
    """Deal `number`: bit i says whether card i of S low to high, then C low to high, is in A (DU-4)."""
    own = [card_named(rank + suit) for suit in "SC" for rank in RANKS[ranks]]
    image = {"S": "H", "C": "D"}
    laid = [
        card if number >> i & 1 else card_named(card.name[:-1] + image[card.suit])
        for i, card in enumerate(own)
    ]
    deck = mask_of(card_named(rank + suit) for rank in RANKS[ranks] for suit in SUITS)
    return mask_of(laid), deck ^ mask_of(laid)


@pytest.mark.parametrize(("ranks", "won", "lost"), [(1, 10, 4), (2, 159, 95), (3, 2426, 1668)])
def test_x1_every_lead_on_an_empty_pile_is_won_or_lost(ranks: int, won: int, lost: int) -> None:
    for seat in (0, 1):
        values = solved(ranks).leads_of(seat)

        assert (values.count(WIN), values.count(LOSS), len(values)) == (won, lost, won + lost)


@pytest.mark.parametrize(
    ("ranks", "number"), [(ranks, number) for ranks in (2, 3) for number in range(4**ranks)]
)
def test_x2_and_x3_all_winning_first_leads(ranks: int, number: int) -> None:
    winning = solved(ranks).winning(0, hands(ranks, number))

    assert set(WINNING[str(ranks)][str(number)]) == set(winning)


@pytest.mark.parametrize(("ranks", "percent"), [(1, 50.0), (2, 78.6), (3, 84.8)])
def test_the_leader_wins_this_share_of_deals(ranks: int, percent: float) -> None:
    """Weighted by DU-5, the law of the deal."""
    won = 0
    for number in range(4**ranks):
        if solved(ranks).winning(0, hands(ranks, number)):
            won += comb(2 * ranks, 2 * ranks - number.bit_count())

    assert percent == round(100 * won / comb(4 * ranks, 2 * ranks), 1)


def test_the_states_of_the_engine_have_the_values_of_the_tables() -> None:
    """Along random games, the value of a state is that of the best state which one move leads to."""
    game = engines.load("kozyri-duel", deck=RANKS[2], repetition=0)
    solver = solved(2)
    rng = Random(3)

    def value(state: DuelState, seat: int) -> int:
        """The value for `seat`, which may not be the seat to move."""
        if state.seat < 0:
            return WIN if state.outcome().scores[seat] else LOSS
        here = solver.index((state.hand0, state.hand1), state.pile.mask)
        if state.phase == LEAD:
            found = int(solver.lead[state.seat][here])
        else:
            top = next(i for i, card in enumerate(solver.cards) if card == state.pile.top)
            found = int(solver.respond[state.seat][top][here])
        return found if seat == state.seat else -found

    for luck in range(60):
        state = game.deal(luck)
        while state.seat >= 0 and state.actions < 60:
            seat, children = int(state.seat), []
            for move in state.moves():
                child = state.copy()
                child.play(move)
                children.append(value(child, seat))

            assert value(state, seat) == max(children)
            state.play(rng.choice(state.moves()))
