"""The rules that hold in every match, by their numbers."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engines
from engines.core.errors import BadRules, GameNotOver, IllegalMove, UnknownMove
from engines.core.game import Outcome
from engines.seven_symbols import CARDS, MOVES, SHERMAN, SYMBOLS, Card, Kind, SevenState, card_named
from tests.engines.seven_symbols.tables import load, midway, play, position
from tests.engines.uniformity import assert_uniform

LUCKS = st.integers(0, 2**53 - 1)


def test_sy1_seven_staggered_colours_of_seven_ranks() -> None:
    assert len({card.name for card in CARDS}) == 49
    for colour in range(7):
        ranks = [card.rank for card in CARDS if card.suit == colour]
        assert ranks == list(range(colour + 1, colour + 8))
    assert (SHERMAN.name, SHERMAN.rank, SHERMAN.colour) == ("AR", 1, "R")
    assert Card(48) is CARDS[48] is card_named("13V")


def test_sy2_the_symbols_are_the_sevens() -> None:
    assert [card.name for card in SYMBOLS] == ["7R", "7O", "7Y", "7G", "7B", "7I", "7V"]


def test_moves_are_in_canonical_order() -> None:
    assert [move.name for move in MOVES[:3]] == ["GIVE AR", "GIVE 2R", "GIVE 3R"]
    assert [move.name for move in MOVES[-2:]] == ["PLAY 12V", "PLAY 13V"]
    assert all(MOVES[i] == i and MOVES[i].card == i % 49 for i in range(98))
    assert MOVES[49].kind is Kind.PLAY


@pytest.mark.parametrize(("seats", "size"), [(4, 12), (3, 16)])
def test_sy4_all_49_cards_are_dealt(seats: int, size: int) -> None:
    game = load(seats=seats)
    for luck in range(50):
        state = game.deal(luck)
        hands = [int(state.hand(seat)) for seat in range(seats)]

        assert [hand.bit_count() for hand in hands] == [size] * seats
        assert sum(hands) + (1 << state.display) == (1 << 49) - 1


def test_sy3_and_sy4_leaders_displays_and_holders_are_uniform() -> None:
    """The first leader, the display card, and who holds the Sherman, over 6,000 deals."""
    game = load()
    states = [game.deal(luck) for luck in range(6000)]

    assert_uniform([state.first_leader for state in states], range(4))
    assert_uniform([state.display for state in states], range(49))
    holders = [[s for s in range(4) if state.hand(s) & 1] for state in states if state.display != 0]
    assert_uniform([holder[0] for holder in holders], range(4))


@pytest.mark.parametrize(("seats", "to"), [(4, [2, 3, 0, 1]), (3, [1, 2, 0])])
def test_sy6_gifts_go_to_the_partner_or_to_the_left(seats: int, to: list[int]) -> None:
    game = load(seats=seats)
    state = midway(game, 5, 3 * seats)
    written = game.position(state)["state"]

    assert written["phase"] == "PLAY"
    for giver in range(seats):
        assert written["received"][to[giver]] == written["given"][giver]
        assert set(written["given"][giver]) <= set(written["hands"][to[giver]])


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([3, 4]), LUCKS)
def test_sy11_how_deals_end(seats: int, luck: int) -> None:
    """One winner always; the values of SY-12 and SY-13; E3 only 4-3 or 3-2-2 with a symbol displayed."""
    game = load(seats=seats, deals=1)
    state, rng = game.deal(luck), Random(luck)
    while state.seat >= 0:
        state.play(rng.choice(state.moves()))
    end, goal = game.position(state)["state"], 4 if seats == 4 else 3
    points, symbols, tricks = end["points"], end["symbols"], end["tricks"]
    winner = points.index(max(points))
    by_tricks = 7 in tricks and symbols[tricks.index(7)] < goal

    assert symbols[winner] >= goal
    assert 2 <= points[winner] <= 8
    assert sum(symbol >= goal for symbol in symbols) == 1
    if by_tricks:
        loser = tricks.index(7)
        assert sum(symbols) == 7
        assert points[loser] == 0
        if seats == 4:
            assert points[winner] == 8 - 2 * symbols[loser]
        else:
            assert winner == (loser + 2) % 3
            assert points[(loser + 1) % 3] == (points[winner] + 1) // 2
            assert points[winner] == symbols[winner] - symbols[loser] + 1
    else:
        second = max(symbols[:winner] + symbols[winner + 1 :])
        assert points[winner] == symbols[winner] - second + 1
        assert sum(points) == points[winner]
        if seats == 3:
            assert points[winner] <= 6
    display_won = sum(symbols) == 7 and CARDS[state.display].symbol
    if not any(end["hands"]) and not by_tricks and display_won:
        assert sorted(symbols) == ([3, 4] if seats == 4 else [2, 2, 3])
        assert points[winner] == 2


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([(3, "normal", 10), (4, "normal", 7), (3, "simple", 4), (4, "simple", 3)]), LUCKS)
def test_sy17_a_match_has_a_bounded_number_of_deals(case: tuple[int, str, int], luck: int) -> None:
    seats, scoring, most = case
    game = load(seats=seats, scoring=scoring)
    state, leaders, rng = game.deal(luck), [], Random(luck)
    while state.seat >= 0:
        if state.phase == 0 and state.gifts == 0:
            leaders.append(state.first_leader)
        state.play(rng.choice(state.moves()))

    assert state.number == len(leaders) <= most
    assert leaders == [(leaders[0] + deal) % seats for deal in range(len(leaders))]
    outcome = state.outcome()
    assert max(outcome.scores) >= game.rules.target  # type: ignore[attr-defined]  # SevenRules
    assert outcome.reason == "won"


def test_exactly_so_many_deals() -> None:
    """With `deals` a match goes on beyond `win_at`, and equal totals of all sides are a draw."""
    game = load(deals=6, scoring="simple")
    reasons = set()
    for luck in range(40):
        state = game.deal(luck)
        state.playout(luck)
        assert state.number == 6
        assert sum(state.outcome().scores) == 12
        reasons.add((state.outcome().reason, state.outcome().places[0] == state.outcome().places[1]))

    assert reasons == {("won", False), ("draw", True)}


@pytest.mark.parametrize(
    ("hands", "extra", "names"),
    [
        (["9G", "4G", "6G"], {"tricks": [5, 5, 5], "symbols": [1, 1, 1]}, "9G 4G 6G"),
        (["9G 2O", "4G 3O", "6G 4O"], {"tricks": [6, 4, 4], "symbols": [1, 1, 0]}, "9G 4G 6G"),
    ],
    ids=["hands out", "seventh trick"],
)
def test_a_partial_deck_that_nobody_wins_scores_nothing(
    hands: list[str], extra: dict[str, Any], names: str
) -> None:
    """Nobody gets to three symbols; the next deal uses all 49 cards."""
    for scoring in ("normal", "simple"):
        game = load(seats=3, scoring=scoring)
        state = play(game, game.from_position(position(hands, **extra)), names)
        written = game.position(state)["state"]

        assert written["points"] == [0, 0, 0]
        assert (written["deal"], written["phase"], written["first_leader"]) == (2, "GIVE", 1)
        assert sum(map(len, written["hands"])) == 48


# --- luck -------------------------------------------------------------------------------------------


def test_the_second_deal_does_not_depend_on_how_the_first_was_played() -> None:
    game = load(deals=2)
    seconds = set()
    for seed in range(5):
        state, rng = game.deal(99), Random(seed)
        while state.number == 1:
            state.play(rng.choice(state.moves()))
        seconds.add((state.hand(0), state.hand(1), state.hand(2), state.hand(3), state.display, state.leader))

    assert len(seconds) == 1


def test_deals_and_lucks_differ() -> None:
    game = load(deals=3)
    dealt = []
    for luck in (0, 1, 2**53 - 1):
        state = game.deal(luck)
        dealt.append(int(state.hand(0)))
        while state.number < 3:
            number = state.number
            while state.number == number:
                state.play(state.moves()[0])
            dealt.append(int(state.hand(0)))

    assert len(set(dealt)) == 9


def test_a_position_deals_on_by_its_luck() -> None:
    game = load()
    start = position(["9G", "4G", "6G", "8G"], tricks=[5, 6], symbols=[3, 3], display="7V")
    nexts = [play(game, game.from_position(start | {"luck": luck}), "9G 4G 6G 8G") for luck in (5, 5, 6)]
    hands = [[int(state.hand(seat)) for seat in range(4)] for state in nexts]

    assert hands[0] == hands[1] != hands[2]


@pytest.mark.parametrize("luck", [-1, 2**53])
def test_luck_out_of_range_is_refused(luck: int) -> None:
    with pytest.raises(ValueError, match="luck"):
        load().deal(luck)


# --- the contract -----------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([{}, {"seats": 3}, {"deals": 2}]), LUCKS, st.integers(0, 60))
def test_a_playout_ends_by_legal_moves(rules: dict[str, Any], luck: int, moves: int) -> None:
    """The end is a finished position of this game, and a function of the playout's luck."""
    game = load(**rules)
    start = midway(game, luck, moves)
    ends = [start.copy() for _ in range(3)]
    for state, seed in zip(ends, (7, 7, 8), strict=True):
        state.playout(seed)
        assert state.seat == -1
        assert state.moves() == []
        assert game.position(game.from_position(game.position(state))) == game.position(state)

    assert game.position(ends[0]) == game.position(ends[1])


def test_playouts_choose_uniformly() -> None:
    """Three seats with three cards each that they may freely play: all 27 first tricks are as likely."""
    game = load(seats=3, deals=1)
    start = game.from_position(position(["2R 3R 4R", "5G 6G 8G", "2O 3O 4O"]))
    firsts = []
    for luck in range(2000):
        state = start.copy()
        state.playout(luck)
        played = game.view(state, 0).played
        firsts.append(tuple(sorted(played[:3])))

    assert_uniform(
        firsts, {tuple(sorted((r, g, o))) for r in (1, 2, 3) for g in (22, 23, 25) for o in (7, 8, 9)}
    )


def test_a_move_that_is_not_legal_says_what_is() -> None:
    game = load()
    state = play(game, game.from_position(position(["4G 2R", "9G AR", "6G 5R", "8G 3O"])), "4G")

    with pytest.raises(IllegalMove, match="seat 1 cannot play PLAY AR: legal here: PLAY 9G"):
        state.play(game.by_name["PLAY AR"])
    with pytest.raises(IllegalMove, match="seat 1 cannot play GIVE 9G"):
        state.play(game.by_name["GIVE 9G"])
    with pytest.raises(UnknownMove, match="PASS"):
        game.parse(state, "PASS")
    with pytest.raises(GameNotOver, match="seat 1"):
        state.outcome()


def test_options() -> None:
    """`win_at` is 7, with simple scoring 2; written only where it differs."""
    assert load().stakes == (0.0, 7.0)
    assert load(scoring="simple").stakes == (0.0, 2.0)
    assert load(scoring="simple", win_at=7).stakes == (0.0, 7.0)
    assert load(win_at=7).rules == load().rules
    assert load(scoring="simple", win_at=2).rules.changed() == {"scoring": "simple"}
    assert load(deals=3, seats=3).rules.changed() == {"seats": 3, "deals": 3}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seats": 2}, "seats: expected 4 or 3"),
        ({"scoring": "double"}, "scoring: expected normal or simple"),
        ({"win_at": 0}, "win_at: expected"),
        ({"deals": 0}, "deals: expected until_won or a whole number from 1"),
        ({"deals": True}, "deals: expected"),
        ({"refresh": 1}, "refresh: unknown option"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRules, match=words):
        engines.load("seven-symbols", **options)


def test_scores_and_places_of_teams() -> None:
    game = load()
    state: SevenState = game.from_position(
        position(["9G", "4G", "6G", "8G"], tricks=[5, 6], symbols=[3, 3], points=[5, 6], display="7V")
    )
    play(game, state, "9G 4G 6G 8G")

    assert state.outcome() == Outcome((7, 6, 7, 6), (1, 2, 1, 2), (0, 1, 0, 1), "won")
