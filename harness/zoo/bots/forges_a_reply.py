"""Writes a reply to the referee's channel itself, with a number that it guesses."""

from __future__ import annotations

import os
from typing import Any

from bots import Bot, Seen

CONTAINED_FROM = "bounded"
FAULTS = ("malformed",)


class ForgesAReply(Bot[Any]):
    def __init__(self, game: Any, seat: int, rng: Any, **_: Any) -> None:
        super().__init__(game, seat, rng)

    def act(self, seen: Seen[Any]) -> int:
        for guess in range(3):
            os.write(CHANNEL, bytes([0x93, 0xA1, 0x41, guess, int(seen.moves[0]) % 128]))
        return seen.moves[0]
