"""The plain mean score of each entrant, with a standard error over deals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from harness.analysis.clusters import Mean, mean_by_cluster
from harness.analysis.results import Entrant, Result
from harness.ratings.core import Rated, Rating

TITLE: Final = "mean score ± standard error over deals, ordered by the mean"


def rate(results: Iterable[Result]) -> Rated:
    """Everybody's mean score over the results; a forfeit counts with the score it was given."""
    scores: dict[Entrant, list[tuple[str, float]]] = {}
    for result in sorted(results, key=lambda result: result.id):
        for side, score in zip(result.sides, result.scores, strict=True):
            for player in side:
                scores.setdefault(player, []).append((result.deal, score))
    return Rated({player: _rating(mean_by_cluster(pairs)) for player, pairs in scores.items()})


def _rating(mean: Mean) -> Rating:
    return Rating(mean.value, mean.error, mean.value)
