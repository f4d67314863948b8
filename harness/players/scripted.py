"""A player that plays a written line: the double of every other player, for tests and for replays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bots.core.bot import Clock
from engines.core.game import Game, Move, Outcome
from harness.players.base import BotFault


class ScriptedPlayer:
    """Plays `script` one entry a decision: a move's name or number, or a BotFault to raise.

    When the script has run out it plays its first legal move. What it was shown is kept in `shown` and
    `outcomes`.
    """

    def __init__(self, script: Iterable[str | int | BotFault] = (), *, start: BotFault | None = None) -> None:
        self.script = list(script)
        self.start_fault = start
        self.cpu_ns = 0
        self.shown: list[tuple[Any, tuple[Move, ...], tuple[tuple[int, Move], ...], Clock]] = []
        self.outcomes: list[Outcome | None] = []

    def start(self, game: Game[Any, Any], seat: int, luck: int) -> None:
        """Keep the game for its names."""
        del seat, luck
        if self.start_fault is not None:
            raise self.start_fault
        self._game = game

    def act(self, view: Any, moves: Sequence[Move], news: list[tuple[int, Move]], clock: Clock) -> int:
        """The next entry of the script."""
        self.shown.append((view, tuple(moves), tuple(news), clock))
        if not self.script:
            return moves[0]
        entry = self.script.pop(0)
        if isinstance(entry, BotFault):
            raise entry
        return self._game.by_name[entry] if isinstance(entry, str) else entry

    def end(self, outcome: Outcome | None) -> None:
        """Keep the outcome."""
        self.outcomes.append(outcome)

    def close(self) -> None:
        """Nothing to let go of."""

    def metrics(self) -> dict[str, float]:
        """None."""
        return {}
