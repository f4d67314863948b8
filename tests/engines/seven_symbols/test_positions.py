"""Positions: written and read back unchanged, and refused by the key that cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.errors import BadPosition
from tests.engines.seven_symbols.tables import load, midway, play, position

RULES: list[dict[str, Any]] = [
    {},
    {"seats": 3},
    {"scoring": "simple"},
    {"deals": 1},
    {"seats": 3, "deals": 2},
]
KEYS = [
    "hands", "display", "trick", "leader", "first_leader", "turn", "phase", "given", "received",
    "tricks", "symbols", "points", "deal", "played", "luck",
]  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 2**53 - 1), st.integers(0, 250))
def test_positions_keep_the_state_and_what_seats_know(rules: dict[str, Any], luck: int, moves: int) -> None:
    game = load(**rules)
    state = midway(game, luck, moves)
    data = game.position(state)
    read = game.from_position(json.loads(json.dumps(data)))

    assert list(data["state"]) == KEYS
    assert data["rules"] == rules
    assert game.position(read) == data
    assert read.moves() == state.moves()
    for seat in range(game.seats):
        view = game.view(state, seat)
        assert game.view(read, seat) == view
        assert list(game.view_position(view)) == [*KEYS[:-1], "sizes", "voids", "known"]
        assert json.loads(json.dumps(game.view_position(view))) == game.view_position(view)


def test_a_position_that_started_in_the_middle_keeps_the_voids_shown_since() -> None:
    """The tricks before are not on record; those since tell who has shown what."""
    game = load()
    hands = ["9G 8V 2R", "5B 12V 3R", "6G 11V 4R", "10G 10V 5R"]
    data = position(hands, tricks=[5, 4], symbols=[2, 3])
    state = play(game, game.from_position(data), "9G 5B 6G 10G 10V")
    read = game.from_position(game.position(state))

    assert game.view(state, 0).voids == (0, 1 << 3, 0, 0)
    assert game.view(read, 0) == game.view(state, 0)


def test_what_may_be_left_out() -> None:
    """Defaults: no gifts on record, counts 0, the first deal, nothing played but the open trick."""
    game = load(seats=3)
    data = position(["4G", "5G 6G", "7G 8G"], trick=[[0, "9G"]], turn=1)
    written = game.position(game.from_position(data))["state"]

    assert written == data | {
        "phase": "PLAY", "given": [[], [], []], "received": [[], [], []], "tricks": [0, 0, 0],
        "symbols": [0, 0, 0], "points": [0, 0, 0], "deal": 1, "played": ["9G"], "luck": 0,
    }  # fmt: skip


def test_a_seat_to_move_in_a_finished_position_is_read_as_none() -> None:
    game = load()
    data = position(
        ["9G", "4G", "6G", "8G"], tricks=[5, 4], symbols=[4, 1], points=[9, 2], turn=2, leader=None
    )
    state = game.from_position(data)

    assert (state.seat, state.moves()) == (-1, [])
    assert game.position(state)["state"]["turn"] is None
    assert state.outcome().scores == (9, 2, 9, 2)


GIVING = {"phase": "GIVE"}
GIFTS: dict[str, list[list[str]]] = {
    "given": [["5G", "AR", "3O"], ["6G", "7B", "10G"], ["4G", "9G", "2R"]],
    "received": [["4G", "9G", "2R"], ["5G", "AR", "3O"], ["6G", "7B", "10G"]],
}
THREE = ["4G 9G 2R", "5G AR 3O", "6G 7B 10G"]
TABLE = {"trick": [[0, "9G"], [1, "10G"], [2, "8O"]], "played": ["9G", "10G", "8O"]}
ALL_GIVEN = [["2O", "3Y", "4Y"], ["5Y", "6Y", "7Y"], ["8Y", "9Y", "6O"]]
REFUSED: list[tuple[str, list[str], dict[str, Any]]] = [
    ("hands", THREE[:2], {}),
    ("hands[1]", ["4G", "1G", "6G"], {}),
    ("hands[1]", ["4G", "4G", "6G"], {}),
    ("hands", ["4G 9G", "5G", "6G"], {}),
    ("hands", ["", "", ""], {}),
    ("display", THREE, {"display": "7Z"}),
    ("display", THREE, {"display": "4G"}),
    ("trick[0]", ["4G", "5G 8O", "6G 7B"], {"trick": [[1, "9G"]], "turn": 1}),
    ("trick[0]", ["4G", "5G 8O", "6G 7B"], {"trick": [[3, "9G"]], "turn": 1}),
    ("trick", ["4G", "5G", "6G"], TABLE),
    ("played", ["4G", "4O 5G", "6G 7G"], {"trick": [[0, "4G"]], "turn": 1}),
    ("hands[1]", ["4G", "5G", "6G 7G"], {"trick": [[0, "9G"], [1, "3O"]], "turn": 2}),
    ("leader", THREE, {"leader": 3}),
    ("leader", THREE, {"leader": None}),
    ("leader", THREE, GIVING | {"leader": 1}),
    ("leader", THREE, {"played": ["9Y", "8Y", "6Y"], "tricks": [1, 0, 0], "leader": 1, "turn": 1}),
    ("first_leader", THREE, {"first_leader": -1}),
    ("turn", THREE, {"turn": 1}),
    ("turn", THREE, {"turn": None}),
    ("turn", THREE, {"turn": 5}),
    ("phase", THREE, {"phase": "LEAD"}),
    ("given[0]", THREE, GIVING | {"given": [["5G", "6O"], [], []], "turn": 1}),
    ("given[0]", ["4G 9G", "5G AR", "6G 7B"], GIVING | {"given": [["5G"], [], []]}),
    ("given[1]", THREE, GIVING | {"given": [[], ["8O"], []]}),
    ("given[2]", THREE, GIVING | {"given": ALL_GIVEN, "turn": 2}),
    ("given[1]", THREE, GIFTS | {"given": [*GIFTS["given"][:1], [], GIFTS["given"][2]]}),
    ("received[0]", THREE, GIFTS | {"received": [["4G", "9G", "3R"], *GIFTS["received"][1:]]}),
    ("received[1]", THREE, GIFTS | {"received": [[], [], []]}),
    ("received[1]", ["4G 9G 2R", "5G AR 4O", "6G 7B 10G"], GIFTS),
    ("received", THREE, GIVING | {"received": [["4G"], [], []]}),
    ("hands[1]", ["4G 9G", "5G AR", "6G 7B"], GIVING | {"given": [["2R", "3R", "4R"], [], []], "turn": 1}),
    ("hands", ["4G 9G 2R 3R", "5G AR 3O", "6G 7B 10G"], GIVING),
    ("trick", THREE, GIVING | {"trick": [[0, "8O"]], "played": ["8O"]}),
    ("played", THREE, GIVING | {"played": ["8O"]}),
    ("tricks", THREE, GIVING | {"tricks": [1, 0, 0]}),
    ("symbols", THREE, GIVING | {"symbols": [1, 0, 0]}),
    ("tricks", THREE, {"tricks": [1, 0]}),
    ("tricks[0]", THREE, {"tricks": [7, 0, 0]}),
    ("tricks[1]", THREE, {"tricks": [0, "1", 0]}),
    ("tricks", THREE, {"tricks": [5, 5, 4]}),
    ("tricks", THREE, {"played": ["9Y", "8Y", "6Y"]}),
    ("tricks[0]", THREE, {"played": ["9Y", "8Y", "6Y"], "tricks": [0, 1, 0]}),
    ("symbols[0]", THREE, {"tricks": [2, 2, 2], "symbols": [3, 0, 0]}),
    ("symbols[2]", THREE, {"tricks": [2, 2, 0], "symbols": [0, 0, 1]}),
    ("symbols[0]", THREE, {"played": ["9Y", "7Y", "6Y"], "tricks": [1, 0, 0]}),
    ("symbols", ["7G", "7B", "7I"], {"display": "7V", "tricks": [2] * 3, "symbols": [2, 2, 0]}),
    ("points[0]", THREE, {"points": [-1, 0, 0]}),
    ("deal", THREE, {"deal": 0}),
    ("played", THREE, {"played": ["4G", "8G", "5B"], "tricks": [1, 0, 0]}),
    ("played", THREE, {"played": ["8G", "5B"], "tricks": [1, 0, 0]}),
    ("played", THREE, {"played": ["10Y", "5B", "6B"], "tricks": [1, 0, 0]}),
    ("played", THREE, {"played": ["9Y", "8Y", "2O", "8O", "4O", "7Y"], "tricks": [2, 0, 0]}),
    ("luck", THREE, {"luck": 2**53}),
    ("luck", THREE, {"luck": 0.5}),
    ("sizes", THREE, {"sizes": [3, 3, 3]}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "hands", "changes"), REFUSED, ids=[f"{i}-{case[0]}" for i, case in enumerate(REFUSED)]
)
def test_what_cannot_be_is_refused_by_its_key(key: str, hands: list[str], changes: dict[str, Any]) -> None:
    game = load(seats=3)
    with pytest.raises(BadPosition) as refusal:
        game.from_position(position(hands, **changes))

    assert str(refusal.value).startswith((f"{key}:", f"{key}["))


def test_a_match_that_is_over_has_no_open_trick_and_one_that_is_not_has_a_turn() -> None:
    game = load(deals=2)
    ended = position(["9G", "4G", "6G", "8G"], tricks=[5, 6], symbols=[3, 4], turn=None)

    assert game.from_position(ended | {"deal": 2}).seat == -1
    with pytest.raises(BadPosition, match="turn: is null, but the match is not over: deal 1 of 2"):
        game.from_position(ended)
    with pytest.raises(BadPosition, match="symbols"):
        game.from_position(ended | {"turn": 0})
    with pytest.raises(BadPosition, match="deal: expected 1 to 2"):
        game.from_position(ended | {"deal": 3})
    with pytest.raises(BadPosition, match="trick"):
        load().from_position(
            position(["", "4G", "6G", "8G"], trick=[[0, "9G"]], turn=1, points=[7, 0], tricks=[1, 0])
        )


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_broken_position_is_refused_or_stays_as_it_is(data: st.DataObject) -> None:
    """Any one key changed to any other value: read back as written, or BadPosition with a key."""
    rules = data.draw(st.sampled_from(RULES))
    game = load(**rules)
    state = midway(game, data.draw(st.integers(0, 999)), data.draw(st.integers(0, 120)))
    other = midway(game, data.draw(st.integers(0, 999)), data.draw(st.integers(0, 120)))
    broken = game.position(state)["state"]
    key = data.draw(st.sampled_from(KEYS))
    broken[key] = data.draw(
        st.one_of(
            st.just(game.position(other)["state"][key]),
            st.none(), st.integers(-2, 60), st.text(max_size=3), st.lists(st.integers(-1, 9), max_size=4),
            st.lists(st.lists(st.sampled_from(["AR", "7G", "8V"]), max_size=3), min_size=3, max_size=4),
        )
    )  # fmt: skip
    try:
        read = game.from_position(broken)
    except BadPosition as refusal:
        assert str(refusal).split(":")[0].split("[")[0] in KEYS  # noqa: PT017 - either outcome is right
        return
    again = game.from_position(game.position(read))
    assert game.position(again) == game.position(read)
    for seat in range(game.seats):
        assert game.view(again, seat) == game.view(read, seat)


@pytest.mark.parametrize("display", [None, "7Z", 7])
def test_a_display_that_is_no_card_is_named_as_it_is_written(display: object) -> None:
    with pytest.raises(BadPosition, match=r"^display: "):
        load(seats=3).from_position(position(THREE, display=display))
