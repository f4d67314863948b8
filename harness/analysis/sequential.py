"""Is one bot better than another? A test that may be looked at as often as one likes.

The observation is one deal set's *share*: what the first of two bots got of what the two played for, from 0
to 1, and 1/2 where they did equally well. Sets of different deals are independent, the distribution of their
shares is unknown (most sets may cancel exactly), and the test is looked at while it runs. So it bets: whoever
believes that the mean share is at most m may be offered, before every set, a stake of which the fraction f is
put on more. The stake becomes

    product over sets of  (1 - f) + f · share / m

and if he is right it is not expected to grow, whatever the distribution. By Ville's inequality the chance
that it *ever* reaches 1/a is at most a: so the error rate holds at every look, at the last and when one
stops because one likes what one sees. No variance is estimated and no sample is large enough. Several
fractions are bet at once and their stakes averaged (`e_value`), so that small and large differences are
both found; the best of them is the empirical likelihood ratio against m, the statistic of chess testers'
GSPRT on game pairs, and averaging, where that takes the maximum, is what makes the error rate exact.

One number, the error a (5 % unless told otherwise), bounds three mistakes, each by itself:

- *better* although the two are equal: either way, a/2 each side;
- an interval that does not have the true mean share in it: a, at all looks together;
- *cannot be told apart within the margin* although the mean share is off 1/2 by the margin or more: a.

The test only wants deal sets that were not selected by their results: whole rounds in the order of the
schedule. Sources: I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting", J.
R. Stat. Soc. B 86 (2024); A. Owen, "Empirical likelihood ratio confidence intervals", Biometrika 75 (1988);
J. Ville, "Étude critique de la notion de collectif" (1939).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

EVEN: Final = 0.5
"""The mean share of two bots that are equally good."""
DECIMALS: Final = 12
"""To which shares are told apart, so that rounding does not part a tie."""
_STEP: Final = 1.5
"""From one fraction of the stake to the next: finer ones change the averaged stake by a few per cent."""
_HALVINGS: Final = 30
"""Bisections for a bound of the interval: to nine decimals."""


class Shares:
    """The shares of deal sets, counted: the test depends on nothing else."""

    def __init__(self, shares: Iterable[float] = ()) -> None:
        self.counts: Counter[float] = Counter()
        self.add(shares)

    def add(self, shares: Iterable[float]) -> None:
        """Take in more; raises ValueError for one outside 0 … 1."""
        for share in shares:
            if not 0 <= share <= 1:
                raise ValueError(f"a deal set's share: expected 0 to 1, got {share}")
            self.counts[round(share, DECIMALS)] += 1

    def __len__(self) -> int:
        return self.counts.total()

    @property
    def mean(self) -> float:
        """The mean share; 1/2 where there is none."""
        total = math.fsum(share * count for share, count in self.counts.items())
        return total / len(self) if self.counts else EVEN

    @property
    def split(self) -> tuple[int, int, int]:
        """Deal sets that the first bot won, that were level, and that it lost."""
        won = sum(count for share, count in self.counts.items() if share > EVEN)
        level = self.counts[EVEN]
        return won, level, len(self) - won - level


@dataclass(frozen=True)
class Finding:
    """What the test says after so many deal sets."""

    verdict: str
    """`better` or `worse` (the first bot), `equal` (within the margin), or `open`."""
    share: float
    """The first bot's mean share."""
    low: float
    high: float
    """The interval for the true mean share that holds at all looks together, with error `error`."""
    better: float
    """e-value, a likelihood ratio, for the first bot's being better; `needed` decides."""
    worse: float
    """The same for the second's being better."""
    needed: float
    """2 / error."""
    below: float
    """e-value for the share's being less than 1/2 + margin; `needed_each` decides."""
    above: float
    """The same for its being more than 1/2 - margin; both must be had."""
    needed_each: float
    """1 / error."""
    sets: int
    won: int
    level: int
    lost: int
    """Deal sets by who got more of them."""


@dataclass(frozen=True)
class Test:
    """The test with what it has been told to tell apart, and how often it may err."""

    __test__ = False  # pytest: not one of yours

    margin: float = 0.02
    """How far from 1/2 the mean share may be when two bots count as equal; also the least that is bet on."""
    error: float = 0.05
    """The chance of each of the three mistakes that the module names."""

    def __post_init__(self) -> None:
        if not 0 < self.margin < EVEN:
            raise ValueError(f"margin: expected a number above 0 and below 0.5, got {self.margin}")
        if not 0 < self.error < 1:
            raise ValueError(f"error: expected a number above 0 and below 1, got {self.error}")

    @property
    def fractions(self) -> tuple[float, ...]:
        """The fractions of the stake that are bet: the best one for a difference d is about 2d or more."""
        count = math.ceil(math.log(1 / self.margin) / math.log(_STEP))
        return tuple(self.margin ** (1 - i / count) for i in range(count + 1))

    def verdict(self, shares: Shares) -> str:
        """`better`, `worse`, `equal` or `open`."""
        return self._verdict(*self._stakes(shares))

    def finding(self, shares: Shares) -> Finding:
        """The verdict with its interval and figures."""
        better, worse, below, above = self._stakes(shares)
        low, high = self.interval(shares)
        won, level, lost = shares.split
        return Finding(
            verdict=self._verdict(better, worse, below, above),
            share=shares.mean,
            low=low,
            high=high,
            better=_exp(better),
            worse=_exp(worse),
            needed=2 / self.error,
            below=_exp(below),
            above=_exp(above),
            needed_each=1 / self.error,
            sets=len(shares),
            won=won,
            level=level,
            lost=lost,
        )

    def interval(self, shares: Shares) -> tuple[float, float]:
        """All mean shares against which no bet has won 2 / error."""
        down = {1 - share: count for share, count in shares.counts.items()}
        return self._bound(shares.counts, shares.mean), 1 - self._bound(down, 1 - shares.mean)

    def _bound(self, counts: Mapping[float, int], mean: float) -> float:
        """The lower bound: every smaller mean is refuted. The stake falls as the mean bet against rises."""
        low, high = 0.0, mean
        goal = math.log(2 / self.error)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if middle > 0 and log_e_value(counts, middle, self.fractions) < goal:
                high = middle
            else:
                low = middle
        return low

    def _stakes(self, shares: Shares) -> tuple[float, float, float, float]:
        """Logarithms of the e-values: better, worse, below 1/2 + margin, above 1/2 - margin."""
        up = shares.counts
        down = {1 - share: count for share, count in up.items()}
        return (
            log_e_value(up, EVEN, self.fractions),
            log_e_value(down, EVEN, self.fractions),
            log_e_value(down, EVEN - self.margin, self.fractions),
            log_e_value(up, EVEN - self.margin, self.fractions),
        )

    def _verdict(self, better: float, worse: float, below: float, above: float) -> str:
        if max(better, worse) >= math.log(2 / self.error):
            return "better" if better > worse else "worse"
        return "equal" if min(below, above) >= math.log(1 / self.error) else "open"


def log_e_value(counts: Mapping[float, int], mean: float, fractions: Sequence[float]) -> float:
    """The logarithm of the averaged stake against "the mean is `mean` or less".

    `counts` has how often each value in 0 … 1 was observed, 0 < mean < 1, each fraction is in (0, 1].
    """
    stakes = []
    for fraction in fractions:
        stake = 0.0
        for value, count in counts.items():
            factor = 1 - fraction + fraction * value / mean
            if factor <= 0 < count:
                stake = -math.inf
                break
            stake += count * math.log(factor) if count else 0.0
        stakes.append(stake)
    most = max(stakes)
    if most == -math.inf:
        return most
    return most + math.log(math.fsum(math.exp(stake - most) for stake in stakes) / len(stakes))


def _exp(logarithm: float) -> float:
    return math.exp(min(logarithm, 700.0))
