"""Strengths from results in any order: maximum likelihood with a weak prior, and errors over deals.

The prior is normal with a standard deviation of 3 (520 Elo points) around the average bot. It is worth less
than a quarter of one result between equals, and keeps the strength of a bot that won everything finite.

Errors are of the sandwich kind, over deals: results on one deal are one observation however many they are,
and deal sets in which everything cancels say so. Forfeits count for the offender alone: everybody is fitted
without them, then each offender's own strength with them, the others' held fixed; its error allows for
theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from harness.analysis.choices import Choices, choices, gradients_by_cluster, slopes
from harness.analysis.outcomes import Outcomes
from harness.analysis.results import Entrant
from harness.analysis.tables import Floats, Ints

PRIOR: Final = 3.0
"""Standard deviation of strengths before anything is known."""
ELO: Final = 400.0 / float(np.log(10.0))
"""Elo points of one unit of strength."""
MOST_CLUSTERS: Final = 5000
"""More deals than these are taken together in so many groups: their errors are good to a hundredth."""
_STEPS: Final = 100
_CLOSE: Final = 1e-7
"""A step of Newton's method below this leaves an error of its square."""


class Fit(NamedTuple):
    """The fit of all fair results; arrays go by its parameters, entrants first."""

    choices: Choices
    strength: Floats
    influence: Floats
    cluster: Ints
    """(results,): the deal, or group of deals, of each."""
    precision: float
    """Of the prior."""

    @property
    def clusters(self) -> int:
        """How many deals, or groups of them, there are."""
        return len(self.influence)


@dataclass(frozen=True)
class Strengths:
    """Everybody's strength at one game, on the scale of log odds. Arrays are (entrants, …)."""

    entrants: list[Entrant]
    value: Floats
    """With the forfeits."""
    fair: Floats
    """Without them: what the others are measured by."""
    influence: Floats
    """(clusters, entrants): how much each deal, or group of deals, moved each strength."""
    deals: int
    """How many deals there were."""
    model: Floats
    """(entrants, entrants): the covariance if all results were independent and the model true."""
    seats: dict[int, tuple[float, float]]
    """By first seat of a side: its effect, against the average seat, and the standard error of that."""
    fit: Fit
    """Of all results without forfeits."""
    forfeits: Outcomes
    """The others."""
    number: Ints
    """(entrants,): everybody's parameter in it."""

    def only(self, entrants: Sequence[Entrant]) -> Strengths:
        """The same fit, told of these entrants alone, in this order."""
        number = {entrant: n for n, entrant in enumerate(self.entrants)}
        some = np.array([number[entrant] for entrant in entrants], dtype=np.int64)
        return replace(
            self,
            entrants=list(entrants),
            value=self.value[some],
            fair=self.fair[some],
            influence=self.influence[:, some],
            model=self.model[np.ix_(some, some)],
            number=self.number[some],
        )

    @property
    def clusters(self) -> int:
        """How many clusters the errors rest on."""
        return len(self.influence)


def strengths(outcomes: Outcomes, prior: float = PRIOR) -> Strengths:
    """Fit everybody in `outcomes`; `prior` is the standard deviation of the prior."""
    count = len(outcomes.entrants)
    fair = outcomes.taken(outcomes.fair)
    found = choices(fair)
    precision = prior**-2
    strength = maximum(found, precision, np.eye(found.parameters))
    seats = count + np.arange(len(found.seats))
    clusters = min(len(outcomes.deals), MOST_CLUSTERS)
    covariance = np.linalg.inv(slopes(found, strength).curvature + precision * np.eye(found.parameters))
    cluster = fair.deal % max(clusters, 1)
    influence = gradients_by_cluster(found, strength, cluster, clusters) @ covariance
    fit = Fit(found, strength, influence, cluster, precision)
    value, moved = strength[:count].copy(), influence[:, :count].copy()
    for offender in np.unique(outcomes.player[outcomes.offender]).tolist():
        value[offender], moved[:, offender] = _with_forfeits(outcomes, offender, fit)
    return Strengths(
        entrants=outcomes.entrants,
        value=value,
        fair=strength[:count],
        influence=moved,
        deals=len(outcomes.deals),
        model=covariance[:count, :count].astype(np.float64),
        seats=_seat_effects(found.seats, strength[seats], influence[:, seats]),
        fit=fit,
        forfeits=outcomes.taken(~outcomes.fair),
        number=np.arange(count),
    )


def maximum(found: Choices, precision: float, basis: Floats) -> Floats:
    """Newton's method; the likelihood with a normal prior has one maximum.

    `basis` is (parameters, free): strengths are sought among its combinations.
    """
    strength = np.zeros(found.parameters)
    now = slopes(found, strength)
    height = now.value
    for _ in range(_STEPS):
        gradient = now.gradient - precision * strength
        curvature = now.curvature + precision * np.eye(len(strength))
        step = basis @ np.linalg.solve(basis.T @ curvature @ basis, basis.T @ gradient)
        size = float(np.abs(step).max(initial=0.0))
        while True:
            then = slopes(found, strength + step)
            reached = then.value - precision / 2.0 * float((strength + step) @ (strength + step))
            if reached >= height or size < _CLOSE:
                break
            step, size = step / 2.0, size / 2.0
        strength, now, height = strength + step, then, reached
        if size < _CLOSE:
            break
    return strength


def _with_forfeits(outcomes: Outcomes, offender: int, fair: Fit) -> tuple[float, Floats]:
    """One offender's own strength and influences, from its fair results and the matches it forfeited."""
    mine = (outcomes.player == offender).any(axis=(1, 2))
    forfeited = ((outcomes.player == offender) & outcomes.offender).any(axis=(1, 2))
    own = outcomes.taken(mine & (outcomes.fair | forfeited))
    found = choices(own, last=offender)
    count = len(outcomes.entrants)
    strength = np.zeros(found.parameters)
    strength[:count] = fair.strength[:count]
    for at, seat in enumerate(found.seats):
        if seat in fair.choices.seats:
            strength[count + at] = fair.strength[count + fair.choices.seats.index(seat)]
    for _ in range(_STEPS):
        now = slopes(found, strength)
        bend = now.curvature[offender, offender] + fair.precision
        step = (now.gradient[offender] - fair.precision * strength[offender]) / bend
        strength[offender] += float(np.clip(step, -1.0, 1.0))
        if abs(step) < _CLOSE:
            break
    clusters = len(fair.influence)
    slope = gradients_by_cluster(found, strength, own.deal % clusters, clusters)[:, offender]
    # The others' strengths are estimates too: what moves them moves this one.
    others = now.curvature[offender, :count].copy()
    others[offender] = 0.0
    return float(strength[offender]), (slope - fair.influence[:, :count] @ others) / bend


def _seat_effects(seats: list[int], effect: Floats, influence: Floats) -> dict[int, tuple[float, float]]:
    if not seats:
        return {}
    centred = influence - influence.mean(axis=1, keepdims=True)
    clusters = len(influence)
    scale = clusters / (clusters - 1.0) if clusters > 1 else np.nan
    errors = np.sqrt(scale * (centred**2).sum(axis=0))
    middle = float(effect.mean())
    return {seat: (float(effect[n]) - middle, float(errors[n])) for n, seat in enumerate(seats)}
