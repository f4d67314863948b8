"""How long matches take, learned while they are played, so that batches are of about a second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from harness.executors.base import BatchResult
from harness.records import MatchSpec

BATCH_SECONDS: Final = 1.0
"""What a batch should take: long beside the cost of sending it, short beside a user's patience."""
MOST: Final = 2_000
"""Matches in a batch, at most."""
_SHARES: Final = 4
"""The rest of a run is cut into so many batches a worker at least, so that all end together."""


class Pace:
    """The mean cost of a seat by (game, bot), and what a match costs beside its bots."""

    def __init__(self) -> None:
        self._seats: dict[tuple[str, str], tuple[int, float]] = {}
        self._matches = 0
        self._beside = 0.0

    def learn(self, result: BatchResult) -> None:
        """Take in what a batch took."""
        cpu = 0.0
        for key, tally in result.tallies.items():
            games, seconds = self._seats.get(key, (0, 0.0))
            self._seats[key] = (games + tally.games, seconds + tally.cpu_ms / 1e3)
            cpu += tally.cpu_ms / 1e3
        self._matches += result.played
        self._beside += max(0.0, result.seconds - cpu)

    def seconds(self, specs: Iterable[MatchSpec]) -> float:
        """What these matches will take; infinite where a bot has not played yet."""
        total = 0.0
        for spec in specs:
            for ref in spec.seats:
                known = self._seats.get((spec.game, ref.name))
                if known is None:
                    return float("inf")
                total += known[1] / known[0]
            total += self._beside / self._matches
        return total

    def full(self, batch: Sequence[MatchSpec], seconds: float, left: int, workers: int) -> bool:
        """Whether a batch that takes `seconds` is long enough, with `left` matches to play in all."""
        fair = max(1, left // (workers * _SHARES))
        return seconds >= BATCH_SECONDS or len(batch) >= min(MOST, fair)
