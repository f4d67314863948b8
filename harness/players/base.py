"""What a match asks of a player, and how a player says that its bot did wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from bots.core.bot import Clock
from engines.core.game import Game, Move, Outcome
from harness.wording import one_line

LONGEST: Final = 2_000
"""Characters of a fault's line, however much a bot said of itself."""


class BotFault(Exception):
    """A bot did wrong, and forfeits. Anything else that a player raises is not the bot's fault."""

    def __init__(self, kind: str, detail: str) -> None:
        detail = one_line(detail)[:LONGEST]
        super().__init__(detail)
        self.kind = kind
        """One of the kinds of `records.Fault`."""
        self.detail = detail
        """What it did, in one line: the rest of a sentence that begins with the bot, `raised KeyError: 7`."""


class PlatformFault(Exception):
    """Something gave way that is no bot's doing: the try is void."""


class Player(Protocol):
    """One seat of one match. Made fresh for every match; `act` is called only after `start`."""

    cpu_ns: int
    """CPU nanoseconds of the last decision."""

    def start(self, game: Game[Any, Any], seat: int, luck: int) -> None:
        """Make the bot ready; `luck` seeds its generator. Raises BotFault (`start`)."""
        ...

    def act(self, view: Any, moves: Sequence[Move], news: list[tuple[int, Move]], clock: Clock) -> int:
        """The bot's choice as an int, legal or not; sets `cpu_ns`. Raises BotFault.

        `news` are the public moves since this seat was last asked; the list is the player's to keep.
        """
        ...

    def end(self, outcome: Outcome | None) -> None:
        """Tell the bot that the match is over; raises BotFault."""
        ...

    def close(self) -> None:
        """Let go of everything, whatever has happened; called once, also where `start` failed."""
        ...

    def metrics(self) -> dict[str, float]:
        """The bot's own numbers, each averaged over the decisions that recorded it."""
        ...
