"""The contract of a game. Authors write this much; what follows from it is in play.py.

A game is its rules and has no state of play. Three packages rely on these names: bots get views and
moves, the harness gets names, positions and outcomes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from engines.core.errors import UnknownMove, choices_hint, illegal_move
from engines.core.interned import Interned
from engines.core.rules import Rules
from engines.core.state import State

S = TypeVar("S", bound=State)
V = TypeVar("V")
M_co = TypeVar("M_co", bound="Move", covariant=True)


class Move(Interned):
    """A move: a small int that knows its name. Interned: `game.table[i]` is the only move i."""

    name: str
    """What people, logs and other languages call it: `BEAT QC`."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.name}>"


class View(Generic[M_co]):
    """All that one seat has been allowed to learn, as a typed immutable value.

    A game's view is a NamedTuple of fields with this class mixed in:
    `class HundFields(NamedTuple)`, then `class HundView(HundFields, View[Move])`.
    """

    __slots__ = ()


class Outcome(NamedTuple):
    """How a game ended; every tuple has one entry a seat."""

    scores: tuple[float, ...]
    """The payoff or points of each seat, as the game's rules define them."""
    places: tuple[int, ...]
    """1 + the number of sides with a higher score: equal scores tie, a beaten team of two is second."""
    sides: tuple[int, ...]
    """Seats with the same number played together."""
    reason: str
    """`won` (also shared), `draw`, `repetition` or `cap`."""


def places(scores: Sequence[float], sides: Sequence[int]) -> tuple[int, ...]:
    """Each seat's place: 1 + the number of sides with a higher score."""
    by_side = dict(zip(sides, scores, strict=True))
    return tuple(1 + sum(other > score for other in by_side.values()) for score in scores)


class Game(ABC, Generic[S, V]):
    """Rules of one game with its options chosen."""

    name: ClassVar[str]
    """The game's name in configs and files: `kozyri-duel`."""
    version: ClassVar[int] = 1
    """Goes up when, and only when, the same moves and luck can give another game."""
    rules_type: ClassVar[type[Rules]]
    """The frozen dataclass of this game's options."""
    view_json: ClassVar[type] = dict
    """The TypedDict that says what `view_position` writes; a game without one has no schema of it."""

    rules: Rules
    seats: int
    sides: tuple[int, ...]
    """One entry a seat; seats with the same number play together."""
    table: Sequence[Move]
    """`table[i]` is move i; ids ascend in the canonical order of moves."""
    stakes: tuple[float, float]
    """What a side gets that forfeits (the lowest score the game has), and what the other side gets."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @property
    def highest(self) -> float:
        """A score that no seat can exceed."""
        return self.stakes[1]

    @abstractmethod
    def deal(self, luck: int) -> S:
        """A new game; draws the first dealer, leader or reader too. `luck` is 0 … 2**53 - 1."""

    @abstractmethod
    def view(self, state: S, seat: int) -> V:
        """What `seat` knows: equal for states that differ only in what it may not know."""

    @abstractmethod
    def sample(self, view: V, rng: Random) -> S:
        """A full state with this view, drawn by the law of the deal given all that the view proves.

        Choices the seat has not seen count as uniform over their legal moves; the state's own luck is
        drawn from `rng`.
        """

    @abstractmethod
    def position(self, state: S) -> dict[str, Any]:
        """The state as JSON values: `{"game", "rules", "state"}`."""

    @abstractmethod
    def from_position(self, data: Mapping[str, Any]) -> S:
        """The state that a position describes; raises BadPosition naming the key and the reason."""

    @abstractmethod
    def view_position(self, view: V) -> dict[str, Any]:
        """A view as JSON values: the keys of `state` as that seat may know them."""

    def public(self, move: Move) -> bool:
        """Whether every seat sees this move when it is made; sealed and hidden choices are not."""
        return True

    def parse(self, state: S, name: str) -> Move:
        """The move of that name; raises UnknownMove for no move at all, IllegalMove if not legal here."""
        found = self.by_name.get(" ".join(name.split()))
        if found is None:
            hint = choices_hint(name, (self.table[i].name for i in state.moves()))
            raise UnknownMove(f"{name!r} is no move of {self.name}: {hint}")
        if int(found) not in state.moves():
            raise illegal_move(int(state.seat), found, state.moves(), [m.name for m in self.table])
        return found

    @property
    def legend(self) -> Mapping[str, str]:
        """In words, for people, what numbers in positions and moves stand for: `{"question 9": …}`."""
        return {}

    @property
    def by_name(self) -> Mapping[str, Move]:
        """Moves by their names."""
        names: Mapping[str, Move] | None = self.__dict__.get("_by_name")
        if names is None:
            names = self.__dict__["_by_name"] = MappingProxyType({move.name: move for move in self.table})
        return names

    def __copy__(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # rules do not change, and compiled parts know no other way to be copied

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rules,)

    def __repr__(self) -> str:
        options = "".join(f", {k}={v!r}" for k, v in self.rules.changed().items())
        return f"<game {self.name}{options}>"
