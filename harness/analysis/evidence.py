"""What a test says of two bots: how sure it is, and how much more of the same would make it sure enough."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final, NamedTuple

from harness.analysis.quantiles import t_quantile, t_tail

POWER: Final = 0.8
"""The chance with which the deals that are still to be played would settle a pair."""
_HOPELESS: Final = 1000.0
"""No number is named where more than so many times the deals would be needed."""
_LEAST: Final = 1.1
"""Where a test is nearly sure enough, a little more is named all the same."""
_HALVINGS: Final = 12
"""Of the range from one to that: the number is good to a fifth of a per cent."""


class Evidence(NamedTuple):
    """How far apart two are, and what that rests on."""

    errors: float
    """In standard errors; positive where the first is the stronger."""
    freedom: float
    """Student's degrees of freedom of that."""
    informative: float
    """As many deals told the two apart."""

    @property
    def p(self) -> float:
        """Two-sided, the larger of Student's and of a sign test in which all informative deals agree."""
        if not self.errors or not self.informative:
            return 1.0
        agreeing = min(1.0, math.pow(2.0, 1.0 - self.informative))
        return max(t_tail(abs(self.errors), self.freedom), agreeing)

    def times(self, level: float) -> float:
        """How many times the deals so far would bring p down to `level`, if the two are as they seem.

        Both parts have to get there: Student's, whose degrees of freedom grow with the deals, and that of
        the sign test. Infinite where no number is in sight.
        """
        if not self.errors or not self.informative:
            return math.inf
        signs = (1.0 - math.log2(level)) / self.informative
        times = max(_LEAST, signs, self._times_by_t(level))
        return times if times < _HOPELESS else math.inf

    def _times_by_t(self, level: float) -> float:
        """After how many times the deals Student's test is likely to find the difference."""
        power = NormalDist().inv_cdf(POWER)

        def enough(times: float) -> bool:
            quantile = t_quantile(1.0 - level, max(1, int(self.freedom * times)))
            return quantile + power <= math.sqrt(times) * abs(self.errors)

        low, high = 1.0, _HOPELESS
        if not enough(high):
            return math.inf
        for _ in range(_HALVINGS):
            middle = math.sqrt(low * high)
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high
