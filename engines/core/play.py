"""What follows from the contract of a game: names, random playouts, whole games from lists of moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from engines.core.game import Game, Move
from engines.core.state import State

S = TypeVar("S", bound=State)


class Turn(NamedTuple):
    """One move of a game, with the state in which it was made."""

    n: int
    """How many moves came before."""
    seat: int
    legal: tuple[Move, ...]
    """What the seat could have played, ascending."""
    move: Move


def legal(game: Game[S, Any], state: S) -> tuple[Move, ...]:
    """The legal moves as Move objects."""
    table = game.table
    return tuple([table[i] for i in state.moves()])


def turns(
    game: Game[S, Any], state: S, choose: Callable[[S, tuple[Move, ...]], int]
) -> Iterator[tuple[Turn, S]]:
    """Play `state` to its end; yields every turn with the state *before* its move, which is then played."""
    n = 0
    while state.seat >= 0:
        moves = legal(game, state)
        move = choose(state, moves) if len(moves) > 1 else moves[0]
        yield Turn(n, int(state.seat), moves, game.table[move]), state
        state.play(int(move))
        n += 1


def replayed(game: Game[S, Any], luck: int, moves: Iterable[int]) -> S:
    """The state after `moves` from the deal of `luck`."""
    state = game.deal(luck)
    for move in moves:
        state.play(int(move))
    return state
