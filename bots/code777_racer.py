"""Announces when that is worth more than to wait, by what the next questions will tell it and its rivals.

It draws how its own knowledge may grow (bots/code777/forecast.py) and how long the game may last, from
its rivals' points and from what each can know of its own rack by now (bots/code777/rivals.py). To announce
with chance p is worth p points and a fresh rack; to wait until p is greater costs questions, and the game
may be over. So it waits early in a game, and dares when a rival is about to win.

Options: `nodes` (paths drawn for a decision; without it the match's node limit, or 48).
Silence of others is not taken as evidence, racks of others are taken to stand while it waits.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from bots import Bot, Seen
from bots.code777.forecast import Forecast
from bots.code777.rivals import LEAST, RIGHT, gathering, likeliest, until_over
from engines.code777 import Code777View, Kind, Move, posterior
from engines.core.game import Game

PATHS: Final = 48
LEVELS: Final = (0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 0.99)
"""The plans that it compares: wait until so sure."""
COST: Final = 0.8
"""How much of the time that waiting costs counts: in part it is needed anyhow."""
HOPELESS: Final = 0.05
"""Below such a chance it does not think of announcing."""


class Racer(Bot[Code777View]):
    """Compares announcing now with the best plan of waiting, by expected points."""

    games = ("code777",)

    def __init__(self, game: Game[Any, Any], seat: int, rng: Random, nodes: int | None = None) -> None:
        super().__init__(game, seat, rng)
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes: expected a whole number of paths from 1, got {nodes!r}")
        self.nodes = nodes

    def act(self, seen: Seen[Code777View]) -> Move:
        view = seen.view
        if seen.moves[0].kind is Kind.RACK:
            return seen.moves[0]
        code, chance = max(posterior(view).items(), key=lambda item: item[1])
        if chance < HOPELESS or (chance < 1 and not self.better_now(seen, chance)):
            return seen.moves[0]  # PASS
        return next(move for move in seen.moves if move.name == f"ANNOUNCE {code}")

    def better_now(self, seen: Seen[Code777View], chance: float) -> bool:
        """Whether announcing with this chance beats every plan of waiting."""
        view, rng = seen.view, self.rng
        limits = [limit for limit in (self.nodes, seen.clock.nodes) if limit is not None]
        paths = min(limits, default=PATHS)
        seen.metric("nodes", paths)
        forecast = Forecast(view)
        sure = likeliest(self.game, view, rng)
        target = self.game.rules.target  # type: ignore[attr-defined]  # the game's own
        now, waiting = 0.0, [0.0] * len(LEVELS)
        for _ in range(paths):
            path = forecast.path(rng)
            left = until_over(view, target, sure, rng)
            now += self.worth(view, target, chance, left)
            for place, level in enumerate(LEVELS):
                after = next((i for i, p in enumerate(path) if p >= level), len(path) - 1)
                if after + 1 < left:
                    waiting[place] += self.worth(view, target, path[after], left - after - 1)
        return now >= max(waiting)

    def worth(self, view: Code777View, target: int, chance: float, left: float) -> float:
        """Points expected from an announcement with this chance and from the questions left after it."""
        wanting = target - view.scores[self.seat]
        fresh = gathering(len(view.scores))
        # What is left of the game is worth nothing unless there is time to learn a fresh rack.
        more = COST * RIGHT * max(0.0, left - LEAST * fresh) / fresh
        return chance * (1 + min(wanting - 1, more)) + (1 - chance) * min(wanting, more)
