"""Announces its likeliest code as soon as that is likely enough: waiting leaves the point to others.

A wrong announcement costs what was known of the rack, no points; the more opponents, the sooner it pays.
"""

from __future__ import annotations

from random import Random
from typing import Any

from bots import Bot, Seen
from engines.code777 import Code777View, Kind, Move, posterior
from engines.core.game import Game


class Threshold(Bot[Code777View]):
    """Weighs its codes by `posterior`; the option `threshold` says how likely is enough."""

    games = ("code777",)

    def __init__(self, game: Game[Any, Any], seat: int, rng: Random, threshold: float = 0.6) -> None:
        super().__init__(game, seat, rng)
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold: expected a number above 0, up to 1, got {threshold}")
        self.threshold = threshold
        self.heard = -2
        self.best = ("", 0.0)

    def act(self, seen: Seen[Code777View]) -> Move:
        if seen.moves[0].kind is Kind.RACK:
            return seen.moves[0]
        code, chance = self.likeliest(seen.view)
        if chance < self.threshold:
            return seen.moves[0]  # PASS
        return next(move for move in seen.moves if move.name == f"ANNOUNCE {code}")

    def likeliest(self, view: Code777View) -> tuple[str, float]:
        """The likeliest code and its chance; kept while there is only its own answer to add."""
        news = len(view.record) - self.heard
        if news == 0 or (news == 1 and view.reader == self.seat and not view.done):
            self.heard = len(view.record)
            return self.best
        self.heard = len(view.record)
        self.best = max(posterior(view).items(), key=lambda item: item[1])
        return self.best
