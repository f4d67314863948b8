"""Means of numbers that come in clusters: matches on one deal share its luck.

Everything with a standard error or an interval comes from `ratios`: for any number of groups at once (bots,
pairs, seats) the total over the size of all their parts. With totals S and sizes n by cluster, G clusters
and ratio m the squared error is the linearised (sandwich) one, G/(G-1) · Σ(S - m·n)² / (Σn)².

The interval is Wilson's on the scale from the least to the most possible, with the sample size that such an
error would belong to (Korn and Graubard 1998; Franco et al. 2019 find it the best of its kind for clustered
shares), so it stays within that scale and has a width at 0 % and 100 %. Its quantile is Student's, with
degrees of freedom from how evenly the clusters contribute (Satterthwaite): few clusters that differ from the
rest, such as the one deal in thirty that two versions of a bot play differently, say little about the error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.analysis.quantiles import t_quantiles

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.signedinteger[Any]]

LEVEL: Final = 0.95
"""The confidence of every interval."""
_ROUNDING: Final = 1e-12
"""Deviations below this part of the scale are rounding."""


class Mean(NamedTuple):
    """A mean with its standard error and 95 % interval."""

    value: float
    error: float
    """Standard error over clusters; nan where there is only one cluster."""
    clusters: int
    low: float = math.nan
    """Lower end of the interval; nan where it is not known."""
    high: float = math.nan


@dataclass(frozen=True)
class Ratios:
    """One mean a group; arrays are (groups,)."""

    value: Floats
    error: Floats
    """nan where a group has fewer than two clusters."""
    clusters: Ints
    low: Floats
    high: Floats

    def at(self, index: int) -> Mean:
        """One group's mean."""
        return Mean(
            float(self.value[index]),
            float(self.error[index]),
            int(self.clusters[index]),
            float(self.low[index]),
            float(self.high[index]),
        )


def ratios(
    group: Ints, cluster: Ints, total: Floats, size: Floats, groups: int, scale: tuple[float, float]
) -> Ratios:
    """Total over size for each of `groups` groups, with error and interval over clusters.

    `group`, `cluster`, `total` and `size` have one entry a part, in any order of groups and clusters that is
    itself canonical: sums follow it. `scale` has the least and the most that a ratio can be.
    """
    many = int(cluster.max()) + 1 if len(cluster) else 1
    cells, where = np.unique(group * many + cluster, return_inverse=True)
    owner = cells // many
    totals = sums(where, total, len(cells))
    sizes = sums(where, size, len(cells))
    filled = sizes > 0
    owner, totals, sizes = owner[filled], totals[filled], sizes[filled]
    count = np.bincount(owner, minlength=groups)
    whole = sums(owner, sizes, groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = sums(owner, totals, groups) / whole
    apart = totals - value[owner] * sizes
    apart[np.abs(apart) <= _ROUNDING * (scale[1] - scale[0]) * sizes] = 0.0
    squares = sums(owner, apart**2, groups)
    fourths = sums(owner, apart**4, groups)
    return _intervals(value, whole, count, squares, fourths, scale)


def _intervals(
    value: Floats, whole: Floats, count: Counts, squares: Floats, fourths: Floats, scale: tuple[float, float]
) -> Ratios:
    low, high = scale
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(count > 1, np.sqrt(count / (count - 1.0) * squares) / whole, np.nan)
        q = t_quantiles(LEVEL, freedom(squares, fourths, count))
        x = (value - low) / (high - low)
        spread = x * (1.0 - x)
        # As many independent observations as have this error; where all clusters are alike their number.
        alike = squares <= 0.0
        effective = np.where(alike, count, spread * (high - low) ** 2 / error**2)
        unseen = q**2 / (effective + q**2)
        centre = x + (0.5 - x) * unseen
        half = (1.0 - unseen) * q * np.sqrt(spread / effective + (q / (2.0 * effective)) ** 2)
        # All clusters alike and in the middle: what none of them has shown may still happen.
        lower = np.where(alike, x - x * unseen, centre - half)
        upper = np.where(alike, x + (1.0 - x) * unseen, centre + half)
        known = (count > 1) & (high > low)
        lower = np.where(known, low + np.clip(lower, 0.0, 1.0) * (high - low), np.nan)
        upper = np.where(known, low + np.clip(upper, 0.0, 1.0) * (high - low), np.nan)
    if high == low:
        lower, upper = value, value
    return Ratios(value, error, count.astype(np.int64), lower, upper)


def as_many_equal(squares: Floats, fourths: Floats) -> Floats:
    """How many parts of equal size have these sums of squared and fourth powers; 0 where all are 0."""
    found: Floats = np.divide(squares**2, fourths, out=np.zeros(np.shape(squares)), where=fourths > 0)
    return found


def freedom(squares: Floats, fourths: Floats, count: Counts) -> Floats:
    """Degrees of freedom of an error from sums of squared and fourth powers of the clusters' deviations.

    Satterthwaite's 2·V²/Var(V), estimated: clusters of equal normal deviations have about their number less
    one, and three that differ among a hundred that do not have eight.
    """
    even = as_many_equal(squares, fourths)
    found: Floats = np.clip(3.0 * even - 1.0, 1.0, np.maximum(count - 1.0, 1.0))
    return np.where(fourths > 0, found, np.maximum(count - 1.0, 1.0))


def sums(where: npt.NDArray[Any], values: Floats, count: int) -> Floats:
    """(count,): the sum of the values of each number in `where`, in their order."""
    return np.asarray(np.bincount(where, weights=values, minlength=count), dtype=np.float64)


def numbered(names: Sequence[str]) -> tuple[Ints, list[str]]:
    """Every name's number among the different ones, and these in text order."""
    different = sorted(set(names))
    number = {name: index for index, name in enumerate(different)}
    return np.fromiter((number[name] for name in names), dtype=np.int64, count=len(names)), different
