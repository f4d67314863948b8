"""Strength by the Plackett-Luce model (Bradley-Terry for two sides), in Elo points against the average bot.

The order of matches does not matter: it is a fit to all results at once (`harness.analysis.strengths`), with
teams, draws as half wins, an effect for the seat and a weak prior. The error is over deals.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from harness.analysis.outcomes import outcomes
from harness.analysis.results import Result
from harness.analysis.strengths import ELO, strengths
from harness.analysis.verdicts import covariance
from harness.ratings.core import Rated, Rating

TITLE: Final = "Plackett-Luce strength in Elo points ± standard error over deals, ordered by strength"


def rate(results: Iterable[Result]) -> Rated:
    """Everybody's strength; forfeits count for the offender alone."""
    fitted = strengths(outcomes(results))
    values = ELO * (fitted.value - fitted.value.mean()) if len(fitted.value) else fitted.value
    errors = ELO * np.sqrt(np.diag(covariance(fitted)))
    ratings = {
        entrant: Rating(value, error, value)
        for entrant, value, error in zip(fitted.entrants, values.tolist(), errors.tolist(), strict=True)
    }
    return Rated(ratings, {f"seat_{seat}": ELO * effect for seat, (effect, _) in fitted.seats.items()})
