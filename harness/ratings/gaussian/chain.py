"""TrueSkill's update of three sides and more: messages along the sides from the best to the worst.

The same messages in the same order as the `trueskill` package's factor graph passes (Herbrich, Minka and
Graepel 2007, fig. 1), until they move by less than 1e-4 or ten times over, without its objects: a test says
that the numbers are the same. Precisions and means over variances, as usual in such graphs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from harness.ratings.gaussian import truncated

ROUNDS: Final = 10
CLOSE: Final = 1e-4
"""The package's: when messages have settled."""


def update(
    means: Sequence[float], variances: Sequence[float], margins: Sequence[float], tied: Sequence[bool]
) -> tuple[list[float], list[float]]:
    """What the result says about each side's performance, as precision and precision times mean.

    `means` and `variances` are the sides' performances before, best side first; `margins` the draw margins
    between neighbours and `tied` whether they tie.
    """
    count = len(means)
    last = count - 2
    # Messages to each side from the comparison with the better neighbour, and with the worse one.
    from_better = [(0.0, 0.0)] * count
    from_worse = [(0.0, 0.0)] * count
    prior = [(1.0 / v, m / v) for m, v in zip(means, variances, strict=True)]
    shown = [(0.0, 0.0)] * (count - 1)
    """What each comparison's outcome says about the difference."""

    def compare(n: int) -> float:
        """Take in the outcome between sides n and n + 1; by how much that moved the difference."""
        pi, tau = prior[n][0] + from_better[n][0], prior[n][1] + from_better[n][1]
        pi2, tau2 = prior[n + 1][0] + from_worse[n + 1][0], prior[n + 1][1] + from_worse[n + 1][1]
        precision = 1.0 / (1.0 / pi + 1.0 / pi2)
        weighted = precision * (tau / pi - tau2 / pi2)
        root = math.sqrt(precision)
        moments = truncated.draw if tied[n] else truncated.win
        v, w = moments(weighted / root, margins[n] * root)
        rest = 1.0 - w
        found = precision * w / rest, (weighted * w + root * v) / rest
        old, shown[n] = shown[n], found
        return max(abs(found[1] - old[1]), math.sqrt(abs(found[0] - old[0])))

    def tell_worse(n: int) -> None:
        """From the comparison n to its right side."""
        pi, tau = prior[n][0] + from_better[n][0], prior[n][1] + from_better[n][1]
        known, weighted = shown[n]
        if known <= 0.0:
            from_better[n + 1] = (0.0, 0.0)
            return
        precision = 1.0 / (1.0 / pi + 1.0 / known)
        from_better[n + 1] = precision, precision * (tau / pi - weighted / known)

    def tell_better(n: int) -> None:
        """From the comparison n to its left side."""
        pi, tau = prior[n + 1][0] + from_worse[n + 1][0], prior[n + 1][1] + from_worse[n + 1][1]
        known, weighted = shown[n]
        if known <= 0.0:
            from_worse[n] = (0.0, 0.0)
            return
        precision = 1.0 / (1.0 / pi + 1.0 / known)
        from_worse[n] = precision, precision * (tau / pi + weighted / known)

    for _ in range(ROUNDS):
        moved = compare(0) if last == 0 else 0.0
        for n in range(last):
            moved = max(moved, compare(n))
            tell_worse(n)
        for n in range(last, 0, -1):
            moved = max(moved, compare(n))
            tell_better(n)
        if moved <= CLOSE:
            break
    tell_better(0)
    tell_worse(last)
    said = [(b[0] + w[0], b[1] + w[1]) for b, w in zip(from_better, from_worse, strict=True)]
    return [one[0] for one in said], [one[1] for one in said]
