"""Plays any legal move of any game, each as likely as the others: the yardstick for all else."""

from __future__ import annotations

from bots.core.bot import Bot, Seen
from engines.core.game import Move, View


class Uniform(Bot[View[Move]]):
    """Every legal move with the same probability."""

    def act(self, seen: Seen[View[Move]]) -> int:
        return self.rng.choice(seen.moves)
