"""Announces its likeliest code as soon as that is likely enough: waiting leaves the point to others.

A wrong announcement costs what was known of the rack, no points; the more opponents, the sooner it pays.

The default is the best of a round robin at four seats (deals 0 … 149, all rotations, 9,000 matches). Mean
points, all ± 0.02, and share of the wins, by threshold:

    0.30  1.63  23.4 %      0.50  1.87  28.0 %      0.65  1.90  24.3 %
    0.40  1.82  27.9 %      0.60  1.92  26.2 %      0.75  1.85  20.3 %

So where only the first place counts (`payoff=winner`), 0.5 is the better choice.

Against `code777-certain`, in all mixed seatings of each deal, with errors over deals: it has 63.4 ± 1.9 %
of the wins, where 50 % is even, and 0.14 ± 0.04 points a seat more with four seats (deals 0 … 74, 1,050
matches); 55.5 ± 1.3 % with two (deals 0 … 499, 1,000 matches); 65.1 ± 2.1 % with five (deals 0 … 49, 1,000
matches). Against `uniform` it has 100.0 % of the wins with four seats, 99.9 ± 0.1 % with two (the same
deals).
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
