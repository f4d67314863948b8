"""Student's t and chi-square, without loading a library of half a second for them.

Tails come from the incomplete beta and gamma functions (continued fractions and series, Numerical Recipes
6.2 and 6.4), to about twelve digits.
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

_TINY: Final = 1e-300
_CLOSE: Final = 1e-15
_NEARLY_NORMAL: Final = 10_000_000
"""From so many degrees of freedom on, t is normal to seven digits."""


def t_tail(t: float, df: float) -> float:
    """The chance that |T| exceeds `t` with `df` degrees of freedom: the two-sided p-value."""
    if math.isnan(t) or math.isinf(t):
        return math.nan if math.isnan(t) else 0.0
    if df >= _NEARLY_NORMAL:
        return math.erfc(abs(t) / math.sqrt(2.0))
    return _beta(df / 2.0, 0.5, df / (df + t * t))


@functools.lru_cache(maxsize=4096)
def t_quantile(level: float, df: int) -> float:
    """The t that |T| exceeds with chance 1 - `level`; `df` is at least 1."""
    start = NormalDist().inv_cdf(0.5 + level / 2.0)
    if df >= _NEARLY_NORMAL:
        return start
    low, high = 0.0, start
    while t_tail(high, df) > 1.0 - level:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if t_tail(middle, df) > 1.0 - level:
            low = middle
        else:
            high = middle
    return high


def t_quantiles(level: float, df: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """`t_quantile` for an array of degrees of freedom, rounded down to whole ones; at least 1."""
    whole, where = np.unique(np.maximum(np.floor(df), 1.0), return_inverse=True)
    found = np.array([t_quantile(level, int(one)) for one in whole], dtype=np.float64)
    return found[where].reshape(df.shape)


def chi2_tail(x: float, df: float) -> float:
    """The chance that a chi-square variable with `df` degrees of freedom exceeds `x`."""
    if x <= 0.0:
        return 1.0
    a, half = df / 2.0, x / 2.0
    scale = math.exp(-half + a * math.log(half) - math.lgamma(a))
    if half < a + 1.0:
        term = total = 1.0 / a
        n = a
        while abs(term) > abs(total) * _CLOSE:
            n += 1.0
            term *= half / n
            total += term
        return max(0.0, 1.0 - total * scale)
    b = half + 1.0 - a
    c, d = 1.0 / _TINY, 1.0 / b
    h = d
    for i in range(1, 10_000):
        factor = -i * (i - a)
        b += 2.0
        d = 1.0 / _away(factor * d + b)
        c = _away(b + factor / c)
        h *= d * c
        if abs(d * c - 1.0) < _CLOSE:
            break
    return scale * h


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0.0 or x >= 1.0:
        return min(max(x, 0.0), 1.0)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1.0))
    h = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for factor in (even, odd):
            d = 1.0 / _away(1.0 + factor * d)
            c = _away(1.0 + factor / c)
            h *= d * c
        if abs(d * c - 1.0) < _CLOSE:
            break
    return h


def _away(x: float) -> float:
    """`x`, kept away from zero."""
    return x if abs(x) > _TINY else _TINY
