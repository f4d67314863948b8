"""A bot for each way to misbehave. Each is to end its own match and nothing else."""

from __future__ import annotations

from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

AnyView = View[Move]


class Honest(Bot[AnyView]):
    """The bot that rogues meet: its first legal move, always."""

    def act(self, seen: Seen[AnyView]) -> int:
        return seen.moves[0]


class Illegal(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        legal = [int(move) for move in seen.moves]
        return next(move for move in range(len(self.game.table)) if move not in legal)


class OutOfRange(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        return 10**20


class Negative(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        return -1


class RaisesAtOnce(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        raise KeyError("no plan\nfor this")


class RaisesLate(Bot[AnyView]):
    """Plays three moves, then fails."""

    def act(self, seen: Seen[AnyView]) -> int:
        self.moves = getattr(self, "moves", 0) + 1
        if self.moves > 3:
            raise ZeroDivisionError
        return seen.moves[0]


class ReturnsNone(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        return None  # type: ignore[return-value]  # the point


class ReturnsName(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        return seen.moves[0].name  # type: ignore[return-value]  # the point


class ReturnsFloat(Bot[AnyView]):
    """1.0 equals the move 1, but is none."""

    def act(self, seen: Seen[AnyView]) -> int:
        return float(seen.moves[0])  # type: ignore[return-value]  # the point


class ReturnsBool(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        return True


class FailsToStart(Bot[AnyView]):
    def __init__(self, *args: Any, **options: Any) -> None:
        raise FileNotFoundError("weights.bin")

    def act(self, seen: Seen[AnyView]) -> int:
        return seen.moves[0]


class Exits(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        raise SystemExit(3)


class Recurses(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        return self.act(seen)


class Unspeakable(Bot[AnyView]):
    """Raises something whose own text raises."""

    def act(self, seen: Seen[AnyView]) -> int:
        class Silent(Exception):
            def __str__(self) -> str:
                raise RuntimeError("never")

        raise Silent


class BadMetric(Bot[AnyView]):
    def act(self, seen: Seen[AnyView]) -> int:
        seen.metric("nodes", "many")  # type: ignore[arg-type]  # the point
        return seen.moves[0]


class FailsAtTheEnd(Honest):
    def end(self, outcome: Any) -> None:
        raise RuntimeError("sore loser")


class Burns(Bot[AnyView]):
    """Uses about 50 ms of CPU for every move."""

    def act(self, seen: Seen[AnyView]) -> int:
        from time import thread_time

        until = thread_time() + 0.05
        while thread_time() < until:
            pass
        return seen.moves[0]


class Scribbles(Bot[AnyView]):
    """Changes every list that it is shown, then plays on."""

    def act(self, seen: Seen[AnyView]) -> int:
        move = seen.moves[0]
        for shown in (seen.moves, seen.news, seen.history):
            if isinstance(shown, list):
                shown.clear()
        return move


FAULTS = {
    Illegal: "illegal",
    OutOfRange: "illegal",
    Negative: "illegal",
    RaisesAtOnce: "exception",
    RaisesLate: "exception",
    ReturnsNone: "wrong_type",
    ReturnsName: "wrong_type",
    ReturnsFloat: "wrong_type",
    ReturnsBool: "wrong_type",
    FailsToStart: "start",
    Exits: "exception",
    Recurses: "exception",
    Unspeakable: "exception",
    BadMetric: "exception",
}
"""The rogues that forfeit, and the kind of their fault."""


class SpoilsTheGame(Bot[AnyView]):
    """Overwrites what its game object has; other seats and matches have theirs."""

    def act(self, seen: Seen[AnyView]) -> int:
        self.game.seats = 9
        self.game.sides = (0, 0)
        self.game.table = ()
        self.game.view = None  # type: ignore[method-assign,assignment]
        return seen.moves[0]
