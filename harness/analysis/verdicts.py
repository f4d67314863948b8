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
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from harness.analysis.clusters import LEVEL, freedom
from harness.analysis.levelled import FAR, level_p
from harness.analysis.quantiles import t_quantile, t_tail
from harness.analysis.strengths import Strengths
from harness.analysis.tables import Bools, Floats

ERROR: Final = 1.0 - LEVEL
"""The chance that any verdict of a game is wrong where bots are equal."""
POWER: Final = 0.8
"""The chance with which the deals that are still to be played would settle a pair."""
MODEL: Final = 0.5
"""How many deals the model's own covariance counts for, beside what the deals show."""
DRAWS: Final = 4000
"""Random strengths for the chance of being best: it is good to a percentage point."""
CERTAIN: Final = 1e-6
"""A p-value below this is not looked into further."""
_HOPELESS: Final = 1000.0
"""No number is named where more than so many times the deals would be needed."""
_HALVINGS: Final = 12
"""Of the range from one to that: the number is good to a fifth of a per cent."""


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
    informative = np.zeros((count, count))
    if clusters > 1:
        variance = np.diag(spread)[:, None] + np.diag(spread)[None, :] - 2 * spread
        error = np.sqrt(np.maximum(variance, 0.0))
        for a in range(count):
            apart = influence[:, a : a + 1] - influence
            squares, fourths = (apart**2).sum(axis=0), (apart**4).sum(axis=0)
            df[a] = freedom(squares, fourths, np.full(count, clusters))
            informative[a] = np.divide(squares**2, fourths, out=np.zeros(count), where=fourths > 0)
            for b in range(a):
                raw[a, b] = _p(difference[a, b], error[a, b], df[a, b], informative[a, b])
                if raw[a, b] > CERTAIN and _far(strengths, a, b):
                    found = level_p(strengths.fit, int(strengths.number[a]), int(strengths.number[b]))
                    raw[a, b] = min(raw[a, b], found)
    p = holm(raw)
    return Verdicts(
        difference=difference,
        error=error,
        freedom=df,
        p=p,
        covariance=spread,
        best=_best(strengths.value, spread, clusters),
        more=more_needed(difference, error, p, df, informative),
    )


def _far(strengths: Strengths, a: int, b: int) -> bool:
    """Whether two are far apart by fair results; who forfeited has its own error beside these."""
    two = [a, b]
    apart = strengths.fair[a] - strengths.fair[b]
    return bool(abs(apart) >= FAR and (strengths.fair[two] == strengths.value[two]).all())


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


def _p(difference: float, error: float, df: float, informative: float) -> float:
    """The p-value of one pair, before correction; `informative`: as many deals told the two apart."""
    if not difference or not informative:
        return 1.0
    return max(t_tail(difference / error, df), min(1.0, math.pow(2.0, 1.0 - informative)))


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


def _best(value: Floats, covariance: Floats, clusters: int) -> Floats:
    """The chance of being the strongest, from strengths drawn around the estimates; equal ones share it."""
    count = len(value)
    if count < 2 or clusters < 2:
        return np.full(count, 1.0 if count == 1 else np.nan)
    drawn = draws(value, covariance, clusters, DRAWS)
    top = np.isclose(drawn, drawn.max(axis=1, keepdims=True), rtol=0.0, atol=1e-9)
    found: Floats = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    return found


def draws(value: Floats, covariance: Floats, clusters: int, count: int, seed: int = 0) -> Floats:
    """(count, bots): strengths drawn around the estimates, with Student's tails; always the same ones."""
    rng = np.random.default_rng(seed)
    sizes, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(sizes, 0.0))
    normal = rng.standard_normal((count, len(value))) @ root.T
    df = clusters - 1.0
    found: Floats = value + normal * np.sqrt(df / rng.chisquare(df, (count, 1)))
    return found


def more_needed(difference: Floats, error: Floats, p: Floats, df: Floats, informative: Floats) -> Floats:
    """How many times the deals so far would settle each open pair, if the difference is as it seems.

    Both of a p-value's parts have to get there: Student's, whose degrees of freedom grow with the deals, and
    that of the sign test. All arrays are (bots, bots).
    """
    count = len(difference)
    level = ERROR / max(1, count * (count - 1) // 2)
    found = np.zeros((count, count))
    for a, b in itertools.combinations(range(count), 2):
        if p[a, b] <= ERROR:
            continue
        times = math.inf
        if difference[a, b] and error[a, b] > 0 and informative[a, b] > 0:
            signs = (1.0 - math.log2(level)) / float(informative[a, b])
            ratio = abs(float(error[a, b] / difference[a, b]))
            times = max(1.1, signs, _times_by_t(ratio, float(df[a, b]), level))
        found[a, b] = found[b, a] = times if times < _HOPELESS else math.inf
    return found


def _times_by_t(ratio: float, df: float, level: float) -> float:
    """After how many times the deals Student's test is likely to find a difference of `1/ratio` errors."""
    power = NormalDist().inv_cdf(POWER)

    def enough(times: float) -> bool:
        quantile = t_quantile(1.0 - level, max(1, int(df * times)))
        return (quantile + power) * ratio <= math.sqrt(times)

    low, high = 1.0, _HOPELESS
    if not enough(high):
        return math.inf
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
