"""The laws of a game, as one function that anyone may call on a game of their own.

`check_game(game)` plays random games and tests, at many points of each, what the contract promises. A
broken law raises LawBroken, which names the game, the luck and the moves that lead there.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NoReturn

from engines.core.errors import GameNotOver, IllegalMove, UnknownMove
from engines.core.game import Game, View, places
from engines.core.state import State

REASONS = ("won", "draw", "repetition", "cap")


class LawBroken(AssertionError):
    """A promise of the contract that a game does not keep."""


class Witness:
    """One random game in progress: what was dealt and played, for the message of a broken law."""

    def __init__(self, game: Game[Any, Any], luck: int) -> None:
        self.game = game
        self.luck = luck
        self.rng = Random(luck)
        self.played: list[int] = []

    def demand(self, holds: object, law: str) -> None:
        """Raise LawBroken unless `holds`."""
        if not holds:
            self.broken(law)

    def broken(self, law: str) -> NoReturn:
        """Raise LawBroken, with what it takes to see it again."""
        names = ", ".join(self.game.table[m].name for m in self.played) or "none"
        raise LawBroken(f"{self.game!r}: {law}; luck {self.luck}, moves played: {names}")


def check_game(game: Game[Any, Any], lucks: Iterable[int] = range(3), *, longest: int = 20_000) -> None:
    """Check every law on one random game for each of `lucks`; raises LawBroken at the first that fails.

    Early points of a game are all checked, later ones ever more rarely. A game of more than `longest`
    moves counts as endless.
    """
    check_table(game)
    for luck in lucks:
        witness = Witness(game, luck)
        state = game.deal(luck)
        _demand_same(witness, state, game.deal(luck), "equal luck deals equal games")
        check_length(witness, game.deal(luck), longest)
        while state.seat >= 0:
            n = len(witness.played)
            check_moves(witness, state)
            if n < 40 or n & (n - 1) == 0 or n % 256 == 0:
                check_point(witness, state)
            move = witness.rng.choice(state.moves())
            state.play(move)
            witness.played.append(move)
        check_end(witness, state)
        again = game.deal(luck)
        for move in witness.played:
            again.play(move)
        _demand_same(witness, state, again, "the same luck and moves give the same game")


def check_length(witness: Witness, state: State, longest: int) -> None:
    """A game ends, however it is played; tried first, since a playout of an endless game never returns."""
    rng = Random(witness.luck)
    for _ in range(longest):
        if state.seat < 0:
            return
        state.play(rng.choice(state.moves()))
    witness.demand(state.seat < 0, f"a game ends within {longest} moves")


def check_table(game: Game[Any, Any]) -> None:
    """Moves are interned under their number and have names of their own."""
    witness = Witness(game, 0)
    names = [move.name for move in game.table]
    witness.demand(len(set(names)) == len(names), "no two moves share a name")
    witness.demand([int(m) for m in game.table] == list(range(len(names))), "table[i] is move i")
    witness.demand(len(game.sides) == game.seats, "every seat has a side")


def check_moves(witness: Witness, state: State) -> None:
    """Someone is to move, and has moves, in ascending order."""
    game, legal = witness.game, state.moves()
    witness.demand(0 <= state.seat < game.seats, f"the seat to move is one of the table, got {state.seat}")
    witness.demand(legal, "the seat to move has a legal move")
    witness.demand(legal == sorted(set(legal)), f"legal moves ascend, got {legal}")
    witness.demand(
        legal[0] >= 0 and legal[-1] < len(game.table), f"legal moves are in the table, got {legal}"
    )


def check_point(witness: Witness, state: State) -> None:
    """All laws that hold at one point of a game."""
    check_refusals(witness, state)
    check_copy(witness, state)
    check_position(witness, state)
    for seat in range(witness.game.seats):
        check_view(witness, state, seat)
        check_sample(witness, state, seat)
    check_playout(witness, state)


def check_refusals(witness: Witness, state: State) -> None:
    """An illegal move, a foreign name and an early question for the outcome change nothing."""
    game, legal = witness.game, set(state.moves())
    before = game.position(state)
    illegal = [m for m in range(len(game.table)) if m not in legal]
    tried = [*witness.rng.sample(illegal, min(4, len(illegal))), -1, len(game.table)]
    for move in tried:
        try:
            state.play(move)
        except IllegalMove:
            pass
        else:
            witness.broken(f"move {move} is refused, it is not legal here")
        witness.demand(game.position(state) == before, f"the refused move {move} changes nothing")
    for move in witness.rng.sample(sorted(legal), min(3, len(legal))):
        name = game.table[move].name
        witness.demand(game.parse(state, name) is game.table[move], f"{name!r} is read back as its move")
    _demand_raises(witness, UnknownMove, "a name that is no move", lambda: game.parse(state, "NO SUCH MOVE"))
    _demand_raises(witness, GameNotOver, "an outcome before the end", state.outcome)


def check_copy(witness: Witness, state: State) -> None:
    """A copy is equal, and neither feels what is played on the other."""
    game = witness.game
    before = game.position(state)
    twin = state.copy()
    witness.demand(type(twin) is type(state), "a copy has the same type")
    _demand_same(witness, state, twin, "a copy is equal")
    move = witness.rng.choice(twin.moves())
    twin.play(move)
    witness.demand(game.position(state) == before, "a move on a copy leaves the original alone")
    after, other = game.position(twin), state.copy()
    _play_some(witness, other, 8)
    witness.demand(game.position(state) == before, "a game played on a copy leaves the original alone")
    witness.demand(game.position(twin) == after, "a game played on a copy leaves other copies alone")


def check_position(witness: Witness, state: State) -> None:
    """Position → state → position is the identity, keeps all views, and has the same future."""
    game = witness.game
    data = game.position(state)
    text = json.dumps(data)
    witness.demand(json.loads(text) == data, "a position is plain JSON")
    read = game.from_position(json.loads(text))
    _demand_same(witness, state, read, "a position read back is the same position")
    witness.demand(game.position(game.from_position(data["state"])) == data, "a bare state is read as well")
    witness.demand(read.seat == state.seat, "a position keeps the seat to move")
    witness.demand(read.moves() == state.moves(), "a position keeps the legal moves")
    for seat in range(game.seats):
        witness.demand(
            game.view(read, seat) == game.view(state, seat), f"a position keeps what seat {seat} knows"
        )
    future, expected = read, state.copy()
    for move in _play_some(witness, expected, 6):
        future.play(move)
    _demand_same(witness, expected, future, "a position read back has the same future")


def check_view(witness: Witness, state: State, seat: int) -> None:
    """A view is a plain frozen value; equal states give equal ones."""
    game = witness.game
    view = game.view(state, seat)
    witness.demand(isinstance(view, View), f"the view of seat {seat} is a View")
    if (fault := unplain(view)) is not None:
        witness.broken(f"the view of seat {seat} is plain and frozen, got {fault}")
    witness.demand(view == game.view(state.copy(), seat), f"a copy gives seat {seat} an equal view")
    data = game.view_position(view)
    witness.demand(json.loads(json.dumps(data)) == data, f"the view of seat {seat} is plain JSON")
    witness.demand("luck" not in data, f"the view of seat {seat} says nothing of luck")


def check_sample(witness: Witness, state: State, seat: int) -> None:
    """A sampled world looks the same to the seat, is a possible one, and depends on view and rng only."""
    game = witness.game
    view = game.view(state, seat)
    seed = witness.rng.getrandbits(32)
    world = game.sample(view, Random(seed))
    witness.demand(game.view(world, seat) == view, f"a world sampled for seat {seat} gives it the same view")
    witness.demand(
        game.view_position(game.view(world, seat)) == game.view_position(view),
        f"a world sampled for seat {seat} gives it the same view as JSON",
    )
    witness.demand(world.seat == state.seat, f"a world sampled for seat {seat} has the same seat to move")
    if state.seat == seat:
        witness.demand(world.moves() == state.moves(), f"a world sampled for seat {seat} has its legal moves")
    twin = game.sample(game.view(world, seat), Random(seed))
    _demand_same(witness, world, twin, f"the same view and rng sample the same world for seat {seat}")
    read = game.from_position(game.position(world))
    _demand_same(witness, world, read, f"a world sampled for seat {seat} is a position that can be read")


def check_playout(witness: Witness, state: State) -> None:
    """A playout ends the game and is a function of its luck."""
    luck = witness.rng.getrandbits(53)
    first, second = state.copy(), state.copy()
    first.playout(luck)
    second.playout(luck)
    _demand_same(witness, first, second, "equal luck gives equal playouts")
    witness.demand(first.seat == -1, "a playout ends the game")
    check_outcome(witness, first)


def check_end(witness: Witness, state: State) -> None:
    """A finished game has no moves, a fitting outcome, and a position."""
    game = witness.game
    witness.demand(state.seat == -1 and state.moves() == [], "a finished game has no legal moves")
    _demand_raises(witness, IllegalMove, "a move after the end", lambda: state.play(0))
    check_outcome(witness, state)
    data = game.position(state)
    witness.demand(data["state"]["turn"] is None, "in a finished position turn is null")
    read = game.from_position(json.loads(json.dumps(data)))
    _demand_same(witness, state, read, "a finished position read back is the same position")
    witness.demand(read.outcome() == state.outcome(), "a finished position keeps its outcome")
    for seat in range(game.seats):
        check_view(witness, state, seat)


def check_outcome(witness: Witness, state: State) -> None:
    """Scores, places and sides fit each other and the game."""
    game, outcome = witness.game, state.outcome()
    witness.demand(outcome.sides == game.sides, f"the outcome has the game's sides, got {outcome.sides}")
    witness.demand(len(outcome.scores) == game.seats, "every seat has a score")
    witness.demand(
        outcome.places == places(outcome.scores, outcome.sides),
        f"places follow scores and sides share them, got {outcome}",
    )
    shared = {(side, score) for side, score in zip(outcome.sides, outcome.scores, strict=True)}
    witness.demand(len(shared) == len(set(outcome.sides)), f"seats of a side share its score, got {outcome}")
    witness.demand(outcome.reason in REASONS, f"the reason is one of {REASONS}, got {outcome.reason!r}")
    lowest = game.stakes[0]
    witness.demand(min(outcome.scores) >= lowest, f"no score is under {lowest}, got {outcome.scores}")
    highest = game.highest
    witness.demand(max(outcome.scores) <= highest, f"no score is over {highest}, got {outcome.scores}")


def unplain(value: object) -> str | None:
    """What in a value is neither plain nor frozen; None where all is well."""
    if value is None or isinstance(value, bool | int | float | str | enum.Enum):
        return None
    if isinstance(value, tuple):
        if getattr(value, "__dict__", None):
            return f"{type(value).__name__} with attributes of its own"
        faults: Iterator[str | None] = map(unplain, value)
        return next((fault for fault in faults if fault), None)
    return f"{type(value).__name__} {value!r}"


def _play_some(witness: Witness, state: State, count: int) -> list[int]:
    """Play up to `count` random moves; returns them."""
    moves: list[int] = []
    while state.seat >= 0 and len(moves) < count:
        moves.append(witness.rng.choice(state.moves()))
        state.play(moves[-1])
    return moves


def _demand_same(witness: Witness, one: State, other: State, law: str) -> None:
    expected, actual = witness.game.position(one)["state"], witness.game.position(other)["state"]
    if expected != actual:
        keys = sorted(set(expected) | set(actual))
        key = next(key for key in keys if expected.get(key) != actual.get(key))
        witness.broken(f"{law}: {key} was {expected.get(key)}, is {actual.get(key)}")


def _demand_raises(witness: Witness, error: type[Exception], what: str, call: Any) -> None:
    try:
        call()
    except error:
        return
    except Exception as other:  # noqa: BLE001 - the message says which error came instead
        witness.broken(f"{what} raises {error.__name__}, got {other!r}")
    witness.broken(f"{what} raises {error.__name__}, nothing was raised")
