"""The plain mean score of each entrant, with a standard error over deals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from harness.analysis.clusters import ratios
from harness.analysis.outcomes import NOBODY, outcomes
from harness.analysis.results import Result
from harness.ratings.core import Rated, Rating

TITLE: Final = "mean score ± standard error over deals, ordered by the mean"


def rate(results: Iterable[Result]) -> Rated:
    """Everybody's mean score over the results; a forfeit counts with the score it was given."""
    played = outcomes(results)
    rows, sides, places = np.nonzero(played.player != NOBODY)
    score = played.score[rows, sides]
    scale = (float(score.min()), float(score.max())) if len(score) else (0.0, 0.0)
    found = ratios(
        played.player[rows, sides, places],
        played.deal[rows],
        score,
        np.ones(len(rows)),
        len(played.entrants),
        scale,
    )
    values, errors = found.value.tolist(), found.error.tolist()
    ratings = {
        player: Rating(value, error, value)
        for player, value, error in zip(played.entrants, values, errors, strict=True)
    }
    return Rated(ratings)
