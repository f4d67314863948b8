"""The contract of a bot: a class with `act`, which is shown what its seat knows and picks a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

from engines.core.game import Game, Move, Outcome, View

M = TypeVar("M", bound=Move)
V_co = TypeVar("V_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)


class Clock(NamedTuple):
    """What a seat may still spend; a limit that the match does not have is None."""

    decision: float | None = None
    """CPU seconds for this decision."""
    bank: float | None = None
    """CPU seconds left in the bank for the rest of the match."""
    nodes: int | None = None
    """Nodes that a search may visit for this decision: the repeatable alternative to time."""


class Seen(Generic[V_co]):
    """What a seat is shown when it has to decide."""

    __slots__ = ("_moves", "clock", "history", "metrics", "news", "seat", "view")

    def __init__(
        self,
        seat: int,
        view: V_co,
        moves: Sequence[Move],
        news: Sequence[tuple[int, Move]] = (),
        history: Sequence[tuple[int, Move]] = (),
        clock: Clock = Clock(),  # noqa: B008 - an immutable value
    ) -> None:
        self.seat = seat
        """The seat that decides, from 0."""
        self.view = view
        """All that the seat knows; its type and fields are the game's."""
        self._moves = moves
        self.news = news
        """Public moves since this seat was last asked, as (seat, move), its own and forced ones included."""
        self.history = history
        """All public moves of the match so far, as (seat, move)."""
        self.clock = clock
        """What may still be spent."""
        self.metrics: dict[str, float] = {}

    @property
    def moves(self: Seen[View[M]]) -> Sequence[M]:
        """The legal moves, in ascending order; `act` returns one of them."""
        return self._moves  # type: ignore[return-value]  # the game's own table made them

    def metric(self, name: str, value: float) -> None:
        """Record a number of your own, such as nodes searched; it becomes a column of the results."""
        self.metrics[name] = value


class Bot(Generic[V_contra]):
    """A player of one seat in one match. Subclass it in a file of your own.

    A fresh object is made for every seat and match, so nothing needs to be reset.
    """

    games: tuple[str, ...] = ()
    """Games it plays, as `hund` or `code777:3-5` (with seats); left empty: every game."""
    game: Game[Any, Any]
    """The game with its rules: for names, moves and `sample`, never for the state of this match."""
    seat: int
    """The seat it sits in, from 0."""
    rng: Random
    """Its only source of luck, so that a match can be played again."""

    def __init__(self, game: Game[Any, Any], seat: int, rng: Random, **options: Any) -> None:
        self.game = game
        self.seat = seat
        self.rng = rng
        if options:
            raise TypeError(f"{type(self).__name__} takes no options, got {sorted(options)}")

    def act(self, seen: Seen[V_contra]) -> int:
        """The move to play: one of `seen.moves`, or its number."""
        raise TypeError(f"{type(self).__name__} has no act(self, seen)")

    def end(self, outcome: Outcome | None) -> None:
        """Called when the match is over, also after another's fault; `None` where there is no outcome."""
        return


Options = Mapping[str, Any]
