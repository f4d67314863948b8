"""The moves: passing, announcing a code, and with two seats choosing an ownerless rack."""

from __future__ import annotations

import functools
from enum import Enum
from typing import NamedTuple

from engines.code777.tiles import CODES, NUMBER_NAMES, RACK_NAMES, RACKS, numbers_of
from engines.core.game import Move as CoreMove


class Kind(Enum):
    """What a move does."""

    PASS = "PASS"  # noqa: S105 - a move, no password
    """Announce nothing in this pass of the window (CO-9)."""
    ANNOUNCE = "ANNOUNCE"
    """Say what stands on the own rack (CO-11)."""
    RACK = "RACK"
    """Choose the ownerless rack that is emptied after a right announcement (CO-14, two seats only)."""


class Move(CoreMove):
    """`PASS`, `ANNOUNCE a-b-c` or `RACK i`; interned in the game's table."""

    kind: Kind
    """What it does."""
    numbers: tuple[int, ...]
    """The three numbers announced, ascending; empty for other moves."""
    code: int
    """The rack announced where colours count (A58), as a code of tiles.py; else 0."""
    rack: int
    """The rack chosen by RACK, else -1."""


class Table(NamedTuple):
    """All moves of a game with given options."""

    moves: tuple[Move, ...]
    """`moves[i]` is move i: PASS, every ANNOUNCE number by number (or tile by tile), then RACK."""
    names: list[str]
    """Their names, in the same order."""
    announcements: int
    """How many announcements there are, ids 1 to this: 76, with colours 251."""


def _move(place: int, kind: Kind, said: str, numbers: tuple[int, ...] = (), code: int = 0) -> Move:
    move = Move(place)
    move.kind = kind
    move.numbers = numbers
    move.code = code
    move.rack = int(said) if kind is Kind.RACK else -1
    move.name = f"{kind.value} {said}".rstrip()
    return move


@functools.cache
def table(*, colours: bool, racks: bool) -> Table:
    """The moves with or without colours (A58), with or without RACK (two seats)."""
    moves = [_move(0, Kind.PASS, "")]
    if colours:
        for name, code in zip(RACK_NAMES, RACKS, strict=True):
            moves.append(_move(len(moves), Kind.ANNOUNCE, name, numbers_of(code), code))
    else:
        for name, numbers in zip(NUMBER_NAMES, CODES, strict=True):
            moves.append(_move(len(moves), Kind.ANNOUNCE, name, numbers))
    announcements = len(moves) - 1
    if racks:
        moves += [_move(len(moves) + i - 2, Kind.RACK, str(i)) for i in (2, 3)]
    return Table(tuple(moves), [move.name for move in moves], announcements)
