"""Playing the classic game and Hund: invariants, options, endings and payoffs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.errors import GameNotOver, IllegalMove
from engines.core.game import Outcome
from engines.core.state import State
from engines.kozyri.classic import ClassicRules, KozyriClassic
from engines.kozyri.common import Kind, card_named, mask_of, names_of
from engines.kozyri.hund import Hund, HundRules, next_dealer
from tests.engines.kozyri.scenario import legal, played
from tests.engines.kozyri.tables import classic_rules, games, hund_rules, lucks, seeds, walk

SUITS = ["S", "H", "D", "C"]
QUEEN = card_named("QC")


def classic(state: dict[str, Any], **options: Any) -> tuple[KozyriClassic, Any]:
    game = KozyriClassic(ClassicRules(**options))
    start = {"trumps": SUITS[: game.seats], "dealer": 0, "turn": 0, "phase": "TURN"}
    return game, game.from_position(start | state)


def hund(state: dict[str, Any], **options: Any) -> tuple[Hund, Any]:
    game = Hund(HundRules(**options))
    return game, game.from_position({"trumps": None, "dealer": 0, "turn": 0, "phase": "TURN"} | state)


def hands(state: Any) -> list[int]:
    return [state.hand(seat) for seat in range(state.seats)]


# -- invariants (3.6, 4.4) -----------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(game=games, luck=lucks, seed=seeds)
def test_cards_are_somewhere_and_only_once_and_seats_without_are_out(game: Any, luck: int, seed: int) -> None:
    """CL I1 and I6, HU I1: hands and pile are the deck, every seat that is in holds a card."""
    deck = len(game.law.deck)
    for state, _ in walk(game, luck, seed):
        cards = sum(mask.bit_count() for mask in hands(state)) + state.pile.size
        undealt = game.phases[state.phase] == "TRUMP"

        assert cards == (0 if undealt else deck)
        assert state.deck().bit_count() == cards
        assert state.pile.mask == mask_of(state.pile.order())
        if not undealt:
            assert [seat for seat in range(game.seats) if not state.hand(seat)] == sorted(state.out())
        assert all(state.known(seat) & ~state.hand(seat) == 0 for seat in range(game.seats))
        assert state.seat not in state.out()


@settings(max_examples=30, deadline=None)
@given(rules=classic_rules, luck=lucks)
def test_every_seat_starts_with_the_six_of_its_trumps_known_to_all(rules: ClassicRules, luck: int) -> None:
    """CL I2, and CL-5: nothing else is known of a fresh deal."""
    game = KozyriClassic(rules)
    state = game.deal(luck)
    while game.phases[state.phase] == "TRUMP":
        state.play(Random(luck).choice(state.moves()))

    for seat, suit in enumerate(state.trump_suits()):
        assert names_of(state.known(seat)) == [f"6{SUITS[suit]}"]
    assert len(set(state.trump_suits())) == game.seats


@settings(max_examples=40, deadline=None)
@given(rules=classic_rules, luck=lucks, seed=seeds)
def test_a_take_is_offered_exactly_where_there_is_a_card_to_beat(
    rules: ClassicRules, luck: int, seed: int
) -> None:
    """CL I3 to I5: one TAKE k; a free lead comes directly after an exit by a beat; two cards a turn."""
    game = KozyriClassic(rules)
    before: tuple[Kind | None, int, int] = (None, 0, 0)
    laid = 0
    for state, move in walk(game, luck, seed):
        if move is None:
            break
        kinds = [game.table[m].kind for m in state.moves()]
        faces = game.phases[state.phase] == "TURN" and state.pile.size > 0 and not state.free
        assert kinds.count(Kind.TAKE) == int(faces)
        assert (Kind.LEAD in kinds) == (
            game.phases[state.phase] == "TURN" and (state.pile.size == 0 or state.free)
        )
        kind, seat, gone = before
        assert state.free == (kind is Kind.BEAT and gone < state.gone)
        if state.free:
            assert state.pile.size > 1
        if seat != state.seat:
            laid = 0
        laid += game.table[move].kind in (Kind.LEAD, Kind.BEAT, Kind.FREE)
        assert laid <= 2 or state.active.bit_count() == 1
        before = (game.table[move].kind, int(state.seat), int(state.gone))


@settings(max_examples=50, deadline=None)
@given(rules=hund_rules, luck=lucks, seed=seeds)
def test_trumps_come_with_the_queen_of_clubs(rules: HundRules, luck: int, seed: int) -> None:
    """HU I2, I3, I5: no Queen in the pile before, then a suit for each active seat; takes are whole."""
    game = Hund(rules)
    table: tuple[int, ...] | None = None
    for state, move in walk(game, luck, seed):
        suits = state.trump_suits()
        if max(suits) < 0:
            assert not state.pile.mask >> QUEEN & 1
        elif table is None:
            table = suits
            given = [suit for suit in suits if suit >= 0]
            assert len(set(given)) == len(given)
            assert all(suits[seat] >= 0 for seat in range(4) if state.active >> seat & 1)
        if table is not None:
            assert suits == table
        if move is not None and game.table[move].kind is Kind.TAKE:
            pile, seat = state.pile.mask, state.seat
            twin = state.copy()
            twin.play(move)
            assert (twin.pile.size, twin.hand(seat) & pile, twin.known(seat) & pile) == (0, pile, pile)


@pytest.mark.parametrize(("followup", "most"), [("opening", 2), ("beat_only", 2), ("always", 3)])
def test_a_turn_of_hund_plays_two_cards_or_three_where_the_queen_is_always_followed(
    followup: str, most: int
) -> None:
    """HU I4."""
    game = Hund(HundRules(queen_followup=followup, cap=400))
    longest = 0
    for luck in range(25):
        run, last = 0, -1
        for state, move in walk(game, luck, luck):
            if move is None:
                break
            run = run + 1 if state.seat == last else 1
            last = -1 if game.table[move].kind in (Kind.TAKE, Kind.PASS) else state.seat
            longest = max(longest, run if last >= 0 else 0)

    assert longest == most


@settings(max_examples=40, deadline=None)
@given(game=games, luck=lucks, seed=seeds)
def test_a_deal_ends_with_one_seat_in_or_at_the_cap(game: Any, luck: int, seed: int) -> None:
    """HU I6, CL-11, CL-12."""
    *_, (state, _) = walk(game, luck, seed)
    outcome = state.outcome()

    if outcome.reason == "cap":
        assert state.actions == game.rules.cap
        assert len(state.out()) < game.seats - 1
    else:
        assert len(state.out()) == game.seats - 1
        assert outcome.reason == "won" or game.name == "kozyri-classic"


@settings(max_examples=30, deadline=None)
@given(game=games, luck=lucks, seed=lucks)
def test_a_playout_draws_as_if_it_asked_for_the_legal_moves(game: Any, luck: int, seed: int) -> None:
    fast, plain = game.deal(luck), game.deal(luck)
    fast.playout(seed)
    State.playout(plain, seed)

    assert game.position(fast) == game.position(plain)


def test_an_illegal_move_is_refused_with_what_is_legal() -> None:
    game, state = classic({"hands": [["7S", "9C"], ["8D"], ["9D"], ["KC"]], "pile": ["JD", "QD"]})
    with pytest.raises(IllegalMove, match=r"seat 0 cannot play TAKE 3: legal here: BEAT 7S, TAKE 2"):
        state.play(next(int(move) for move in game.table if move.name == "TAKE 3"))
    with pytest.raises(GameNotOver, match="seat 0 is to move"):
        state.outcome()


# -- the classic game ----------------------------------------------------------------------------------


def test_trumps_are_chosen_clockwise_from_the_dealer_before_the_deal() -> None:
    """CL-2: with three seats one suit stays nobody's; choices do not count towards the cap."""
    game = KozyriClassic(ClassicRules(seats=3, trumps="chosen"))
    state = game.deal(4)
    dealer = state.dealer
    assert (state.seat, legal(game, state)) == (dealer, ["TRUMP S", "TRUMP H", "TRUMP D", "TRUMP C"])
    assert game.view(state, 0).hand == ()

    played(game, state, ["TRUMP D", "TRUMP C"])
    assert legal(game, state) == ["TRUMP S", "TRUMP H"]
    played(game, state, ["TRUMP H"])

    view = game.view(state, dealer)
    assert view.trump == "D"
    assert view.trumps[(dealer + 1) % 3] == "C"
    assert (state.seat, state.actions, len(view.hand)) == ((dealer + 1) % 3, 0, view.sizes[dealer])
    assert "6D" in [str(card) for card in view.hand]


def test_the_luck_of_a_position_deals_the_cards_after_the_choice() -> None:
    game = KozyriClassic(ClassicRules(trumps="chosen"))
    choices = ["TRUMP C", "TRUMP D", "TRUMP H", "TRUMP S"]
    written = game.position(game.deal(99))

    first = played(game, game.from_position(written), choices)
    second = played(game, game.deal(99), choices)
    other = played(game, game.from_position({**written["state"], "luck": 98}), choices)

    assert game.position(first) == game.position(second)
    assert hands(first) != hands(other)


@pytest.mark.parametrize(
    ("last", "moves", "options", "reason"),
    [
        (["9D"], ["BEAT KD", "FREE 8D"], {}, "draw"),  # C11
        (["9D", "7C"], ["BEAT KD", "FREE 8D"], {}, "won"),
        (["7D"], ["BEAT KD", "FREE 8D"], {}, "won"),
        (["6H"], ["BEAT KD", "FREE 8D"], {}, "draw"),
        (["7D"], ["BEAT KD", "FREE 8D"], {"draw_requires_beat": False}, "won"),
        (["9D"], ["BEAT KD", "FREE 8D"], {"draw_requires_beat": False}, "draw"),
    ],
)
def test_cl11_one_card_that_beats_the_last_one_is_a_draw(
    last: list[str], moves: list[str], options: dict[str, Any], reason: str
) -> None:
    game, state = classic({"hands": [["KD", "8D"], last], "pile": ["QD"]}, seats=2, **options)

    assert played(game, state, moves).outcome().reason == reason


@pytest.mark.parametrize(
    ("needs_beat", "last", "reason"),
    [(True, ["AS"], "won"), (False, ["AS"], "draw"), (False, ["AS", "7S"], "won"), (True, ["AD"], "draw")],
)
def test_a20_the_last_card_after_an_exit_by_beating(needs_beat: bool, last: list[str], reason: str) -> None:
    """CL-10 sets `free` also where one seat is left; a position keeps what follows from it."""
    options = {"draw_requires_beat": needs_beat, "seats": 2}
    game, state = classic({"hands": [["KD"], last], "pile": ["QD"]}, **options)
    played(game, state, ["BEAT KD"])
    written = game.position(state)

    assert written["state"]["free"] is True
    assert state.outcome().reason == reason
    assert game.from_position(written).outcome() == state.outcome()


def test_a20_a_lead_is_no_exit_by_beating() -> None:
    game, state = classic({"hands": [["KD"], ["AS"]]}, draw_requires_beat=False, seats=2)
    played(game, state, ["LEAD KD"])

    assert (state.free, state.outcome().reason) == (False, "won")


@pytest.mark.parametrize(
    ("hand", "payoff", "scores", "places"),
    [
        (["9D", "AS"], "loser", (0.5, -1.0, 0.5), (1, 3, 1)),
        (["9D", "AS"], "order", (1.0, 0.0, 2.0), (2, 3, 1)),
        (["AD"], "loser", (0.0, 0.0, 0.0), (1, 1, 1)),
        (["AD"], "order", (0.5, 0.5, 2.0), (2, 2, 1)),
    ],
)
def test_cl13_what_each_seat_gets(
    hand: list[str], payoff: str, scores: tuple[float, ...], places: tuple[int, ...]
) -> None:
    """The last two in a draw share the mean of the points that are left."""
    state = {"hands": [["KD"], hand, []], "pile": ["QD"], "out": [2]}
    game, state_ = classic(state, seats=3, payoff=payoff)
    outcome = played(game, state_, ["BEAT KD"]).outcome()

    assert (outcome.scores, outcome.places) == (scores, places)


def test_cl13_all_that_are_in_at_the_cap_share_the_mean() -> None:
    state = {"hands": [["KD"], ["7S", "8S"], ["9D", "9S"], []], "pile": ["QD"], "out": [3], "actions": 8}
    game, by_order = classic(state, payoff="order", cap=9)
    _, by_loser = classic(state, cap=9)

    assert played(game, by_order, ["BEAT KD"]).outcome() == (
        (2.0, 0.5, 0.5, 3.0),
        (2, 3, 3, 1),
        (0, 1, 2, 3),
        "cap",
    )
    assert played(game, by_loser, ["BEAT KD"]).outcome().scores == (0.0,) * 4


def test_an_exit_comes_before_the_cap() -> None:
    game, state = classic({"hands": [["KD"], ["7S"]], "pile": ["QD"], "actions": 8}, seats=2, cap=9)

    assert played(game, state, ["BEAT KD"]).outcome().reason == "won"


# -- Hund ----------------------------------------------------------------------------------------------


LEAD = {"hands": [["QC", "4S", "5S"], ["2D"], ["3D"], ["4D"]]}
BEAT = LEAD | {"pile": ["9C"]}
FREE = {"hands": [["QC", "9H", "4S", "5S"], ["2D"], ["3D"], ["4D"]], "pile": ["8H"]}


@pytest.mark.parametrize("second", ["may", "must"])
@pytest.mark.parametrize(
    ("state", "moves", "follows"),
    [
        (LEAD, ["LEAD QC"], {"opening": True, "always": True, "beat_only": False}),
        (BEAT, ["BEAT QC"], {"opening": True, "always": True, "beat_only": True}),
        (LEAD | {"pile": ["9H"]}, ["QUEEN"], {"opening": True, "always": True, "beat_only": True}),
        (FREE, ["BEAT 9H", "FREE QC"], {"opening": False, "always": True, "beat_only": False}),
    ],
)
def test_hu9_when_a_card_must_follow_the_first_queen(
    second: str, state: dict[str, Any], moves: list[str], follows: dict[str, bool]
) -> None:
    for followup, more in follows.items():
        game, table = hund(state, queen_followup=followup, second=second)
        played(game, table, moves)
        written = game.position(table)["state"]

        assert written["trumps"] == ["C", "S", "H", "D"]
        assert (written["phase"], table.seat) == (("QUEEN", 0) if more else ("TURN", 1))
        if more:
            assert legal(game, table) == ["FREE 4S", "FREE 5S"]
            played(game, table, ["FREE 5S"])
        assert (table.seat, table.pile.size) == (1, len(written["pile"]) + more)


def test_hu9_a_queen_taken_up_is_an_ordinary_card() -> None:
    game, state = hund({**BEAT, "trumps": ["S", "H", "D", "C"]})
    played(game, state, ["BEAT QC"])

    assert legal(game, state) == ["FREE 4S", "FREE 5S", "PASS"]


@pytest.mark.parametrize(
    ("by", "out", "player", "trumps"),
    [
        ("active", [2], 1, ["H", "C", None, "S"]),
        ("seats", [2], 1, ["D", "C", "S", "H"]),
        ("active", [2, 3], 1, ["S", "C", None, None]),
        ("active", [0], 3, [None, "S", "H", "C"]),
        ("seats", [0, 1], 3, ["S", "H", "D", "C"]),
    ],
)
def test_a36_trumps_where_seats_are_out(
    by: str, out: list[int], player: int, trumps: list[str | None]
) -> None:
    given = [[] if seat in out else [f"{seat + 3}S", f"{seat + 3}D"] for seat in range(4)]
    given[player] = ["QC", "2H"]
    game, state = hund({"hands": given, "pile": ["9H"], "out": out, "turn": player}, queen_trumps=by)
    played(game, state, ["QUEEN"])
    written = game.position(state)

    assert written["state"]["trumps"] == trumps
    assert game.position(game.from_position(written)) == written


def test_a35_the_queen_as_last_card_goes_out_and_leaves_trumps_behind() -> None:
    game, state = hund({"hands": [["QC"], [], ["2D"], []], "out": [1, 3]})
    played(game, state, ["LEAD QC"])

    assert state.outcome() == ((1 / 3, 1 / 3, -1.0, 1 / 3), (1, 1, 4, 1), (0, 1, 2, 3), "won")
    assert game.position(state)["state"]["trumps"] == ["C", None, "S", None]


def test_hu13_points_by_the_order_of_going_out() -> None:
    state = {"hands": [["KH"], ["AH"], [], []], "pile": ["9H"], "out": [3, 2]}
    game, table = hund(state, payoff="order")

    assert played(game, table, ["BEAT KH"]).outcome().scores == (1.0, 0.0, 2.0, 3.0)


def test_hu13_the_dealer_moves_clockwise_whoever_lost() -> None:
    for loser in range(4):
        scores = tuple(-1.0 if seat == loser else 1 / 3 for seat in range(4))
        outcome = Outcome(scores, (1, 1, 1, 4), (0, 1, 2, 3), "won")

        assert [next_dealer(dealer, outcome) for dealer in range(4)] == [1, 2, 3, 0]


def test_hu2_hu4_thirteen_cards_each_and_the_two_of_clubs_starts() -> None:
    dealers, starters = set(), set()
    game = Hund(HundRules())
    for luck in range(80):
        state = game.deal(luck)
        dealers.add(state.dealer)
        starters.add(state.seat)

        assert state.sizes() == (13, 13, 13, 13)
        assert legal(game, state) == ["LEAD 2C"]
        assert [names_of(mask) for mask in state.public_hands()][state.seat] == ["2C"]
    assert dealers == starters == {0, 1, 2, 3}


@given(st.integers(0, 2**53 - 1))
@settings(max_examples=20, deadline=None)
def test_equal_luck_gives_equal_deals_whatever_the_options(luck: int) -> None:
    one, other = Hund(HundRules()), Hund(HundRules(second="must", payoff="order", cap=9))

    assert one.position(one.deal(luck))["state"] == other.position(other.deal(luck))["state"]
