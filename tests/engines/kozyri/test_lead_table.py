"""Leads on the empty pile solved backwards, and what `solve` makes of the table of them."""

from __future__ import annotations

import functools
from random import Random
from typing import Any

import pytest

import engines
from engines.kozyri.common import names_of
from engines.kozyri.duel import KozyriDuel
from engines.kozyri.duel_proof import Proofs, decide, known_leads, solve
from engines.kozyri.duel_state import DuelState
from engines.kozyri.known_leads import DRAWN, LOST, NEVER, place
from engines.kozyri.lead_layers import MOST
from engines.kozyri.lead_table import packed, six_ranks, solved
from engines.kozyri.proof_search import PROVED, REFUTED
from tests.engines.kozyri.solver import WIN
from tests.engines.kozyri.test_duel_proof import LEADS, lead, played_on
from tests.engines.kozyri.test_duel_tables import RANKS
from tests.engines.kozyri.test_duel_tables import solved as swept


@functools.cache
def takes(ranks: int) -> list[list[int]]:
    return solved(ranks).takes


@functools.cache
def small_table(ranks: int) -> bytes:
    return packed(takes(ranks), ranks)


def duel(ranks: int, **rules: Any) -> KozyriDuel:
    game = engines.load("kozyri-duel", deck=RANKS[ranks], **rules)
    assert isinstance(game, KozyriDuel)
    return game


def some_hand(game: KozyriDuel, rng: Random) -> int:
    """A hand with at least one card and not all."""
    cards = list(game.law.deck)
    return sum(1 << card for card in rng.sample(cards, rng.randrange(1, len(cards))))


def random_position(game: KozyriDuel, rng: Random, plies: int) -> DuelState:
    """Some moves after a lead of seat 0 on the empty pile, the game not over."""
    while True:
        mine = some_hand(game, rng)
        state = lead(game, mine, sum(1 << card for card in game.law.deck) ^ mine)
        for _ in range(rng.randrange(plies + 1)):
            if state.seat >= 0:
                state.play(rng.choice(state.moves()))
        if state.seat >= 0:
            return state


@pytest.mark.parametrize("ranks", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_layers_hold_as_many_leads_as_appendix_x_says(ranks: int) -> None:
    """Nobody can draw with up to four ranks: what the leader does not win the other does."""
    table = small_table(ranks)
    counted = [0, 0, 0]
    for hand in range(1, (1 << 4 * ranks) - 1):
        own, theirs, third, fourth = (hand >> ranks * suit & (1 << ranks) - 1 for suit in range(4))
        byte = table[place(own, theirs, third, fourth, ranks)]
        counted[2 if byte == DRAWN else byte >= LOST] += 1

    assert counted == [*LEADS[ranks], 0]


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_each_lead_has_the_value_of_the_sweep_over_all_positions(ranks: int) -> None:
    solver = swept(ranks)
    game = duel(ranks)
    for number in range(1, (1 << 4 * ranks) - 1, 7 if ranks == 3 else 1):
        mine = sum(1 << card for i, card in enumerate(game.law.deck) if number >> i & 1)
        hands = mine, sum(1 << card for card in game.law.deck) ^ mine

        # Suits are in the order S H D C, trumps S and H: the first hand is the attacker's.
        assert (takes(ranks)[0][number] <= MOST) == (solver.lead[0][solver.index(hands)] == WIN)
        assert (takes(ranks)[1][number] <= MOST) == (solver.lead[1][solver.index(hands)] != WIN)


@pytest.mark.parametrize("ranks", [2, 3])
def test_the_takes_are_the_fewest_that_the_search_without_a_table_finds(ranks: int) -> None:
    rng = Random(ranks)
    game = duel(ranks)
    for _ in range(30):
        state = random_position(game, rng, plies=8)

        assert Proofs(state, small_table(ranks)).winner(state, None) == Proofs(state).winner(state, None)


def test_the_line_by_a_table_wins_within_the_moves_that_are_told() -> None:
    rng = Random(4)
    game = duel(3)
    for _ in range(40):
        state = random_position(game, rng, plies=8)
        proofs = Proofs(state, small_table(3))
        found = decide(proofs, state, None)
        assert found is not None
        winner, least, depth = found

        line = list(proofs.line(state, winner, least))

        for move in line:
            state.play(move)
        assert state.outcome().scores[winner] == 1.0
        assert len(line) <= depth


def test_who_wins_by_a_table_wins_against_any_play_where_leads_must_not_come_again() -> None:
    """Repetition 2: each lead once. The play is proved anew, with the leads that have been."""
    rng = Random(9)
    game = duel(3, repetition=2)
    for _ in range(12):
        state = random_position(game, rng, plies=4)
        winner = None
        while state.seat >= 0:
            proofs = Proofs(state, small_table(3))
            found = proofs.winner(state, 20_000)
            assert found is not None
            assert winner in {None, found[0]}
            winner = found[0]
            if winner < 0:
                break
            chosen = proofs.next_move(state, *found) if state.seat == winner else rng.choice(state.moves())
            state.play(chosen)
        assert winner is not None
        assert state.seat >= 0 or state.outcome().scores[winner] == 1.0


def test_barred_leads_mean_the_same_with_a_table_as_without() -> None:
    """Some leads have been there twice already; proofs that are found within the nodes agree."""
    rng = Random(6)
    game = duel(2)
    everything = sum(1 << card for card in game.law.deck)
    values = set()
    for _ in range(60):
        state = random_position(game, rng, plies=3)
        for _ in range(rng.randrange(1, 12)):
            state.leads[2 * some_hand(game, rng) + rng.randrange(2)] = 2
        plain, tabled = Proofs(state), Proofs(state, small_table(2))
        assert plain.forbidden
        assert everything == state.hand0 | state.hand1 | state.pile.mask

        known, found = plain.winner(state, 20_000), tabled.winner(state, 20_000)

        assert known is not None
        assert found is not None
        assert known == found
        values.add(found[0])
    assert values == {-1, 0, 1}


@pytest.mark.parametrize("luck", range(3))
def test_every_entry_of_the_shipped_table_follows_from_others(luck: int) -> None:
    """By the play down to the next leads, with other code than has made it; here for a random few.

    A win with t takes comes by leads with fewer takes, or as many and fewer cards: if all entries follow
    from others, all are true.
    """
    state = engines.load("kozyri-duel", deck="easy").deal(1)
    attack = Proofs(state, six_ranks()).attacks[luck % 2]
    rng = Random(luck)
    for _ in range(8):
        kind, mine = rng.choice([0, 2]), rng.randrange(1, (1 << 24) - 1)
        other = (1 << 24) - 1 ^ mine
        needed = int(attack.known.takes(kind, mine))

        if needed < NEVER:
            assert attack.derived(kind, mine, other, needed) == PROVED
        if needed:
            assert attack.derived(kind, mine, other, min(needed - 1, MOST)) == REFUTED


def test_a_whole_easy_deal_is_solved_at_once_and_its_line_wins() -> None:
    game = engines.load("kozyri-duel", deck="easy")
    for luck in range(3):
        state = game.deal(luck)

        solution = solve(state, nodes=20_000)

        expected = [0.5, 0.5]
        if solution.value != "draw":
            winner = state.seat if solution.value == "win" else 1 - state.seat
            expected = [float(seat == winner) for seat in (0, 1)]
            assert played_on(state, solution) == expected
        assert len(solution.line) <= solution.depth


@pytest.mark.parametrize(("names", "fits"), [(("9", "10", "J", "Q", "K", "A"), True), (RANKS[3], False)])
def test_the_table_is_for_six_ranks_whatever_they_are(names: tuple[str, ...], fits: bool) -> None:
    others = ("2", "4", "5", "7", "9", "J")

    assert bool(known_leads(engines.load("kozyri-duel", deck=names).deal(0))) == fits
    assert known_leads(engines.load("kozyri-duel", deck=others).deal(0))
    assert not known_leads(engines.load("kozyri-duel", deck=others, after_take="taker").deal(0))


def test_the_trumps_may_be_any_suits() -> None:
    game = engines.load("kozyri-duel", deck=RANKS[2], suits="chosen")
    assert isinstance(game, KozyriDuel)
    rng = Random(2)
    everything = sum(1 << card for card in game.law.deck)
    for _ in range(20):
        mine = some_hand(game, rng)
        suits = rng.sample("SHDC", 4)
        state = game.from_position(
            {
                "hands": [names_of(mine), names_of(everything ^ mine)],
                "trumps": suits[:2],
                "seconds": suits[2:],
                "dealer": 0,
                "turn": rng.randrange(2),
                "phase": "LEAD",
            }
        )

        assert Proofs(state, small_table(2)).winner(state, None) == Proofs(state).winner(state, None)
