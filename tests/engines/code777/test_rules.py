"""The rules CO-1 to CO-18 and the settled ambiguities, by number, in whole games and in positions."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import engines
from engines.code777 import CODES, RACKS, TILES, Code777, Kind
from engines.code777.moves import table
from engines.code777.questions import TEXTS, answer_for, answer_range
from engines.core.errors import BadRules, IllegalMove, UnknownMove
from tests.engines.code777.tables import OPTIONS, SEATS, load, random_play, right_move

MOVES_WITH_COLOURS = table(colours=True, racks=False).moves
ABOUT_PAIRS = (["7C", "7C", "7Y"], ["5R", "5R", "5R"], ["1G", "3K", "5R"])
GAMES = [
    pytest.param({**rules, "seats": seats}, id=f"{seats} {rules}") for rules in OPTIONS for seats in SEATS
]


def everything(game: Code777, position: dict[str, Any]) -> Counter[str]:
    racks = [tile for rack in position["racks"] for tile in rack]
    return Counter([*racks, *position["draw"], *position["away"]])


def test_co1_the_set_has_28_tiles_of_seven_colours_four_each() -> None:
    assert sum(tile.copies for tile in TILES) == 28
    assert all(sum(t.copies for t in TILES if t.number == k) == k for k in range(1, 8))
    assert Counter({c: sum(t.copies for t in TILES if t.colour == c) for c in "GYKBRPC"}) == dict.fromkeys(
        "GYKBRPC", 4
    )


def test_co11_there_are_251_racks_and_76_codes() -> None:
    assert (len(RACKS), len(CODES), len(TEXTS)) == (251, 76, 24)


@pytest.mark.parametrize("rules", GAMES)
def test_invariants_hold_at_every_turn(rules: dict[str, Any]) -> None:
    """I1 to I7 of the rules."""
    game = load(**rules, max_questions=70)
    full = Counter({tile.name: tile.copies for tile in TILES})
    for luck in range(2):
        scores, announced, asked, questions = [0] * game.seats, Counter[int](), 0, list[int]()
        for state in random_play(game, luck, passing=0.8):
            position = game.position(state)["state"]
            assert everything(game, position) == full  # I1
            assert all(len(rack) == 3 for rack in position["racks"])  # I2
            assert len(position["draw"]) % 3 == 1  # I3
            if position["asked_total"] != asked:
                asked = position["asked_total"]
                announced.clear()
                questions.append(position["question"])
                codes = [state.rack(place) for place in range(game.setup.racks)]
                hidden = position["reader"]
                seen = answer_for(state.question, codes, hidden, game.setup.at_least)
                codes[hidden] = RACKS[luck]
                assert seen == answer_for(state.question, codes, hidden, game.setup.at_least)  # I5
                assert state.answer == seen
            assert len(set(position["done"])) == len(position["done"])  # I4
            for seat, (before, now) in enumerate(zip(scores, position["scores"], strict=True)):
                assert now - before in (0, 1), seat  # I6
            scores = position["scores"]
        for start in range(0, len(questions) - 22, 23):
            assert sorted(questions[start : start + 23]) == list(range(1, 24))  # I7


@pytest.mark.parametrize("rules", GAMES)
def test_games_of_any_options_come_to_an_end_with_an_outcome(rules: dict[str, Any]) -> None:
    game = load(**rules, max_questions=40)
    for luck in range(3):
        *_, state = random_play(game, luck, passing=0.7)
        outcome = state.outcome()
        points = game.position(state)["state"]["scores"]
        assert outcome.reason == ("won" if max(points) == game.setup.target else "cap")
        if rules.get("payoff") == "winner":
            assert sum(outcome.scores) == pytest.approx(1)
        else:
            assert list(outcome.scores) == points


@pytest.mark.parametrize("question", range(1, 24))
def test_answers_stay_in_their_range(question: int) -> None:
    """The table of questions, over random racks of four and five."""
    rng = Random(question)
    for racks in (4, 5):
        seen = set()
        for _ in range(400):
            tiles = [int(tile) for tile in TILES for _ in range(tile.copies)]
            rng.shuffle(tiles)
            codes = [engines.code777.code_of(tiles[3 * i : 3 * i + 3]) for i in range(racks)]
            seen.add(answer_for(question, codes, 0, at_least=False))
        low, high = (0, 2) if question >= 12 else answer_range(question, racks - 1)
        assert low <= min(seen) <= max(seen) <= high


def test_co9_a_seat_is_asked_again_only_if_it_has_not_announced() -> None:
    game = load()
    state = game.deal(2)
    asked = []
    for move in (0, 4, 0, 0, 0, 0, 0):
        asked.append(state.seat)
        state.play(move)

    assert asked == [0, 1, 2, 3, 0, 2, 3]
    assert state.asked_total == 2


def test_co9_a_window_ends_when_every_seat_has_announced() -> None:
    game = load()
    state = game.deal(2)
    for _ in range(4):
        state.play(9)

    assert state.asked_total == 2
    assert game.position(state)["state"]["done"] == []


def test_co10_the_next_reader_is_to_the_left() -> None:
    game = load(seats=3)
    state = game.deal(5)
    first = state.reader
    for _ in range(3):
        state.play(0)

    assert state.reader == (first + 1) % 3


def test_co12_a_point_that_wins_ends_the_game_before_later_announcements() -> None:
    game = load(target=1)
    state = game.deal(6)
    order = [(state.reader - step) % 4 for step in range(1, 5)]
    for _ in range(4):
        state.play(right_move(game, state))

    assert state.outcome().scores == tuple(float(seat == order[0]) for seat in range(4))
    assert [e["seat"] for e in game.position(state)["state"]["log"] if "announce" in e] == [order[0]]


def test_co14_with_three_seats_a_right_announcement_empties_the_ownerless_rack() -> None:
    game = load(seats=3)
    state = game.deal(1)
    before = game.position(state)["state"]
    state.play(right_move(game, state))
    state.play(0)
    state.play(0)
    after = game.position(state)["state"]

    assert after["refills"] == [1, 0, 0, 1]
    assert sorted(after["away"]) == sorted(before["racks"][0] + before["racks"][3])


def test_co14_with_two_seats_the_reader_chooses_before_its_own_announcement_is_settled() -> None:
    game = load(seats=2)
    state = next(state for luck in range(20) if (state := game.deal(luck)).reader == 1)
    state.play(right_move(game, state))
    state.play(right_move(game, state))

    assert (state.seat, [game.table[m].name for m in state.moves()]) == (1, ["RACK 2", "RACK 3"])
    assert game.position(state)["state"]["done"] == [0]
    state.play(game.parse(state, "RACK 2"))
    assert state.seat == 1
    state.play(game.parse(state, "RACK 3"))
    assert game.position(state)["state"]["refills"] == [1, 1, 1, 1]
    assert state.asked_total == 2


def test_co16_with_refresh_0_the_last_tile_of_the_pile_stays_on_the_new_rack() -> None:
    """A56: it is drawn first, and then the tiles out of play are shuffled."""
    game = load(refresh=0)
    for luck in range(20):
        state = game.deal(luck)
        for turn in range(5):
            state.refill(turn % 4)
        last = game.position(state)["state"]["draw"]
        state.refill(2)

        assert last[0] in game.position(state)["state"]["racks"][2]
        assert game.position(state)["state"]["away"] == []


def test_co17_the_cap_ends_the_game_after_the_window_of_the_last_question() -> None:
    game = load(max_questions=2)
    state = game.deal(3)
    for _ in range(8):
        assert state.seat >= 0
        state.play(0)

    assert state.outcome() == ((0.0,) * 4, (1,) * 4, (0, 1, 2, 3), "cap")


def test_co18_winner_takes_one_and_shares_at_the_cap() -> None:
    game = load(payoff="winner", max_questions=1)
    state = game.deal(6)
    for seat in range(4):
        state.play(right_move(game, state) if seat in (1, 3) else 0)
    while state.seat >= 0:
        state.play(0)

    assert state.outcome().scores == (0.0, 0.5, 0.0, 0.5)
    assert game.stakes == (0.0, 1.0)
    assert load(target=5).stakes == (0.0, 5.0)


def test_a51_a_window_before_the_first_question_is_settled_as_if_the_first_reader_read() -> None:
    game = load(pre_window=True)
    state = game.deal(4)
    reader = state.reader
    assert (state.question, state.asked_total) == (0, 0)
    while state.asked_total == 0:
        state.play(0)

    assert state.reader == reader
    assert state.asked_total == 1


def test_a52_several_right_announcements_of_a_window_all_count_below_the_target() -> None:
    game = load()
    state = game.deal(6)
    for _ in range(4):
        state.play(right_move(game, state))

    assert game.position(state)["state"]["scores"] == [1, 1, 1, 1]


def test_a54_a_rack_can_count_for_two_questions_and_three_alike_count_as_two() -> None:
    both = [engines.code777.code_of(map(engines.code777.tile_named, names)) for names in ABOUT_PAIRS]
    counted = {question: answer_for(question, [both[0], *both], 0, at_least=False) for question in (3, 6)}

    assert counted == {3: 1, 6: 2}


def test_moves_are_ascending_named_and_of_their_kind() -> None:
    for colours, seats, count in ((False, 4, 77), (True, 4, 252), (False, 2, 79)):
        game = load(colours=colours, seats=seats)
        assert len(game.table) == count
        assert game.table[0].name == "PASS"
        assert [m.kind for m in game.table].count(Kind.ANNOUNCE) == (251 if colours else 76)
        assert all(game.by_name[m.name] is m for m in game.table)
    assert next(m for m in MOVES_WITH_COLOURS if m.name == "ANNOUNCE 5R-5R-7P").numbers == (5, 5, 7)


def test_only_the_choice_of_a_rack_is_public_when_it_is_made() -> None:
    game = load(seats=2)
    assert [m.name for m in game.table if game.public(m)] == ["RACK 2", "RACK 3"]


def test_what_is_no_move_here_is_refused_with_what_is() -> None:
    game = load(seats=2)
    state = game.deal(1)
    with pytest.raises(IllegalMove, match="seat 0 cannot play RACK 2: legal here: PASS, ANNOUNCE 1-2-2"):
        game.parse(state, "RACK 2")
    with pytest.raises(UnknownMove, match="did you mean"):
        game.parse(state, "ANNOUNCE 7-6-5")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 6}, "seats: expected 4, 2, 3 or 5, got 6"),
        ({"refresh": 2}, "refresh: expected 1, 0, 4 or 7, got 2"),
        ({"target": 0}, "target: expected a whole number from 1 on, got 0"),
        ({"colours": 1}, "colours: expected false or true, got 1"),
        ({"q2": "le"}, 'q2: expected LE or GE, got "le"'),
        ({"max_question": 9}, "max_question: unknown option"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRules, match=message):
        engines.load("code777", **options)
