"""Announces at a threshold that fits the table, and sooner where a rival may win before it is surer.

While nobody is one point from winning it announces when its likeliest code is as likely as its threshold.
Then it compares, by expected points: to announce now, or to wait for the next answers until it is surer,
if the game lasts so long. How its own knowledge may grow it draws from its posterior and the questions to
come (bots/code777/forecast.py); how long the game may last from its rivals' points, and from what each can
know of its own rack by now, which is the exact posterior of the rival's view (bots/code777/rivals.py).

Options: `nodes` (futures drawn for a decision; without it the match's node limit, or 48), `threshold`
(by default THRESHOLDS). Not modelled: what others' silence says, and that racks change while it waits.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from bots import Bot, Seen
from bots.code777.forecast import Forecast
from bots.code777.rivals import likeliest, until_over
from engines.code777 import Code777View, Kind, Move, posterior
from engines.core.game import Game

FUTURES: Final = 48
THRESHOLDS: Final = {2: 0.6, 3: 0.65, 4: 0.6, 5: 0.6}
"""By seats, from matches against `code777-threshold`."""
PLANS: Final = (0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9)
"""The plans of waiting that are compared: until so sure."""


class Racer(Bot[Code777View]):
    """A threshold while there is time; announcing or waiting by expected points when there may be none."""

    games = ("code777",)

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        rng: Random,
        nodes: int | None = None,
        threshold: float | None = None,
    ) -> None:
        super().__init__(game, seat, rng)
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes: expected a whole number of futures from 1, got {nodes!r}")
        if threshold is not None and not 0 < threshold <= 1:
            raise ValueError(f"threshold: expected a number above 0, up to 1, got {threshold!r}")
        self.nodes = nodes
        self.threshold = threshold or THRESHOLDS[game.seats]
        self.target = int(game.rules.target)  # type: ignore[attr-defined]  # the game's own

    def act(self, seen: Seen[Code777View]) -> Move:
        view = seen.view
        if seen.moves[0].kind is Kind.RACK:
            return seen.moves[0]
        code, chance = max(posterior(view).items(), key=lambda item: item[1])
        if chance >= self.threshold or (self.pressed(view) and self.better_now(seen, chance)):
            return next(move for move in seen.moves if move.name == f"ANNOUNCE {code}")
        return seen.moves[0]  # PASS

    def pressed(self, view: Code777View) -> bool:
        """Whether a rival is one point from winning."""
        return any(s == self.target - 1 for seat, s in enumerate(view.scores) if seat != self.seat)

    def better_now(self, seen: Seen[Code777View], chance: float) -> bool:
        """Whether announcing with this chance is worth more than every plan of waiting."""
        limits = [limit for limit in (self.nodes, seen.clock.nodes) if limit is not None]
        futures = min(limits, default=FUTURES)
        seen.metric("nodes", futures)
        forecast, rng = Forecast(seen.view), self.rng
        sure = likeliest(self.game, seen.view, rng)
        waiting = [0.0] * len(PLANS)
        for _ in range(futures):
            path, left = forecast.path(rng), until_over(seen.view, self.target, sure, rng)
            for place, level in enumerate(PLANS):
                after = next((i for i, p in enumerate(path) if p >= level), len(path) - 1)
                if after + 1 < left:
                    waiting[place] += path[after]
        return chance * futures > max(waiting)
