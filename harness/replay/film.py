"""A stored match as a film: every position, with what each seat knew of it, from its row alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engines.core.game import Game
from engines.core.play import legal
from engines.core.playthrough import all_views, written
from engines.core.state import State
from harness.analysis.replaying import WrongRecord, offenders, steps
from harness.positions import start
from harness.records import MatchRecord

SHOWN: Final = 60
"""Legal moves that a frame lists."""


class Frame(NamedTuple):
    """A position of the match."""

    seat: int
    """Who is to move, -1 when the match is over."""
    state: dict[str, Any]
    """As docs/notation.md has it, without the repetition table."""
    views: list[dict[str, Any]]
    """What each seat may know of it."""
    legal: list[str]
    """The first of the moves that may be made."""
    choices: int
    """How many there are."""


class Made(NamedTuple):
    """A move that was made."""

    seat: int
    name: str
    choices: int
    """Among how many; 1 was forced."""
    public: bool
    """Whether every seat saw it."""
    cpu_us: int | None
    substitute: bool
    """Whether it was made in place of a bot that had forfeited."""


@dataclass(frozen=True)
class Film:
    """A match from beginning to end."""

    record: MatchRecord
    game: Game[Any, Any]
    moves: tuple[Made, ...]
    frames: tuple[Frame, ...]
    """One more than moves: `frames[n]` is the position after n of them."""
    wrong: str = ""
    """Where the moves do not lead to what is stored, and how; empty where they do."""

    def faults(self, ply: int) -> list[tuple[int, str, str]]:
        """Seat, kind and detail of the faults found after `ply` moves; those of the start are at 0."""
        return [
            (seat, fault.kind, fault.detail)
            for seat, found in enumerate(self.record.seats)
            for fault in found.faults
            if max(0, fault.ply) == ply
        ]


def film(record: MatchRecord, game: Game[Any, Any]) -> Film:
    """Play the match again. What is wrong with the record is told in the film, not raised."""
    moves: list[Made] = []
    frames: list[Frame] = []
    cpu: Sequence[int | None] = record.move_cpu_us or [None] * len(record.moves)
    replaced = _replaced(record)
    state = start(game, record.spec)
    wrong = ""
    try:
        for turn, state in steps(record, game):
            frames.append(_frame(game, state))
            substitute = turn.n >= replaced.get(turn.seat, len(record.moves))
            public = game.public(turn.move)
            moves.append(Made(turn.seat, turn.move.name, len(turn.legal), public, cpu[turn.n], substitute))
    except WrongRecord as error:
        wrong = str(error)
        if error.made is not None:
            del moves[error.made :], frames[error.made :]
    return Film(record, game, tuple(moves), (*frames, _frame(game, state)), wrong)


def _replaced(record: MatchRecord) -> dict[int, int]:
    """After how many moves each seat was replaced."""
    sides = offenders(record)
    return {
        seat: max(0, found.faults[0].ply)
        for seat, found in enumerate(record.seats)
        if found.side in sides and found.faults and record.reason is not None
    }


def _frame(game: Game[Any, Any], state: State) -> Frame:
    moves = legal(game, state) if state.seat >= 0 else ()
    return Frame(
        seat=int(state.seat),
        state=written(game.position(state)["state"], first=False),
        views=[written(view, first=False) for view in all_views(game, state)],
        legal=[move.name for move in moves[:SHOWN]],
        choices=len(moves),
    )
