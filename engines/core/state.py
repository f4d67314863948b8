"""The state of a game in play: the hot type, written for native ints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from engines.core.chance import PLAYOUT, Stream

if TYPE_CHECKING:
    from engines.core.game import Outcome


@mypyc_attr(allow_interpreted_subclasses=True)
class State(ABC):
    """All of one game in play, hidden cards included; bots never get one of a running match.

    Mutable; ints and bit masks inside. Games in pure Python subclass it as it is, the games here are
    compiled with it.
    """

    seat: i64
    """Who decides now; -1 when the game is over."""

    @abstractmethod
    def moves(self) -> list[int]:
        """Legal moves of `seat`, ascending; never empty while `seat >= 0`, empty after the end."""

    @abstractmethod
    def play(self, move: int) -> None:
        """Make one move. Raises IllegalMove, and leaves the state as it was, for any other int."""

    @abstractmethod
    def copy(self) -> State:
        """An equal state that shares nothing mutable with this one."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """The result. Raises GameNotOver while a seat is to move."""

    def playout(self, luck: int) -> None:
        """Play uniformly random moves to the end, as a function of `luck` (0 … 2**53 - 1)."""
        stream = Stream(luck, PLAYOUT)
        while self.seat >= 0:
            legal = self.moves()
            self.play(legal[stream.below(len(legal))])
