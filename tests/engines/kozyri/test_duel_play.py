"""Playing a duel: who leads, illegal moves, endings, copies; DU-8 to DU-14."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engines
from engines.core.errors import GameNotOver, IllegalMove, UnknownMove
from engines.core.state import State
from engines.kozyri.duel import DuelRules, KozyriDuel
from tests.engines.kozyri.scenario import legal, played
from tests.engines.kozyri.strategies import TWO, decks, lucks, rules

CYCLE = ["LEAD KS", "BEAT KH", "LEAD AC", "TAKE", "LEAD KC", "BEAT AC", "LEAD KH", "TAKE"]
"""The shortest cycle with two ranks (D13): it ends where it began."""
HANDS = [["KS", "AS"], ["KC", "AC", "KD", "AD", "KH", "AH"]]


def start(state: dict[str, Any], **options: Any) -> tuple[KozyriDuel, Any]:
    game = KozyriDuel(DuelRules(**options))
    return game, game.from_position({"phase": "LEAD", "turn": 0, **state})


def mirrored(game: KozyriDuel, state: Any) -> Any:
    """The same state with seats exchanged, and S with H, C with D."""
    image = str.maketrans("SHDC", "HSCD")
    data = game.position(state)["state"]

    def swap(cards: list[str]) -> list[str]:
        return [card.translate(image) for card in cards]

    return game.from_position(
        data
        | {
            "hands": [swap(hand) for hand in reversed(data["hands"])],
            "pile": swap(data["pile"]),
            "dealer": 1 - data["dealer"],
            "turn": None if data["turn"] is None else 1 - data["turn"],
            "repeats": [
                [[swap(hand) for hand in reversed(hands)], 1 - turn, times]
                for hands, turn, times in data["repeats"]
            ],
        }
    )


@pytest.mark.parametrize(("after_take", "leader"), [("leader", 0), ("taker", 1)])
def test_a3_who_leads_after_a_take(after_take: str, leader: int) -> None:
    game, state = start({"hands": [["9D", "AS", "7C"], ["KD", "8C"]]}, after_take=after_take)
    played(game, state, ["LEAD 9D", "TAKE"])

    assert state.seat == leader


def test_a_game_ends_with_the_set_occurrence_of_a_lead() -> None:
    """DU-12: the second, third or fourth time, or never."""
    for repetition in (2, 3, 4):
        game, state = start({"hands": HANDS}, deck=TWO, repetition=repetition)
        played(game, state, CYCLE * (repetition - 1))

        assert state.outcome() == ((0.5, 0.5), (1, 1), (0, 1), "repetition")
        assert [entry[1:] for entry in game.position(state)["state"]["repeats"]] == [
            [0, repetition],
            [1, repetition - 1],
        ]

    game, state = start({"hands": HANDS}, deck=TWO, repetition=0)
    played(game, state, CYCLE * 5)
    assert state.seat == 0
    assert game.position(state)["state"]["repeats"] == []


def test_a_lead_on_a_pile_is_no_repetition() -> None:
    """DU-11: only leads on an empty pile count."""
    game, state = start({"hands": HANDS}, deck=TWO)
    played(game, state, CYCLE[:3])

    assert [entry[1:] for entry in game.position(state)["state"]["repeats"]] == [[0, 1]]


def test_the_cap_ends_a_game_in_a_draw_or_for_fewer_cards() -> None:
    """DU-13: counted in LEAD, BEAT and TAKE."""
    hands = [["9D", "AS", "7C", "KS"], ["KD", "8C"]]
    for cap_result, scores in (("draw", (0.5, 0.5)), ("fewest_cards", (0.0, 1.0))):
        game, state = start({"hands": hands}, cap=3, cap_result=cap_result)
        played(game, state, ["LEAD 9D", "BEAT KD"])
        assert state.seat == 1
        with pytest.raises(GameNotOver):
            state.outcome()
        played(game, state, ["LEAD 8C"])
        assert state.outcome().reason == "won"

        game, state = start({"hands": hands, "actions": 1}, cap=3, cap_result=cap_result)
        played(game, state, ["LEAD 9D", "BEAT KD"])
        assert (state.outcome().scores, state.outcome().reason) == (scores, "cap")


def test_equal_hands_at_the_cap_are_a_draw() -> None:
    game, state = start({"hands": [["9D", "AS"], ["8C"]], "actions": 2}, cap=3, cap_result="fewest_cards")
    played(game, state, ["LEAD 9D"])

    assert state.outcome() == ((0.5, 0.5), (1, 1), (0, 1), "cap")


@pytest.mark.parametrize(
    ("deck", "cap"),
    [
        ("easy", 2000),
        ("standard", 4000),
        ("advanced", 8000),
        ("cambridge", 8000),
        (("A",), 2000),
        (tuple("23456789"), 4000),
    ],
)
def test_rule_13_the_cap_follows_the_deck(deck: str | tuple[str, ...], cap: int) -> None:
    assert DuelRules(deck=deck).action_cap == cap
    assert DuelRules(deck=deck, cap=5).action_cap == 5


def test_rule_13a_an_emptied_hand_comes_before_the_cap() -> None:
    game, state = start({"hands": [["9D"], ["8C"]], "actions": 9}, cap=10)
    played(game, state, ["LEAD 9D"])

    assert state.outcome() == ((1.0, 0.0), (1, 2), (0, 1), "won")


def test_rule_13a_a_repetition_comes_before_the_cap() -> None:
    game, state = start({"hands": HANDS}, deck=TWO, cap=16)
    played(game, state, CYCLE * 2)

    assert (state.actions, state.outcome().reason) == (16, "repetition")


@settings(max_examples=40, deadline=None)
@given(rules=rules, luck=lucks, moves=st.integers(0, 60), seed=st.integers(0, 99))
def test_an_illegal_move_changes_nothing_and_says_what_is_legal(
    rules: DuelRules, luck: int, moves: int, seed: int
) -> None:
    game, rng = KozyriDuel(rules), Random(seed)
    state = game.deal(luck)
    for _ in range(moves):
        if state.seat >= 0:
            state.play(rng.choice(state.moves()))
    before, allowed = game.position(state), state.moves()

    for move in [-1, 113, 2**70, *range(113)]:
        if move in allowed:
            continue
        with pytest.raises(IllegalMove) as caught:
            state.play(move)
        assert all(game.table[i].name in str(caught.value) for i in allowed)

    assert game.position(state) == before


def test_errors_name_the_move_and_the_choice() -> None:
    game, state = start({"hands": [["9D", "AS"], ["8C", "7D"]]})

    with pytest.raises(IllegalMove, match="seat 0 cannot play LEAD 8C: legal here: LEAD AS, LEAD 9D"):
        game.parse(state, "LEAD 8C")
    with pytest.raises(UnknownMove, match="'LAED 9D' is no move of kozyri-duel: did you mean"):
        game.parse(state, "LAED 9D")


@settings(max_examples=40, deadline=None)
@given(rules=rules, luck=lucks, seed=st.integers(0, 99))
def test_a_copy_and_its_original_go_their_own_ways(rules: DuelRules, luck: int, seed: int) -> None:
    game, rng = KozyriDuel(rules), Random(seed)
    state = game.deal(luck)
    while state.seat >= 0 and rng.random() < 0.95:
        state.play(rng.choice(state.moves()))
    before = game.position(state)
    twin, other = state.copy(), state.copy()

    twin.playout(1)
    assert game.position(state) == before
    state.playout(2)
    assert game.position(other) == before
    other.playout(2)
    assert game.position(other) == game.position(state)


@settings(max_examples=40, deadline=None)
@given(rules=rules, luck=lucks, seed=lucks)
def test_a_playout_plays_uniformly_over_the_legal_moves(rules: DuelRules, luck: int, seed: int) -> None:
    """It makes the very moves that picking from `moves` would make."""
    game = KozyriDuel(rules)
    fast, slow = game.deal(luck), game.deal(luck)
    fast.playout(seed)
    State.playout(slow, seed)

    assert game.position(fast) == game.position(slow)
    assert fast.outcome() == slow.outcome()


@settings(max_examples=20, deadline=None)
@given(deck=decks, luck=lucks, seed=st.integers(0, 99), cap=st.sampled_from([5, 60, 200]))
def test_exchanging_seats_and_suits_commutes_with_every_move(
    deck: str | tuple[str, ...], luck: int, seed: int, cap: int
) -> None:
    """I7; and on the way I1, I2, I3, I5 and I6."""
    game, rng = KozyriDuel(DuelRules(deck=deck, cap=cap)), Random(seed)
    state = game.deal(luck)
    image = str.maketrans("SHDC", "HSCD")
    while state.seat >= 0:
        assert state.hand0 | state.hand1 | state.pile.mask == game.deck
        assert not state.hand0 & state.hand1 | state.pile.mask & (state.hand0 | state.hand1)
        assert state.hand0
        assert state.hand1
        mirror = mirrored(game, state)
        name = rng.choice(legal(game, state))
        kind, _, card = name.partition(" ")
        played(game, mirror, [f"{kind} {card.translate(image)}".strip()])
        played(game, state, [name])
        if name == "TAKE":
            assert state.pile.size == 0

        assert game.position(mirrored(game, state)) == game.position(mirror)
    assert mirror.outcome().scores == tuple(reversed(state.outcome().scores))


def test_games_of_52_cards_keep_the_order_of_the_pile() -> None:
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    game = engines.load("kozyri-duel", deck=ranks, cap=400)
    longest = 0
    for luck in range(10):
        state = game.deal(luck)
        pile: list[str] = []
        rng = Random(luck)
        while state.seat >= 0:
            moves = state.moves()
            move = game.table[rng.choice(moves[:-1] if len(moves) > 1 else moves)]
            pile = [] if move.name == "TAKE" else [*pile, move.card.name]
            state.play(move)
            longest = max(longest, len(pile))
            assert game.position(state)["state"]["pile"] == pile
    assert longest > 20
