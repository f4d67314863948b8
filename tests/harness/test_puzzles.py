"""The problems of configs/puzzles.jsonl have the one solution that is said of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.core.bits import indices
from engines.kozyri.common import RANKS, mask_of
from engines.kozyri.duel import DuelRules, Kind, KozyriDuel
from tests.engines.kozyri.solver import LOSS, PILE, WIN, Solver

FILE = Path(__file__).parents[2] / "configs" / "puzzles.jsonl"
PROBLEMS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SOLUTIONS = [
    "LEAD AD", "LEAD AC", "LEAD QC", "LEAD KD", "LEAD QH", "LEAD KH", "TAKE", "BEAT QH",
]  # fmt: skip
GAME = KozyriDuel(DuelRules())


@pytest.fixture(scope="module")
def solvers() -> dict[int, Solver]:
    """By how many ranks the deck has."""
    return {count: Solver(RANKS[-count:]) for count in (2, 3)}


@pytest.mark.parametrize("number", range(len(SOLUTIONS)))
def test_a_puzzle_is_won_by_its_solution_alone(solvers: dict[int, Solver], number: int) -> None:
    state = GAME.from_position(PROBLEMS[number])
    view = GAME.view(state, 0)
    seat, pile = int(state.seat), mask_of(view.order)
    cards = len(indices(view.hand_masks[0] | view.hand_masks[1] | pile))
    solver = solvers[cards // 4]
    here = solver.index(view.hand_masks, pile)
    winning = []
    for move in map(GAME.table.__getitem__, state.moves()):
        if move.kind is Kind.TAKE:
            won = solver.lead[1 - seat][solver.taken[seat][here]] == LOSS
        else:
            card = solver.cards.index(move.card)
            after = here + (PILE - seat) * solver.power[card]
            led = move.kind is Kind.LEAD
            won = solver.respond[1 - seat][card][after] == LOSS if led else solver.lead[seat][after] == WIN
        if won:
            winning.append(move.name)

    assert winning == [SOLUTIONS[number]]
    assert len(state.moves()) >= 3
