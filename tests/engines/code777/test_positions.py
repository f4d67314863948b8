"""Positions are read strictly: a round trip is the identity, and what cannot be is refused by its key."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.errors import BadPosition, IllegalMove, UnknownMove
from tests.engines.code777.tables import OPTIONS, SEATS, load, right_move, small_position, some_move

RACKS = [["5R", "6P", "7C"], ["2Y", "4B", "4B"], ["1G", "3K", "6G"], ["5R", "7C", "7Y"]]


def base(**changes: Any) -> dict[str, Any]:
    """A position after the first question, changed in some keys."""
    draw = ["2Y", "3K", "3K", "4B", "4B", "5R", "5R", "5K", "6P", "6P", "6G", "6G", "7C", "7C", "7Y", "7P"]
    entry = {"q": 8, "reader": 1, "answer": 6, "racks": RACKS}
    stack = [card for card in range(1, 24) if card != 8]
    position = {
        "racks": RACKS, "draw": draw, "away": [], "refills": [0, 0, 0, 0], "stack": stack, "asked": [8],
        "reader": 1, "turn": 0, "phase": "WINDOW", "done": [], "sealed": [], "question": 8, "answer": 6,
        "scores": [0, 0, 0, 0], "asked_total": 1, "log": [entry], "luck": 5,
    }  # fmt: skip
    return copy.deepcopy({**position, **changes})


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(OPTIONS), st.sampled_from(SEATS), st.integers(0, 2**32), st.integers(0, 150))
def test_a_round_trip_is_the_identity(rules: dict[str, Any], seats: int, luck: int, moves: int) -> None:
    game, rng = load(**rules, seats=seats, max_questions=20), Random(luck)
    state = game.deal(luck)
    while state.seat >= 0 and moves:
        state.play(some_move(game, state, rng, 0.6))
        moves -= 1
    data = json.loads(json.dumps(game.position(state)))
    read = game.from_position(data)

    assert game.position(read) == data
    assert all(game.view(read, seat) == game.view(state, seat) for seat in range(seats))
    assert (read.seat, read.moves()) == (state.seat, state.moves())


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SEATS), st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 60))
def test_a_log_may_begin_late(seats: int, luck: int, moves: int, cut: int) -> None:
    """Whatever is missing at its start, the rest is read, sampled from, and played on."""
    game, rng = load(seats=seats, max_questions=20), Random(luck)
    state = game.deal(luck)
    while state.seat >= 0 and moves:
        state.play(some_move(game, state, rng, 0.6))
        moves -= 1
    data = game.position(state)
    data["state"]["log"] = data["state"]["log"][cut:]
    read = game.from_position(data)

    assert game.position(read) == data
    if read.seat >= 0:
        for seat in range(seats):
            view = game.view(read, seat)
            world = game.sample(view, rng)
            assert game.view(world, seat) == view
            assert game.view(game.from_position(game.position(world)), seat) == view
        while read.seat >= 0:
            read.play(some_move(game, read, rng, 0.6))
            again = game.from_position(game.position(read))
            assert game.position(again) == game.position(read)
            if read.seat >= 0:
                move = some_move(game, read, rng, 0.6)
                read.play(move)
                again.play(move)
            assert [game.view(again, seat) for seat in range(seats)] == [
                game.view(read, seat) for seat in range(seats)
            ]


def test_keys_with_a_default_may_be_left_out() -> None:
    game = load()
    short = {
        key: value
        for key, value in base().items()
        if key not in ("away", "refills", "phase", "done", "sealed", "scores", "luck", "log")
    }

    assert game.position(game.from_position(short))["state"] == base(log=[], luck=0)


def asked(**changes: Any) -> dict[str, Any]:
    """The log's entry of the open question, changed."""
    return {**base()["log"][0], **changes}


def announced(*numbers: int) -> dict[str, Any]:
    return {"announce": list(numbers), "seat": 2, "right": False}


REFUSED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("racks: expected 4 entries", {"racks": RACKS[:3]}, {}),
    (r"racks\[1\]: expected 3 entries, got 2", {"racks": [RACKS[0], ["4B", "4B"], *RACKS[2:]]}, {}),
    (r"racks\[0\]\[2\]: expected one of the tiles 1G, 2Y", {"racks": [["5R", "6P", "7R"], *RACKS[1:]]}, {}),
    ("draw: 1G stands here once too often", {"draw": [*base()["draw"][:-1], "1G"]}, {}),
    ("away: expected a list, got 3", {"away": 3}, {}),
    (r"refills\[0\]: expected a whole number", {"refills": [-1, 0, 0, 0]}, {}),
    (r"stack\[0\]: expected a whole number from 1 to 23, got 24", {"stack": [24]}, {}),
    ("stack: question 8 is there twice", {"stack": [8]}, {}),
    ("asked: question 8 is there twice", {"asked": [8, 8], "asked_total": 2}, {}),
    ("stack: there are no question cards", {"stack": [], "asked": []}, {}),
    ("asked: is empty, but without pre_window", {"asked": []}, {}),
    ("question: expected null", {"asked": []}, {"pre_window": True}),
    ("question: expected 8, the last of `asked`, got 9", {"question": 9}, {}),
    ("question: expected 8, the last of `asked`, got None", {"question": None}, {}),
    ("answer: expected a whole number from 3 to 7, got 2", {"answer": 2}, {}),
    ("answer: question 8 is answered 6 here, got 5", {"answer": 5, "log": []}, {}),
    ("answer: expected one of LEFT, EQUAL, RIGHT", {"asked": [12], "question": 12, "stack": [8]}, {}),
    ("reader: expected a whole number from 0 to 3, got 4", {"reader": 4}, {}),
    ("reader: is missing", {"reader": ...}, {}),
    ("turn: expected 0, the lowest seat neither done nor sealed, got 1", {"turn": 1}, {}),
    ("turn: expected 1", {"turn": 2, "sealed": [[0, "PASS"]]}, {}),
    ("sealed: seat 3 is asked after seat 1", {"turn": 1, "sealed": [[0, "PASS"], [3, "PASS"]]}, {}),
    (r"sealed\[0\]: expected PASS or an announcement", {"turn": 1, "sealed": [[0, "RACK 2"]]}, {}),
    (r"sealed\[0\]: seat 0 has chosen already", {"done": [0], "sealed": [[0, "PASS"]]}, {}),
    ("done: a seat announces once", {"done": [0, 0]}, {}),
    ("turn: every seat is done or sealed", {"done": [0, 1, 2, 3]}, {}),
    ("turn: is null, but nobody has 3 points", {"turn": None}, {}),
    ("scores: seats 0 and 2 both have 3 points", {"scores": [3, 0, 3, 0]}, {}),
    (r"scores\[1\]: expected a whole number from 0 to 3, got 4", {"scores": [0, 4, 0, 0]}, {}),
    ("asked_total: expected at least 1", {"asked_total": 0}, {}),
    ("asked_total: expected a whole number from 0 to 9, got 10", {"asked_total": 10}, {"max_questions": 9}),
    ("phase: expected one of WINDOW, RACK", {"phase": "TURN"}, {}),
    ("phase: RACK is there with two seats only", {"phase": "RACK"}, {}),
    ("luck: expected a whole number", {"luck": -1}, {}),
    ("colour: unknown key", {"colour": 1}, {}),
    (r"log\[0\].answer: question 8 was answered 6, got 7", {"log": [asked(answer=7)]}, {}),
    (r"log\[0\].racks\[0\]: expected 5R, 6P, 7C by what", {"log": [asked(racks=RACKS[::-1])]}, {}),
    (r"log\[0\].reader: is missing", {"log": [{"q": 8}]}, {}),
    (r"log\[0\].extra: unknown key", {"log": [asked(extra=1)]}, {}),
    (r"log\[0\]: expected a key q, announce, refill", {"log": [{}]}, {}),
    (r"log\[0\]: the refill of rack 2 must follow", {"log": [announced(1, 2, 3)]}, {}),
    (r"log\[0\].announce: the tiles do not allow", {"log": [announced(1, 1, 3)]}, {}),
    ("reader: expected 2, who read it by the log, got 1", {"log": [asked(reader=2, answer=5)]}, {}),
    ("log: has all 1 questions, but its last one is not", {"log": [asked(q=11, answer=1)]}, {}),
    ("log: its last question is not the open one", {"log": [asked(q=11, answer=1)], "asked_total": 2}, {}),
    (r"done: expected \[\], who announced", {"done": [0], "turn": 1}, {}),
    ("answer: question 8 is answered 6 here, got 5", {"scores": [3, 0, 0, 0], "answer": 5}, {}),
    ("answer: question 8 is answered 6 here", {"scores": [3, 0, 0, 0], "answer": 5, "log": []}, {}),
    (
        "draw: with all 28 tiles it has one more than a multiple of three, got 15",
        {"draw": base()["draw"][1:], "away": ["2Y"]},
        {},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("message", "changes", "rules"), REFUSED, ids=[case[0] for case in REFUSED])
def test_what_cannot_be_is_refused_with_its_key(
    message: str, changes: dict[str, Any], rules: dict[str, Any]
) -> None:
    position = {key: value for key, value in base(**changes).items() if value is not ...}
    with pytest.raises(BadPosition, match=f"^{message}"):
        load(**rules).from_position(position)


def logged() -> dict[str, Any]:
    """A position whose log has a wrong announcement and a right one with their refills."""
    game = load()
    state = game.deal(4)
    for seat in range(4):
        state.play(right_move(game, state) if seat == 1 else 3 if seat == 2 else 0)
    position: dict[str, Any] = game.position(state)["state"]
    return position


@pytest.mark.parametrize(
    ("entry", "key", "value", "message"),
    [
        (1, "right", True, r"log\[1\].right: expected false"),
        (2, "pile", 12, r"log\[2\].pile: expected 13"),
        (4, "pile", 9, r"log\[2\].pile|draw"),
        (2, "out", ["1G", "1G", "1G"], r"log\[2\].out: the tiles do not allow"),
        (2, "refresh", 0, r"log\[2\].refresh: expected true or false"),
        (2, "refill", 7, r"log\[2\].refill: expected a whole number from 0 to 3"),
    ],
)
def test_a_log_whose_entries_do_not_follow_is_refused(entry: int, key: str, value: Any, message: str) -> None:
    position = logged()
    order = [kind for e in position["log"] for kind in ("q", "announce", "refill") if kind in e]
    assert order == ["q", "announce", "refill", "announce", "refill"]
    assert load().from_position(position)
    if (entry, key) == (1, "right"):
        value = not position["log"][1]["right"]
        message = r"log\[1\].right: expected " + str(not value).lower()
    position["log"][entry][key] = value
    with pytest.raises(BadPosition, match=message):
        load().from_position(position)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("done", [], r"done: expected \[1, 2\], who announced"),
        ("done", [2], "done"),
        ("done", [2, 1], "done"),
        ("scores", [0, 0, 0, 0], r"scores\[1\]: expected at least 1"),
        ("reader", 3, "reader: expected 2, who read it by the log, got 3"),
        ("answer", None, "answer: question"),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_what_the_log_proves_of_the_window_is_held_against_the_other_keys(
    key: str, value: Any, message: str, late: bool
) -> None:
    """Also where the log begins after the open question, as far as it goes."""
    position = logged()
    assert (position["reader"], position["done"], position["scores"]) == (2, [1, 2], [0, 1, 0, 0])
    if late:
        del position["log"][0]
        assert load().from_position(position)
        if key == "reader":
            return
    if key == "done":
        position["turn"] = min({0, 1, 2, 3} - set(value))
    position[key] = other_answer(position) if key == "answer" else value
    with pytest.raises(BadPosition, match=f"^{message}"):
        load().from_position(position)


def other_answer(position: dict[str, Any]) -> str:
    """A false answer to the comparison that is open in `logged`."""
    return next(word for word in ("LEFT", "EQUAL", "RIGHT") if word != position["answer"])


def test_with_two_seats_the_log_tells_whether_a_rack_is_to_be_chosen() -> None:
    game = load(seats=2)
    state = game.deal(2)
    state.play(right_move(game, state))
    state.play(0)
    choosing = game.position(state)["state"]
    state.play(game.parse(state, "RACK 2"))
    window = game.position(state)["state"]
    assert (choosing["phase"], window["phase"]) == ("RACK", "WINDOW")
    choosing |= {"phase": "WINDOW", "turn": 1}
    window |= {"phase": "RACK", "turn": window["reader"]}
    for position, told in ((choosing, "has"), (window, "has not")):
        with pytest.raises(BadPosition, match=f"^phase: by the log the reader {told} to choose"):
            game.from_position(position)


def test_an_answer_of_a_finished_game_is_what_its_entry_says() -> None:
    game = load(max_questions=1)
    state = game.from_position(logged())
    while state.seat >= 0:
        state.play(0)
    position = game.position(state)["state"]
    assert game.position(game.from_position(position))["state"] == position
    position["answer"] = other_answer(position)
    with pytest.raises(BadPosition, match=r"^answer: question"):
        game.from_position(position)


@pytest.mark.parametrize("change", ["away", "draw"])
def test_the_pile_must_be_what_the_last_refill_left(change: str) -> None:
    position = logged()
    moved = position["draw"].pop()
    if change == "away":
        position["away"].append(moved)
    with pytest.raises(BadPosition, match=r"^draw: expected 10 tiles"):
        load().from_position(position)


def test_what_left_racks_must_be_out_of_play() -> None:
    position = logged()
    position["draw"][0], position["away"][0] = position["away"][0], position["draw"][0]
    with pytest.raises(BadPosition, match=r"^away: expected .* which left racks since the refresh"):
        load().from_position(position)


def test_a_finished_position_reads_its_turn_as_null() -> None:
    game = load()
    state = game.from_position(base(scores=[0, 3, 0, 1], turn=2))

    assert (state.seat, state.moves()) == (-1, [])
    assert game.position(state)["state"]["turn"] is None
    assert state.outcome().reason == "won"
    assert state.outcome().places == (3, 1, 3, 2)


def test_partial_decks_are_played_on() -> None:
    """A refill that runs out of tiles goes on as with refresh=0."""
    for refresh in (0, 1, 4):
        game, rng = load(refresh=refresh, max_questions=30, target=99), Random(refresh)
        state = game.from_position(small_position(game, rng, draw=2))
        while state.seat >= 0:
            state.play(rng.choice(state.moves()))
        position = game.position(state)["state"]
        assert len(position["draw"]) + len(position["away"]) == 2
        assert all(len(rack) == 3 for rack in position["racks"])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 30) | st.sampled_from(["5R", "7P", "PASS", "LEFT", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["q", "seat"]), inner),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_anything_else_is_refused_as_a_position(data: st.DataObject) -> None:
    """Change a value anywhere in a position: it is read, or refused with BadPosition, and never breaks."""
    position = logged()
    place: Any = position
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        inner = place[key]
        if not isinstance(inner, list | dict) or not inner or data.draw(st.booleans()):
            break
        place = inner
    place[key] = data.draw(VALUES)
    game = load()
    try:
        state = game.from_position(position)
    except BadPosition:
        return
    assert game.from_position(game.position(state)).moves() == state.moves()


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="PASNOUCERK 1234567-", max_size=16))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    game = load(seats=2)
    state = game.deal(1)
    try:
        move = game.parse(state, text)
    except (UnknownMove, IllegalMove):
        return
    assert move.name == " ".join(text.split())
