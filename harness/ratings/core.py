"""What every rating method answers with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from harness.analysis.results import Entrant


class Rating(NamedTuple):
    """One entrant's rating, in the units of its method."""

    value: float
    error: float
    """How unsure the value is, by the method's own lights; infinite or nan where it cannot say."""
    order: float
    """What the ranking goes by, larger is better; equal numbers share a rank."""


class Rated(NamedTuple):
    """All ratings, and what was estimated on the way."""

    ratings: Mapping[Entrant, Rating]
    details: Mapping[str, float] = {}
    """Numbers that belong in the heading, such as `draw_probability`."""
