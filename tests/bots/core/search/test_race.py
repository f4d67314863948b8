"""Moves raced in the same worlds: the better one is found, the advised one kept where nothing is better."""

from __future__ import annotations

from random import Random

import pytest

from bots.core.bot import Clock
from bots.core.search import Budget, Payoff, Rollout, Uniform, race
from engines.core.state import State

from .small import Heap, HeapGame


class Counted(Rollout):
    """Perfect play's result, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def value(self, state: State, luck: int) -> list[float]:
        self.asked += 1
        assert isinstance(state, Heap)
        if state.seat < 0:
            return [float(seat == state.winner) for seat in (0, 1)]
        lost = state.heap % 4 == 0
        return [float((seat == state.seat) != lost) for seat in (0, 1)]


class Even(Rollout):
    """Nothing is better than anything."""

    def value(self, state: State, luck: int) -> list[float]:
        return [0.5, 0.5]


def raced(leaf: Rollout, heap: int, base: int, nodes: int, *, caution: float = 1.0) -> int:
    moves = Heap(heap).moves()
    return race(leaf, 0, moves, base, lambda: Heap(heap), Random(5), Budget(Clock(), nodes), caution)


@pytest.mark.parametrize("base", [0, 1, 2])
def test_the_winning_move_is_found_whatever_is_advised(base: int) -> None:
    assert raced(Counted(), 7, base, 60) == 2


@pytest.mark.parametrize("base", [0, 1, 2])
def test_what_is_advised_is_played_where_nothing_is_better(base: int) -> None:
    assert raced(Even(), 7, base, 60) == base


def test_random_playouts_find_it_too() -> None:
    assert raced(Uniform(Payoff(HeapGame())), 6, 0, 2_000) == 1


@pytest.mark.parametrize("nodes", [1, 2, 3, 7, 20])
def test_no_more_playouts_are_made_than_allowed(nodes: int) -> None:
    leaf = Counted()
    raced(leaf, 8, 0, nodes)

    assert leaf.asked <= nodes


def test_the_race_ends_when_nobody_can_catch_up() -> None:
    leaf = Counted()
    raced(leaf, 7, 2, 10_000)

    assert leaf.asked < 100


def test_one_lucky_playout_does_not_stand_against_advice() -> None:
    assert raced(Counted(), 7, 0, 4) == 0
