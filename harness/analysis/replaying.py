"""Playing a stored match again from its moves, to look at it and to check what was stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import engines
from engines.core.errors import BadRules, IllegalMove, UnknownGame
from engines.core.game import Game, Outcome
from engines.core.play import Turn, legal
from engines.core.state import State
from harness.positions import start
from harness.records import MatchRecord
from harness.verdict import verdict


class WrongRecord(ValueError):
    """A stored match that is not what its moves lead to; the message says where they part."""

    def __init__(self, text: str, made: int | None = None) -> None:
        super().__init__(text)
        self.made = made
        """How many moves could be made; None where all of them could."""


class Step(NamedTuple):
    """One move of a match that is played again."""

    turn: Turn
    state: State
    """As it was before the move; it changes with the next step."""


def game_of(record: MatchRecord) -> Game[Any, Any]:
    """The game of a record, with its rules."""
    return engines.load(record.spec.game, **json.loads(record.spec.rules))


def replayable(game: str, rules: str) -> bool:
    """Whether this installation has the game, with such rules."""
    try:
        engines.load(game, **json.loads(rules))
    except (UnknownGame, BadRules):
        return False
    return True


def steps(record: MatchRecord, game: Game[Any, Any]) -> Iterator[Step]:
    """Every stored move in turn, then the check of the end; raises WrongRecord where something is off."""
    state = start(game, record.spec)
    for n, (seat, move) in enumerate(zip(record.move_seats, record.moves, strict=True)):
        if state.seat != seat:
            now = f"seat {state.seat} is to move" if state.seat >= 0 else "the game is over"
            raise WrongRecord(f"move {n}: stored for seat {seat}, but {now}", n)
        if not 0 <= move < len(game.table):
            raise WrongRecord(f"move {n}: {game.name} has no move number {move}", n)
        yield Step(Turn(n, seat, legal(game, state), game.table[move]), state)
        try:
            state.play(move)
        except IllegalMove as error:
            raise WrongRecord(f"move {n}: {error}", n) from None
    check_end(record, game, state)


def check_end(record: MatchRecord, game: Game[Any, Any], state: State) -> None:
    """Compare what the moves led to with the stored reason, scores, places and sides; raises WrongRecord."""
    outcome: Outcome | None = None
    if record.reason is not None or record.status == "completed":
        if state.seat >= 0:
            raise WrongRecord(f"after {len(record.moves)} moves the game is not over, as it is stored to be")
        outcome = state.outcome()
        _same("reason", record.reason, outcome.reason)
    given = verdict(game.sides, game.stakes, offenders(record), outcome)
    _same("scores", tuple(seat.score for seat in record.seats), given.scores)
    _same("places", tuple(seat.place for seat in record.seats), given.places)
    _same("sides", tuple(seat.side for seat in record.seats), tuple(game.sides))


def _same(what: str, stored: object, replayed: object) -> None:
    if stored != replayed:
        raise WrongRecord(f"{what}: stored {stored}, but the moves lead to {replayed}")


def offenders(record: MatchRecord) -> frozenset[int]:
    """The sides that forfeited. A fault that came after the end changed nothing and does not count."""
    if record.status != "forfeit":
        return frozenset()
    all_first = all(seat.place == 1 for seat in record.seats)
    return frozenset(
        seat.side
        for seat in record.seats
        if seat.faults
        and (seat.place > 1 or all_first if record.reason is None else seat.faults[0].ply < len(record.moves))
    )
