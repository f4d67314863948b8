"""What `solve` says about duels, beside the values that a sweep over all positions finds."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest

import engines
from engines.core.solution import Solution, Undecided
from engines.kozyri.common import cards_of, names_of
from engines.kozyri.duel import KozyriDuel
from engines.kozyri.duel_proof import Proofs
from engines.kozyri.duel_state import DuelState
from tests.engines.kozyri.solver import LOSS, WIN
from tests.engines.kozyri.test_duel_tables import RANKS, WINNING, hands, solved

LEADS = {1: (10, 4), 2: (159, 95), 3: (2426, 1668), 4: (37002, 28532)}


def duel(ranks: tuple[str, ...], **rules: Any) -> KozyriDuel:
    game = engines.load("kozyri-duel", deck=ranks, **rules)
    assert isinstance(game, KozyriDuel)
    return game


def lead(game: KozyriDuel, mine: int, other: int, **more: Any) -> DuelState:
    """An empty-pile lead of seat 0."""
    return game.from_position(
        {"hands": [names_of(mine), names_of(other)], "dealer": 0, "turn": 0, "phase": "LEAD", **more}
    )


def played_on(state: DuelState, solution: Solution) -> list[float]:
    """The scores after the line of a solution."""
    after = state.copy()
    for move in solution.line:
        after.play(move)
    return list(after.outcome().scores)


def counts(ranks: tuple[str, ...]) -> tuple[int, int]:
    """How many empty-pile leads of seat 0 are won and lost, by one set of proofs."""
    game = duel(ranks)
    cards = list(game.law.deck)
    everything = sum(1 << card for card in cards)
    proofs = None
    found = [0, 0]
    for number in range(1, (1 << len(cards)) - 1):
        mine = sum(1 << card for i, card in enumerate(cards) if number >> i & 1)
        state = lead(game, mine, everything ^ mine)
        proofs = proofs or Proofs(state)
        decided = proofs.winner(state, None)
        assert decided is not None
        found[decided[0]] += 1
    return found[0], found[1]


@pytest.mark.parametrize("ranks", [1, 2])
def test_x1_all_leads_on_an_empty_pile(ranks: int) -> None:
    assert counts(RANKS[ranks]) == LEADS[ranks]


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [3, 4])
def test_x1_all_leads_on_an_empty_pile_of_the_larger_decks(ranks: int) -> None:
    assert counts(("J", "Q", "K", "A")[-ranks:]) == LEADS[ranks]


@pytest.mark.parametrize(
    ("ranks", "number"),
    [(2, number) for number in range(16)]
    + [pytest.param(3, n, marks=[] if n % 8 == 1 else pytest.mark.slow) for n in range(64)],
)
def test_x2_and_x3_all_winning_first_leads(ranks: int, number: int) -> None:
    game = duel(RANKS[ranks])
    state = lead(game, *hands(ranks, number))

    solution = game.solve(state, every=True)

    winning = WINNING[str(ranks)][str(number)]
    assert solution.value == ("win" if winning else "loss")
    expected = {f"LEAD {card}" for card in winning} or {game.table[m].name for m in state.moves()}
    assert {move.name for move in solution.best or ()} == expected
    assert played_on(state, solution) == ([1.0, 0.0] if winning else [0.0, 1.0])
    assert len(solution.line) == solution.depth


def test_positions_with_a_pile_have_the_values_of_the_sweep() -> None:
    game = duel(RANKS[3], repetition=0)
    rng = Random(8)
    solver = solved(3)
    seen = 0
    while seen < 20:
        state = game.deal(rng.randrange(1000))
        for _ in range(rng.randrange(2, 14)):
            if state.seat >= 0:
                state.play(rng.choice(state.moves()))
        if state.seat < 0:
            continue
        seen += 1
        here = solver.index((state.hand0, state.hand1), state.pile.mask)
        if state.phase == 0:
            value = int(solver.lead[state.seat][here])
        else:
            top = [int(card) for card in solver.cards].index(state.pile.top)
            value = int(solver.respond[state.seat][top][here])

        solution = game.solve(state)

        assert {"win": WIN, "loss": LOSS}[solution.value] == value


@pytest.mark.parametrize("after_take", ["leader", "taker"])
@pytest.mark.parametrize("repetition", [0, 2, 3])
def test_the_one_who_wins_by_the_proof_wins_against_any_play(after_take: str, repetition: int) -> None:
    game = duel(("Q", "K", "A"), after_take=after_take, repetition=repetition)
    rng = Random(1)
    ended = set()
    decided_deals = 0
    for luck in range(200):
        state = game.deal(luck)
        while state.seat >= 0 and min(int(state.hand0).bit_count(), int(state.hand1).bit_count()) > 2:
            state.play(rng.choice(state.moves()))
        if state.seat < 0:
            continue
        proofs = Proofs(state)
        decided = proofs.winner(state, 400)
        if decided is None or decided[0] < 0:
            continue
        winner = decided[0]
        decided_deals += 1
        if decided_deals > 8:
            break
        while state.seat >= 0:
            if state.seat == winner:
                if not proofs.fits(state):
                    proofs = Proofs(state)
                fresh = proofs.winner(state, 3000)
                assert fresh is not None
                assert fresh[0] == winner
                move = proofs.next_move(state, *fresh)
            else:
                move = rng.choice(state.moves())
            state.play(move)
        ended.add((state.outcome().reason, state.outcome().scores[winner]))

    assert ended == {("won", 1.0)}


def test_values_by_exhaustion_agree_where_repetition_and_the_taker_lead_matter() -> None:
    """Small games with a short cap are searched whole, by the engine's own moves."""
    for after_take, repetition in itertools.product(("leader", "taker"), (2, 3)):
        game = duel(("K", "A"), after_take=after_take, repetition=repetition, cap=9)
        for luck in range(4):
            state = game.deal(luck)
            exact = exhausted(state, {})
            try:
                value = game.solve(state, nodes=1000).value
            except Undecided:
                continue
            if value != "draw":
                assert value == {1.0: "win", 0.0: "loss", 0.5: "draw"}[exact]


def exhausted(state: DuelState, known: dict[Any, float]) -> float:
    """The score of the seat to move, by trying everything."""
    table = state.phase, state.pile.mask, state.pile.top
    key = (state.seat, state.hand0, state.actions, *table, state.lead_counts())
    if key not in known:
        best = 0.0
        for move in state.moves():
            after = state.copy()
            after.play(move)
            if after.seat < 0:
                score = after.outcome().scores[state.seat]
            else:
                score = exhausted(after, known)
                score = score if after.seat == state.seat else 1.0 - score
            best = max(best, score)
            if best == 1.0:
                break
        known[key] = best
    return known[key]


def test_a_lead_that_was_there_before_is_no_way_to_win() -> None:
    """D16: only LEAD AD wins; where the lead that follows it has been there twice, that is a draw."""
    game = duel(("K", "A"))
    mine, other = ["KC", "KH", "AH", "AD"], ["KD", "KS", "AS", "AC"]
    after = [["KC", "KH", "AH"], ["KD", "KS", "AS", "AC", "AD"]]
    base = {"hands": [mine, other], "dealer": 0, "turn": 0, "phase": "LEAD"}
    free = game.from_position(base)
    barred = game.from_position({**base, "repeats": [[after, 0, 2], [[mine, other], 0, 1]]})

    assert game.solve(free).value == "win"
    assert game.solve(barred, nodes=2000).value != "win"


def test_a_proof_that_the_cap_may_cut_short_is_no_proof() -> None:
    game = duel(RANKS[2], cap=6)
    state = lead(game, *hands(2, 4))

    with pytest.raises(Undecided, match="cap leaves 6"):
        game.solve(state)


def test_too_few_nodes_are_said_to_be_too_few() -> None:
    game = duel(("7", "8", "9", "10", "J", "Q", "K", "A"))

    with pytest.raises(Undecided, match="not decided within"):
        game.solve(game.deal(1), nodes=200)


def test_the_hands_of_a_line_are_those_of_the_deck() -> None:
    game = duel(RANKS[2])
    state = lead(game, *hands(2, 4))

    names = [move.name for move in game.solve(state).line]

    assert names == ["LEAD AD", "TAKE", "LEAD KH", "TAKE", "LEAD AH", "TAKE", "LEAD KC"]
    assert len(cards_of(state.hand0)) == 4


@pytest.mark.parametrize("deck", ["easy", "standard", "advanced"])
def test_an_ending_is_solved_in_every_deck(deck: str) -> None:
    """The cards of D16 in the hands, all others of the deck on the pile; whoever takes gets many."""
    game = engines.load("kozyri-duel", deck=deck)
    assert isinstance(game, KozyriDuel)
    mine, other = ["KC", "AH"], ["KD", "AS"]
    rest = [name for name in names_of(game.deck) if name not in (*mine, *other, "QD", "JD")]
    state = game.from_position(
        {"hands": [mine, other], "pile": [*rest, "JD", "QD"], "dealer": 0, "turn": 1, "phase": "RESPOND"}
    )

    solution = game.solve(state, nodes=100_000)

    assert solution.value == "win"
    assert played_on(state, solution) == [0.0, 1.0]
