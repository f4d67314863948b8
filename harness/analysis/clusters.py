"""Means of numbers that come in clusters: matches on one deal share its luck."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class Mean(NamedTuple):
    """A mean with its standard error."""

    value: float
    error: float
    """Standard error over clusters; nan where there is only one cluster."""
    clusters: int


def mean_by_cluster(values: Iterable[tuple[str, float]]) -> Mean:
    """The mean of all values, each given with its cluster."""
    return ratio_by_cluster((cluster, value, 1.0) for cluster, value in values)


def ratio_by_cluster(parts: Iterable[tuple[str, float, float]]) -> Mean:
    """Total over size of all parts, each given as (cluster, total, size).

    The error is the linearised (sandwich) one: with totals S and sizes n by cluster, G clusters and ratio m,
    the square root of G/(G-1) · Σ(S - m·n)² / (Σn)².
    """
    totals: dict[str, list[float]] = {}
    sizes: dict[str, list[float]] = {}
    for cluster, total, size in parts:
        totals.setdefault(cluster, []).append(total)
        sizes.setdefault(cluster, []).append(size)
    # Exact sums: the result does not depend on the order in which parts come.
    sums = [(math.fsum(found), math.fsum(sizes[cluster])) for cluster, found in totals.items()]
    size = math.fsum(n for _, n in sums)
    if not size:
        return Mean(math.nan, math.nan, 0)
    ratio = math.fsum(s for s, _ in sums) / size
    count = len(sums)
    if count < 2:
        return Mean(ratio, math.nan, count)
    squares = math.fsum((s - ratio * n) ** 2 for s, n in sums)
    return Mean(ratio, math.sqrt(count / (count - 1) * squares) / size, count)
