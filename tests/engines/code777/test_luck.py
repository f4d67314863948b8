"""Luck by address: each rack's k-th tiles, each pass of the questions and the first reader by themselves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from engines.code777 import TILES
from tests.engines.code777.tables import load, right_move
from tests.engines.uniformity import assert_uniform


def test_a_seats_next_rack_hardly_depends_on_who_drew_before() -> None:
    """The order of tiles is the address's; only a tile that another took first can make a difference."""
    game, same = load(), 0
    for luck in range(200):
        alone, after_another = game.deal(luck), game.deal(luck)
        alone.refill(1)
        after_another.refill(3)
        after_another.refill(1)
        mine = Counter(game.position(alone)["state"]["racks"][1])
        same += (mine & Counter(game.position(after_another)["state"]["racks"][1])).total()

    # Three of 16 tiles are gone: each of the rack's first choices is left with chance 13 / 16 or more.
    assert same / 600 > 0.75


def test_another_rack_or_another_turn_has_another_order() -> None:
    game = load()
    racks = set()
    for place in range(4):
        state = game.deal(5)
        for _ in range(3):
            state.refill(place)
            racks.add(tuple(game.position(state)["state"]["racks"][place]))

    assert len(racks) > 8


def test_three_tiles_are_drawn_as_from_a_shuffled_pile() -> None:
    """Chi-square over all triples of a small pile of different tiles."""
    game = load()
    names = [tile.name for tile in TILES]
    pile, racks = names[:6], [["4B", "4B", "4B"], ["5R", "5R", "5R"], ["7C", "7C", "7C"], ["7C", "6P", "6G"]]
    position = {
        "racks": racks, "draw": pile, "asked": [1], "stack": [2], "question": 1, "answer": 2,
        "reader": 3, "turn": 0, "asked_total": 1,
    }  # fmt: skip
    drawn = []
    for luck in range(600):
        state = game.from_position({**position, "answer": 1, "luck": luck * 7919})
        state.refill(luck % 4)
        drawn.append(tuple(sorted(game.position(state)["state"]["racks"][luck % 4])))

    assert_uniform(drawn, [tuple(sorted(triple)) for triple in combinations(pile, 3)])


def test_alike_tiles_count_each_for_itself() -> None:
    """From {4B ×3, 5R} three 4B come once in four times."""
    game = load()
    racks = [["1G", "2Y", "3K"], ["5R", "5R", "5R"], ["7C", "7C", "7C"], ["7C", "6P", "6G"]]
    position = {
        "racks": racks, "draw": ["4B", "4B", "4B", "5R"], "asked": [1], "stack": [2], "question": 1,
        "answer": 2, "reader": 3, "turn": 0, "asked_total": 1,
    }  # fmt: skip
    drawn = []
    for luck in range(800):
        state = game.from_position({**position, "answer": 1, "luck": luck * 104729})
        state.refill(0)
        drawn.append("5R" in game.position(state)["state"]["racks"][0])

    assert abs(drawn.count(False) - 200) < 5 * (800 * 0.25 * 0.75) ** 0.5


def test_the_first_reader_is_uniform() -> None:
    game = load(seats=5)
    assert_uniform((game.deal(luck).reader for luck in range(500)), range(5))


def test_the_dealt_racks_are_uniform() -> None:
    """Each tile type stands on the first rack as often as it should."""
    game = load()
    counts: Counter[str] = Counter()
    for luck in range(2000):
        counts.update(game.position(game.deal(luck))["state"]["racks"][0])
    for tile in TILES:
        share = tile.copies / 28
        assert abs(counts[tile.name] - 6000 * share) < 5 * (6000 * share * (1 - share)) ** 0.5


def test_each_pass_of_the_questions_has_its_own_order_whatever_was_announced() -> None:
    """CO-8: the order of the second pass is a function of the luck alone."""
    game = load()
    quiet, loud = game.deal(9), game.deal(9)
    orders = []
    for state, moves in ((quiet, (0,)), (loud, (0, 5, 0))):
        turn = 0
        while state.asked_total < 24:
            state.play(moves[turn % len(moves)])
            turn += 1
        orders.append(state.order)
    assert orders[0] == orders[1]
    assert orders[0] != game.deal(9).order
    assert sorted(orders[0]) == list(range(1, 24))


def test_luck_is_not_changed_by_moves() -> None:
    game = load()
    state = game.deal(77)
    for _ in range(12):
        state.play(right_move(game, state) if state.seat == 1 else 0)
    assert state.luck == 77
