"""Seating designs: who sits where in a deal set."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest

from harness.seating import Seating, has_partners, mixed, orders, pairing, rotations

ALONE = {n: tuple(range(n)) for n in (2, 3, 4, 5)}
TEAMS = (0, 1, 0, 1)


def sits(design: tuple[Seating, ...]) -> Counter[tuple[int, int]]:
    """How often each bot sits in each seat."""
    return Counter((bot, seat) for seating in design for seat, bot in enumerate(seating))


@pytest.mark.parametrize("n", ALONE)
def test_rotations_put_every_bot_in_every_seat_once(n: int) -> None:
    design = rotations(ALONE[n])

    assert len(design) == n
    assert sits(design) == {(bot, seat): 1 for bot in range(n) for seat in range(n)}
    assert design[0] == ALONE[n]


@pytest.mark.parametrize("n", ALONE)
def test_rotations_keep_the_neighbours(n: int) -> None:
    for seating in rotations(ALONE[n]):
        assert all((seating[seat] + 1) % n == seating[(seat + 1) % n] for seat in range(n))


@pytest.mark.parametrize("n", ALONE)
def test_all_orders_are_different_and_even(n: int) -> None:
    design = orders(ALONE[n])

    assert len(set(design)) == len(design) == math.factorial(n)
    assert set(sits(design).values()) == {math.factorial(n - 1)}


def test_teams_of_two_copies_play_both_sides() -> None:
    assert rotations(TEAMS) == orders(TEAMS) == pairing(TEAMS) == ((0, 1, 0, 1), (1, 0, 1, 0))


@pytest.mark.parametrize(
    ("n", "splits"),
    [
        (2, {1: 2}),
        (3, {1: 3, 2: 3}),
        (4, {1: 4, 2: 6, 3: 4}),
        (5, {2: 10, 3: 10}),
    ],
)
def test_two_bots_meet_in_all_mixed_seatings_of_the_splits(n: int, splits: dict[int, int]) -> None:
    """3 seats: 1 v 2 and 2 v 1; 4: 1 v 3, 2 v 2, 3 v 1; 5: 2 v 3 and 3 v 2."""
    design = pairing(ALONE[n])

    assert len(set(design)) == len(design)
    assert Counter(seating.count(0) for seating in design) == splits


@pytest.mark.parametrize("n", ALONE)
def test_in_a_pairing_each_sits_in_every_seat_equally_often(n: int) -> None:
    assert len(set(sits(pairing(ALONE[n])).values())) == 1


def test_sides_of_other_shapes_follow_from_the_same_text() -> None:
    """Two against one against one: seats of a side move together."""
    sides = (0, 1, 0, 2)

    assert rotations(sides) == ((0, 1, 0, 2), (1, 2, 1, 0), (2, 0, 2, 1))


@pytest.mark.parametrize("sides", [(0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1, 0, 1), (0, 1, 2, 0, 1, 2)])
def test_mixed_partners_are_even_in_seats_partners_and_opponents(sides: tuple[int, ...]) -> None:
    design = mixed(sides)
    bots = range(len(sides))
    beside: Counter[tuple[int, int]] = Counter()
    for seating in design:
        for one, other in itertools.combinations(bots, 2):
            pair = (min(seating[one], seating[other]), max(seating[one], seating[other]))
            beside[pair] += sides[one] == sides[other]

    assert len(set(design)) == len(design)
    assert all(sorted(seating) == list(bots) for seating in design)
    assert len(set(sits(design).values())) == 1
    assert len(set(beside.values())) == 1


def test_four_bots_meet_in_all_three_partnerings_from_every_seat() -> None:
    design = mixed(TEAMS)
    partnerings = {frozenset({frozenset({s[0], s[2]}), frozenset({s[1], s[3]})}) for s in design}

    assert len(design) == 12
    assert len(partnerings) == 3


def test_partners_are_mixed_in_teams_of_one_size_only() -> None:
    assert has_partners(TEAMS)
    assert not has_partners(ALONE[4])
    assert not has_partners((0, 1, 0))
    with pytest.raises(
        ValueError, match=r"expected teams of two or more and of the same size, got sides \(0, 1\)"
    ):
        mixed(ALONE[2])
