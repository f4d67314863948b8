"""A small game for the laws of search: hidden numbers, forced wins, every line known."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple, Self

from engines.core.game import Game, Move, Outcome, View, places
from engines.core.rules import Rules
from engines.core.state import State


class _Move(Move):
    def __new__(cls, number: int) -> Self:
        move = int.__new__(cls, number)
        move.name = f"TAKE {number + 1}"
        return move


class HeapFields(NamedTuple):
    """What a seat knows of the heap."""

    seat: int
    heap: int


class HeapView(HeapFields, View[Move]):
    """All is open."""

    __slots__ = ()


class Heap(State):
    """Two seats take 1, 2 or 3 in turn; whoever takes the last one wins."""

    def __init__(self, heap: int, seat: int = 0) -> None:
        self.heap = heap
        self.seat = seat
        self.winner = -1

    def moves(self) -> list[int]:
        return list(range(min(3, self.heap))) if self.seat >= 0 else []

    def play(self, move: int) -> None:
        self.heap -= move + 1
        if self.heap == 0:
            self.winner, self.seat = self.seat, -1
        else:
            self.seat = 1 - self.seat

    def copy(self) -> Heap:
        new = Heap(self.heap, self.seat)
        new.winner = self.winner
        return new

    def outcome(self) -> Outcome:
        scores = tuple(float(seat == self.winner) for seat in (0, 1))
        return Outcome(scores, places(scores, (0, 1)), (0, 1), "won")


class HeapGame(Game[Heap, HeapView]):
    """The rules of it: with 4, 8, 12 … in the heap the seat to move loses."""

    name = "heap"
    rules_type = Rules

    def __init__(self) -> None:
        super().__init__(Rules())
        self.seats = 2
        self.sides = (0, 1)
        self.table = tuple(_Move(i) for i in range(3))
        self.stakes = (0.0, 1.0)

    def deal(self, luck: int) -> Heap:
        return Heap(9 + luck % 3)

    def view(self, state: Heap, seat: int) -> HeapView:
        return HeapView(seat, state.heap)

    def sample(self, view: HeapView, rng: Random) -> Heap:
        return Heap(view.heap, view.seat)

    def position(self, state: Heap) -> dict[str, Any]:
        raise NotImplementedError

    def from_position(self, data: Mapping[str, Any]) -> Heap:
        raise NotImplementedError

    def view_position(self, view: HeapView) -> dict[str, Any]:
        raise NotImplementedError
