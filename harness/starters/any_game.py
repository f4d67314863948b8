"""A first bot for a game that has no starter of its own."""

from __future__ import annotations

from harness.starters.writing import Case

BOT = '''"""Tries every move in a few worlds that could be, each played to the end at random."""

from bots import Bot, Seen
from engines.core.game import Move, View

WORLDS = 4


class $kind(Bot[View[Move]]):
    games = ("$claim",)

    def act(self, seen: Seen[View[Move]]) -> int:
        totals = dict.fromkeys(seen.moves, 0.0)
        for _ in range(WORLDS):
            world = self.game.sample(seen.view, self.rng)
            for move in seen.moves:
                after = world.copy()
                after.play(move)
                after.playout(self.rng.getrandbits(53))
                totals[move] += after.outcome().scores[self.seat]
        return max(totals, key=lambda move: totals[move])
'''


def cases(seats: int) -> list[Case]:
    """None: its game is not known here."""
    del seats
    return []
