"""Tries of matches that came to nothing by no bot's fault: put on record, and made again, each alone."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from harness.executors.base import Batch, Loss
from harness.records import MatchSpec, VoidTry

TRIES: Final = 3
"""Tries that a match gets in one start of a run; then its deal set stays open."""

MOST: Final = 127
"""The highest number of a try that its column holds; those that follow, over many starts, have it too."""


class Tries:
    """The void tries of a run."""

    def __init__(self, before: Iterable[VoidTry]) -> None:
        """`before` are those of earlier starts: counted on from, but not held against a match."""
        self.again: deque[Batch] = deque()
        """Matches to be tried again."""
        self.open_sets: set[str] = set()
        """Deal sets with a match that had too many void tries."""
        self._ever = Counter(tried.match_id for tried in before)
        self._now: Counter[str] = Counter()

    def __contains__(self, spec: MatchSpec) -> bool:
        """Whether the match was ever void."""
        return spec.id in self._ever

    def retry(self, spec: MatchSpec) -> None:
        """Have a match tried once more."""
        self.again.append(Batch((spec,), min(self._ever[spec.id] + 1, MOST)))

    def void(self, batch: Batch, losses: Sequence[Loss]) -> list[VoidTry]:
        """Have what was lost of a batch tried again, as far as it may be; what to put on record of it."""
        now = datetime.now(UTC)
        for loss in losses:
            spec = loss.spec
            self._ever[spec.id] += 1
            self._now[spec.id] += 1
            if self._now[spec.id] < TRIES:
                self.retry(spec)
            else:
                self.open_sets.add(spec.set_id)
        return [VoidTry(loss.spec.id, batch.attempt, now, loss.where, loss.why) for loss in losses]
