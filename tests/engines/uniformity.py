"""A chi-square check that draws are uniform over a known set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from math import sqrt
from statistics import NormalDist

BOUND = NormalDist().inv_cdf(1 - 1e-6)


def assert_uniform(drawn: Iterable[Hashable], worlds: Collection[Hashable]) -> None:
    """Every draw is one of `worlds`, all are reached, and none too often or too seldom (p > 1e-6)."""
    counts = Counter(drawn)
    assert set(counts) == set(worlds)
    expected = counts.total() / len(worlds)
    assert expected >= 5, "too few draws to say anything"
    freedom = len(worlds) - 1
    if freedom == 0:
        return
    statistic = sum((counts[world] - expected) ** 2 for world in worlds) / expected
    # Wilson and Hilferty 1931: the cube root of chi-square over its freedom is close to normal.
    spread = 2 / (9 * freedom)
    limit = freedom * (1 - spread + BOUND * sqrt(spread)) ** 3
    assert statistic < limit, f"chi-square {statistic:.1f} with {freedom} degrees of freedom"
