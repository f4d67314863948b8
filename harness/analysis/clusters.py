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
    """The mean of all values, each given with its cluster.

    The error is the linearised (sandwich) one: with sums S and sizes n by cluster, G clusters and mean m,
    the square root of G/(G-1) · Σ(S - m·n)² / (Σn)².
    """
    members: dict[str, list[float]] = {}
    for cluster, value in values:
        members.setdefault(cluster, []).append(value)
    total = sum(map(len, members.values()))
    if not total:
        return Mean(math.nan, math.nan, 0)
    sums = {cluster: math.fsum(found) for cluster, found in members.items()}
    mean = math.fsum(sums.values()) / total
    count = len(members)
    if count < 2:
        return Mean(mean, math.nan, count)
    squares = math.fsum((sums[c] - mean * len(found)) ** 2 for c, found in members.items())
    return Mean(mean, math.sqrt(count / (count - 1) * squares) / total, count)
