"""What a seat sees: everything but its own tiles, until a right announcement shows them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engines.code777 import Announced, Asked, Phase, Refilled, tile_named
from tests.engines.code777.tables import load, random_play, right_move


def tiles(names: list[str]) -> tuple[Any, ...]:
    return tuple(sorted(map(tile_named, names)))


def test_co5_a_seat_sees_all_racks_but_its_own() -> None:
    game = load(seats=2)
    state = game.deal(1)
    racks = game.position(state)["state"]["racks"]
    view = game.view(state, 1)

    assert view.seen == (tiles(racks[0]), None, tiles(racks[2]), tiles(racks[3]))
    assert len(view.unseen) == 28 - 9


def test_co13_what_left_the_own_rack_after_a_wrong_announcement_stays_hidden() -> None:
    game = load()
    state = game.deal(6)
    before = game.position(state)["state"]["racks"]
    for move in (0, 0, 5, 0):
        state.play(move)
    own, other = game.view(state, 2), game.view(state, 0)

    assert own.own_past == (None,)
    assert own.known_away == ()
    assert other.known_away == tiles(before[2])
    assert [type(entry) for entry in own.log] == [Asked, Announced, Refilled]
    asked = own.log[0]
    assert isinstance(asked, Asked)
    assert asked.racks == (tiles(before[0]), tiles(before[1]), None, tiles(before[3]))
    assert own.log[2] == Refilled(2, None, 13, refresh=False)
    assert other.log[2] == Refilled(2, tiles(before[2]), 13, refresh=False)


def test_co15_a_right_announcement_shows_what_stood_there_also_in_earlier_entries() -> None:
    game = load()
    state = game.deal(6)
    before = game.position(state)["state"]["racks"]
    for seat in range(4):
        state.play(right_move(game, state) if seat == 2 else 0)
    view = game.view(state, 2)

    assert view.own_past == (tiles(before[2]),)
    assert view.known_away == tiles(before[2])
    asked = view.log[0]
    assert isinstance(asked, Asked)
    assert asked.racks[2] == tiles(before[2])
    assert view.seen[2] is None


def test_co17_the_winner_alone_sees_the_own_rack_at_the_end() -> None:
    game = load(target=1)
    state = game.deal(6)
    for seat in range(4):
        state.play(right_move(game, state) if seat == 2 else 0)
    views = [game.view_position(game.view(state, seat)) for seat in range(4)]

    assert [view["racks"][seat] is None for seat, view in enumerate(views)] == [True, True, False, True]
    assert views[2]["log"][0]["racks"][2] is not None
    assert views[1]["log"][0]["racks"][1] is None


def test_known_tiles_out_of_play_are_forgotten_with_a_refresh() -> None:
    game = load(refresh=7)
    state = game.deal(2)
    away = []
    for state in random_play(game, 2, passing=0.5):
        view = game.view(state, 0)
        away.append(len(view.known_away))
        assert len(view.known_away) <= view.away

    assert max(away) > 0
    assert 0 in away[away.index(max(away)) :]


def test_a_sealed_choice_is_seen_by_its_seat_alone() -> None:
    game = load()
    state = game.deal(1)
    state.play(7)
    state.play(0)
    views = [game.view_position(game.view(state, seat)) for seat in range(4)]

    assert views[0]["sealed"] == [[0, game.table[7].name], [1, None]]
    assert views[1]["sealed"] == [[0, None], [1, "PASS"]]
    assert views[3]["sealed"] == [[0, None], [1, None]]


def test_views_do_not_tell_sealed_choices_apart() -> None:
    """Whatever the seats before it chose, a seat sees the same until all are in."""
    game = load()
    one, other = game.deal(1), game.deal(1)
    for first, second in ((0, 9), (3, 0), (60, 1)):
        one.play(first)
        other.play(second)

    assert game.view(one, 3) == game.view(other, 3)
    assert game.view(one, 0) != game.view(other, 0)


def test_views_of_rack_choices_have_their_phase() -> None:
    game = load(seats=2)
    state = game.deal(1)
    state.play(right_move(game, state))
    state.play(0)

    assert game.view(state, 0).phase is Phase.RACK
    assert game.view_position(game.view(state, 0))["phase"] == "RACK"


@pytest.mark.parametrize("seat", range(4))
def test_views_made_along_the_way_equal_those_made_afresh(seat: int) -> None:
    """A state keeps what it has shown; that changes nothing."""
    game = load(max_questions=15)
    for number, state in enumerate(random_play(game, 3, passing=0.6)):
        view = game.view(state, seat)
        if number % 9 == 0:
            text = json.dumps(game.position(state))
            assert game.view(game.from_position(json.loads(text)), seat) == view


def test_copies_do_not_share_what_was_shown() -> None:
    game, rng = load(), Random(1)
    state = game.deal(3)
    for _ in range(30):
        twin = state.copy()
        game.view(state, 1)
        twin.play(rng.choice(twin.moves()))
        state.play(rng.choice(state.moves()))
        for each in (state, twin):
            assert game.view(each, 1) == game.view(game.from_position(game.position(each)), 1)
