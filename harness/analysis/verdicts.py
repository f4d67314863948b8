"""Who is better than whom, how sure that is, and what follows: ranks, tie groups, the chance of being best.

Everything comes from one place, so that nothing in a report contradicts: the differences of strengths, with
errors over deals, corrected for the number of pairs (Holm 1979). A pair's p-value is the larger of two: that
of Student's t, with degrees of freedom by how evenly the deals contribute, and that of a sign test in which
all informative deals agree, which no other test can undercut. So three deals won out of three prove nothing.
Where one nearly always comes out ahead, errors at the estimate say little, and `harness.analysis.levelled` is
asked instead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from harness.analysis.clusters import LEVEL, as_many_equal, freedom
from harness.analysis.evidence import Evidence
from harness.analysis.levelled import FAR, pull
from harness.analysis.quantiles import t_quantile, t_quantiles
from harness.analysis.strengths import Strengths
from harness.analysis.tables import Bools, Floats

ERROR: Final = 1.0 - LEVEL
"""The chance that any verdict of a game is wrong where bots are equal."""
MODEL: Final = 0.5
"""How many deals the model's own covariance counts for, beside what the deals show."""
DRAWS: Final = 4000
"""Random strengths for the chance of being best: it is good to a percentage point."""
CERTAIN: Final = 1e-6
"""A p-value below this is not looked into further."""


@dataclass(frozen=True)
class Verdicts:
    """About every two of a game's bots; arrays are (bots, bots) or (bots,)."""

    difference: Floats
    """[a, b]: by how much a is stronger, in log odds."""
    error: Floats
    """Its standard error; nan with fewer than two deals."""
    freedom: Floats
    """[a, b]: Student's degrees of freedom of that error."""
    p: Floats
    """Two-sided p-values, corrected for all pairs; 1 on the diagonal and where nothing is known."""
    covariance: Floats
    """Of all strengths, against their average."""
    best: Floats
    """The chance that each is the best of all."""
    more: Floats
    """[a, b]: how many times as many deals as there were would settle this pair; inf where none in sight."""

    @property
    def better(self) -> Bools:
        """[a, b]: whether a is better than b, at the 5 % level for all pairs together."""
        found: Bools = (self.p <= ERROR) & (self.difference > 0)
        return found

    def interval(self, a: int, b: int) -> tuple[float, float]:
        """The 95 % interval of one difference, in log odds; nan where nothing is known."""
        if not self.error[a, b] >= 0:
            return math.nan, math.nan
        reach = t_quantile(LEVEL, int(self.freedom[a, b])) * float(self.error[a, b])
        return float(self.difference[a, b]) - reach, float(self.difference[a, b]) + reach

    def ranks(self, index: int) -> tuple[int, int]:
        """Between which ranks a bot is: 1 + those better, and all but those worse."""
        better = self.better
        return 1 + int(better[:, index].sum()), len(better) - int(better[index].sum())

    def groups(self, order: list[int]) -> list[list[int]]:
        """Bots in `order` in groups: everybody in one is better than everybody in those that follow.

        Within a group no order is proved, though some of its members may be better than others.
        """
        better = self.better[np.ix_(order, order)]
        found: list[list[int]] = [[]]
        for at, index in enumerate(order):
            if at and better[:at, at:].all():
                found.append([])
            found[-1].append(index)
        return found if order else []


def verdicts(strengths: Strengths) -> Verdicts:
    """Judge all pairs."""
    count = len(strengths.entrants)
    clusters = strengths.clusters
    influence = strengths.influence
    difference = strengths.value[:, None] - strengths.value[None, :]
    error = np.full((count, count), np.nan)
    raw = np.ones((count, count))
    spread = covariance(strengths)
    df = np.ones((count, count))
    found: dict[tuple[int, int], Evidence] = {}
    if clusters > 1:
        variance = np.diag(spread)[:, None] + np.diag(spread)[None, :] - 2 * spread
        error = np.sqrt(np.maximum(variance, 0.0))
        for a in range(count):
            apart = influence[:, a : a + 1] - influence
            squares, fourths = (apart**2).sum(axis=0), (apart**4).sum(axis=0)
            df[a] = freedom(squares, fourths, np.full(count, clusters))
            informative = _informative(apart + difference[a] / clusters)
            errors = np.divide(difference[a], error[a], out=np.zeros(count), where=error[a] > 0)
            for b in range(a):
                estimated = Evidence(float(errors[b]), float(df[a, b]), float(informative[b]))
                found[a, b] = _evidence(strengths, estimated, float(difference[a, b]), a, b)
                raw[a, b] = found[a, b].p
    p = holm(raw)
    best = (
        _best(strengths.value, spread, df) if clusters > 1 else np.full(count, np.nan if count > 1 else 1.0)
    )
    return Verdicts(
        difference=difference,
        error=error,
        freedom=df,
        p=p,
        covariance=spread,
        best=best,
        more=more_needed(p, found),
    )


def _informative(parts: Floats) -> Floats:
    """How many deals tell two bots apart: of (deals, bots) parts of a difference, as many equal ones.

    A deal's part is what it moves the difference by and its share of that, its pseudo-value by the jackknife
    over their number. Deals that all say the same count all, though none is off their mean; where everything
    cancelled on nine deals of ten, the tenth counts alone.
    """
    return as_many_equal((parts**2).sum(axis=0), (parts**4).sum(axis=0))


def _evidence(strengths: Strengths, estimated: Evidence, apart: float, a: int, b: int) -> Evidence:
    """Of two bots the test that tells most: at the estimate, or with the two held level."""
    if estimated.p <= CERTAIN or abs(apart) < FAR:
        return estimated
    numbers = int(strengths.number[a]), int(strengths.number[b])
    levelled = pull(strengths.fit, strengths.forfeits, *numbers)
    if levelled is None or levelled.errors * apart <= 0 or levelled.p >= estimated.p:
        return estimated
    return levelled


def covariance(strengths: Strengths) -> Floats:
    """Over deals, and a little of the model's own, in case few deals are informative."""
    count, clusters = len(strengths.entrants), strengths.clusters
    if clusters < 2:
        return np.full((count, count), np.nan)
    centring = np.eye(count) - 1.0 / count
    moved = strengths.influence @ centring
    model = centring @ strengths.model @ centring
    sandwich = clusters / (clusters - 1.0) * (moved.T @ moved)
    found: Floats = (clusters * sandwich + MODEL * model) / (clusters + MODEL)
    return found


def intervals(strengths: Strengths, spread: Floats) -> tuple[Floats, Floats]:
    """(bots,) twice: the ends of everybody's 95 % interval, in log odds against the average bot.

    `spread` is the strengths' `covariance`. As everywhere, quantiles are Student's, with degrees of freedom
    by how evenly the deals contribute; nan with fewer than two deals.
    """
    moved = strengths.influence - strengths.influence.mean(axis=1, keepdims=True)
    counts = np.full(len(strengths.entrants), strengths.clusters)
    df = freedom((moved**2).sum(axis=0), (moved**4).sum(axis=0), counts)
    reach = t_quantiles(LEVEL, df) * np.sqrt(np.diag(spread))
    value = strengths.value - strengths.value.mean() if len(counts) else strengths.value
    return value - reach, value + reach


def holm(raw: Floats) -> Floats:
    """Holm's correction over all pairs; `raw` is read below the diagonal, the result is (bots, bots)."""
    count = len(raw)
    pairs = list(itertools.combinations(range(count), 2))
    found = np.ones_like(raw)
    running = 0.0
    for done, (p, a, b) in enumerate(sorted((raw[b, a], a, b) for a, b in pairs)):
        running = max(running, min(1.0, (len(pairs) - done) * p))
        found[a, b] = found[b, a] = running
    return found


def _best(value: Floats, covariance: Floats, df: Floats) -> Floats:
    """The chance of being the strongest, from strengths drawn around the estimates; equal ones share it.

    What is drawn is how far everybody is from the first in the order, with the degrees of freedom of that
    difference, `df`: so of two bots the chances fit the interval of their difference.
    """
    count = len(value)
    if count < 2:
        return np.ones(count)
    first = int(value.argmax())
    apart = np.eye(count)
    apart[:, first] -= 1.0
    drawn = draws(apart @ value, apart @ covariance @ apart.T, df[first], DRAWS)
    top = np.isclose(drawn, drawn.max(axis=1, keepdims=True), rtol=0.0, atol=1e-9)
    found: Floats = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    return found


def draws(value: Floats, covariance: Floats, df: Floats | float, count: int, seed: int = 0) -> Floats:
    """(count, bots): values drawn around the estimates, with Student's tails; always the same ones.

    `df` are degrees of freedom, one for all, which then widens all of a draw alike, or one each.
    """
    rng = np.random.default_rng(seed)
    sizes, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(sizes, 0.0))
    normal = rng.standard_normal((count, len(value))) @ root.T
    found: Floats = value + normal * np.sqrt(df / rng.chisquare(df, (count, np.size(df))))
    return found


def more_needed(p: Floats, found: Mapping[tuple[int, int], Evidence]) -> Floats:
    """(bots, bots): how many times the deals so far would settle each open pair, if all is as it seems.

    `p` are corrected; a pair that is open shares the chance of an error with the others that are.
    """
    count = len(p)
    times = np.zeros((count, count))
    pending = [(a, b) for a in range(count) for b in range(a) if p[a, b] > ERROR]
    for a, b in pending:
        needed = found[a, b].times(ERROR / len(pending)) if (a, b) in found else math.inf
        times[a, b] = times[b, a] = needed
    return times
