"""`sample` draws whole worlds by the law of the deal, given all that a view proves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from math import sqrt
from random import Random
from typing import Any

import pytest

from engines.code777 import Code777
from tests.engines.code777.filtering import Filter, World
from tests.engines.code777.tables import load, random_play, small_position, some_move
from tests.engines.uniformity import BOUND, assert_uniform


def assert_follows(drawn: list[Any], law: Mapping[Any, float]) -> None:
    """Every draw is possible, and no world comes too often or too seldom (p > 1e-6)."""
    counts: Counter[Hashable] = Counter(drawn)
    assert set(counts) <= set(law)
    statistic, cells, rare, rare_seen = 0.0, 0, 0.0, 0
    for world, chance in law.items():
        expected = chance * len(drawn)
        if expected < 5:
            rare += expected
            rare_seen += counts[world]
            continue
        statistic += (counts[world] - expected) ** 2 / expected
        cells += 1
    if rare >= 5:
        statistic += (rare_seen - rare) ** 2 / rare
        cells += 1
    freedom = cells - 1
    if freedom > 0:
        spread = 2 / (9 * freedom)
        assert statistic < freedom * (1 - spread + BOUND * sqrt(spread)) ** 3
    assert cells > 0


def world_of(game: Code777, state: Any, seat: int) -> World:
    """A state as a world of the seat, with the own racks that it was not shown when they left or later."""
    position = game.position(state)["state"]
    own = tuple(sorted(position["racks"][seat]))
    past = tuple(tuple(sorted(e["out"])) for e in position["log"] if e.get("refill") == seat)
    return World(own, tuple(sorted(position["draw"])), tuple(sorted(position["away"])), past)


@pytest.mark.parametrize(
    ("rules", "draw", "away"),
    [
        ({"seats": 4}, 4, 0),
        ({"seats": 2}, 4, 0),
        ({"seats": 3, "refresh": 4}, 4, 1),
        ({"seats": 2, "refresh": 0}, 4, 0),
        ({"seats": 4, "refresh": 0}, 1, 3),
        ({"seats": 2, "colours": True}, 1, 3),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_worlds_come_as_often_as_enumeration_says(
    rules: dict[str, Any], draw: int, away: int, seed: int
) -> None:
    """Own rack, own former racks, pile and tiles out of play, jointly; also across refreshes."""
    game, rng = load(**rules, target=9), Random(seed)
    start = small_position(game, rng, draw, away)
    state = game.from_position(start)
    while state.refills(0) < 2:
        state.play(5 if state.seat == 0 else some_move(game, state, rng, 0.8))
    view = game.view(state, 0)
    law = Filter(game, start, 0, game.view_position(view)).law()
    worlds = [world_of(game, game.sample(view, rng), 0) for _ in range(1500)]

    assert_follows(worlds, law)
    assert world_of(game, state, 0) in law


def test_sealed_choices_of_others_are_uniform_over_their_legal_moves() -> None:
    game, rng = load(), Random(1)
    state = game.deal(4)
    state.play(3)
    view = game.view(state, 1)
    drawn = [game.sample(view, rng).choice(0) for _ in range(77 * 15)]

    assert_uniform(drawn, range(77))
    assert game.sample(game.view(state, 0), rng).choice(0) == 3


def test_an_unsettled_announcement_is_no_pass() -> None:
    """While a rack is chosen the other seat knows that the reader has announced, not what."""
    game = load(seats=2)
    state = next(state for state in random_play(game, 8, passing=0.2) if state.phase == 1 and state.sealed)
    other = 1 - state.reader
    view = game.view(state, other)
    drawn = [game.sample(view, Random(seed)).choice(state.reader) for seed in range(76 * 15)]

    assert view.sealed == (state.reader,)
    assert view.choice == -1
    assert_uniform(drawn, range(1, 77))


def test_the_question_stack_is_any_order_of_the_cards_not_asked() -> None:
    game, rng = load(), Random(2)
    position = game.position(game.deal(3))["state"]
    position["stack"] = position["stack"][:3]
    state = game.from_position(position)
    drawn = [
        tuple(game.position(game.sample(game.view(state, 2), rng))["state"]["stack"]) for _ in range(300)
    ]

    assert_uniform(
        drawn,
        [
            (a, b, c)
            for a in position["stack"]
            for b in position["stack"]
            for c in position["stack"]
            if len({a, b, c}) == 3
        ],
    )


def test_the_luck_of_a_sampled_world_is_its_own() -> None:
    game, rng = load(), Random(3)
    view = game.view(game.deal(3), 2)

    assert len({game.sample(view, rng).luck for _ in range(20)}) == 20


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_long_game_is_sampled_with_its_whole_past(seats: int) -> None:
    """After dozens of own wrong announcements and refreshes the world still fits every view of the seat."""
    game = load(seats=seats, max_questions=30)
    for seat, state in enumerate(random_play(game, 5, passing=0.4)):
        if seat % 23 == 0 and state.seat >= 0:
            view = game.view(state, seat % seats)
            world = game.sample(view, Random(seat))

            assert game.view(world, seat % seats) == view
            assert game.position(game.from_position(game.position(world))) == game.position(world)
