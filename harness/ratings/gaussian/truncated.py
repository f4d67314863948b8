"""Moments of a truncated Gaussian, as TrueSkill needs them, safe at any distance.

`v` and `w` of Herbrich, Minka and Graepel 2007: by how much a result moves the mean of a performance
difference and shrinks its variance. `t` is the expected difference and `e` the draw margin, both in
standard deviations of the difference. The textbook quotients lose all digits where a result was next to
impossible; there Mills' ratio takes over.
"""

from __future__ import annotations

import math
from typing import Final

_SQRT2: Final = math.sqrt(2.0)
_SQRT2PI: Final = math.sqrt(2.0 * math.pi)
_TAIL: Final = -35.0
_MOST: Final = 1.0 - 1e-12
"""`w` is below 1 by definition, also where rounding says otherwise: a variance stays positive."""


def cdf(x: float) -> float:
    """The standard normal distribution function."""
    return math.erfc(-x / _SQRT2) / 2.0


def pdf(x: float) -> float:
    """The standard normal density."""
    return math.exp(-x * x / 2.0) / _SQRT2PI


def mills(x: float) -> float:
    """cdf(x) / pdf(x), for x up to about 37."""
    if x > _TAIL:
        return cdf(x) / pdf(x)
    q = 1.0 / (x * x)
    return -(1.0 - q * (1.0 - 3.0 * q * (1.0 - 5.0 * q))) / x


def win(t: float, e: float) -> tuple[float, float]:
    """`v_win` and `w_win` at once."""
    x = t - e
    v = _density(x)
    return v, _share(v * (v + x))


def draw(t: float, e: float) -> tuple[float, float]:
    """`v_draw` and `w_draw` at once."""
    distance = -t if t < 0.0 else t
    a, b = e - distance, -e - distance
    q = math.exp(-2.0 * e * distance)
    below = mills(a) - mills(b) * q
    if below <= 0.0:
        return (-distance if t >= 0.0 else distance), _MOST
    v = (q - 1.0) / below
    return (v if t >= 0.0 else -v), _share(v * v + (a - b * q) / below)


def _density(x: float) -> float:
    """pdf(x) / cdf(x)."""
    if x > _TAIL:
        return 2.0 * math.exp(-x * x / 2.0) / (_SQRT2PI * math.erfc(-x / _SQRT2))
    return 1.0 / mills(x)


def _share(w: float) -> float:
    return min(max(w, 0.0), _MOST)
