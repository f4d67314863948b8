"""Which games a bot says it plays: `hund`, `code777:3-5`, `seven-symbols:4`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_CLAIM = re.compile(r"(?P<game>[a-z0-9][a-z0-9-]*)(:(?P<low>\d+)(-(?P<high>\d+))?)?")


class Claim(NamedTuple):
    """One entry of a bot's `games`."""

    game: str
    low: int = 0
    """The fewest seats it plays with."""
    high: int = 1_000
    """The most seats it plays with."""

    @classmethod
    def parse(cls, text: str) -> Claim:
        """Read `name`, `name:seats` or `name:from-to`; raises ValueError that shows what was expected."""
        found = _CLAIM.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise ValueError(f"expected 'hund', 'hund:4' or 'code777:3-5', got {text!r}")
        if found["low"] is None:
            return cls(found["game"])
        low = int(found["low"])
        high = int(found["high"] or low)
        if not 0 < low <= high:
            raise ValueError(f"expected seats from a number up to one not lower, got {text!r}")
        return cls(found["game"], low, high)

    def covers(self, game: str, seats: int) -> bool:
        """Whether it says yes to `game` at a table of `seats`."""
        return game == self.game and self.low <= seats <= self.high


def claims(games: Iterable[str]) -> tuple[Claim, ...]:
    """A bot's `games` read; raises ValueError for a wrong entry, also where it is a bare string."""
    if isinstance(games, str):
        raise ValueError(f"expected a tuple of names such as ({games!r},), got the text {games!r}")  # noqa: TRY004 - callers report every wrong claim alike
    return tuple(Claim.parse(entry) for entry in games)


def plays(games: Iterable[str], game: str, seats: int) -> bool:
    """Whether a bot with these `games` plays `game` at a table of `seats`; no entries mean every game."""
    said = claims(games)
    return not said or any(claim.covers(game, seats) for claim in said)
