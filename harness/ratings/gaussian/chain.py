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
    last = len(means) - 2
    prior = [1.0 / variance for variance in variances]
    prior_mean = [mean / variance for mean, variance in zip(means, variances, strict=True)]
    # Messages to each side from the comparison with its better neighbour, and with its worse one.
    better, better_mean = [0.0] * len(means), [0.0] * len(means)
    worse, worse_mean = [0.0] * len(means), [0.0] * len(means)
    # What each comparison's outcome has shown of the difference.
    shown, shown_mean = [0.0] * (last + 1), [0.0] * (last + 1)
    # There, telling the right side of each comparison, and back, telling the left one; both ends at the end.
    ways = [(n, True) for n in range(last)] + [(n, False) for n in range(last, 0, -1)]
    for _ in range(ROUNDS):
        moved = 0.0
        for n, onwards in ways:
            left = 1.0 / (prior[n] + better[n])
            left_mean = (prior_mean[n] + better_mean[n]) * left
            right = 1.0 / (prior[n + 1] + worse[n + 1])
            right_mean = (prior_mean[n + 1] + worse_mean[n + 1]) * right
            variance = left + right
            root = math.sqrt(variance)
            difference = left_mean - right_mean
            moments = truncated.draw if tied[n] else truncated.win
            v, w = moments(difference / root, margins[n] / root)
            rest = variance * (1.0 - w)
            known, weighted = w / rest, (difference * w + root * v) / rest
            moved = max(moved, abs(weighted - shown_mean[n]), math.sqrt(abs(known - shown[n])))
            shown[n], shown_mean[n] = known, weighted
            if onwards:
                message = known / (1.0 + left * known)
                better[n + 1] = message
                better_mean[n + 1] = message * left_mean - weighted / (1.0 + left * known)
            else:
                message = known / (1.0 + right * known)
                worse[n] = message
                worse_mean[n] = message * right_mean + weighted / (1.0 + right * known)
        if moved <= CLOSE:
            break
    right = 1.0 / (prior[1] + worse[1])
    whole = 1.0 + right * shown[0]
    worse[0] = shown[0] / whole
    worse_mean[0] = worse[0] * (prior_mean[1] + worse_mean[1]) * right + shown_mean[0] / whole
    left = 1.0 / (prior[last] + better[last])
    whole = 1.0 + left * shown[last]
    better[last + 1] = shown[last] / whole
    better_mean[last + 1] = (
        better[last + 1] * (prior_mean[last] + better_mean[last]) * left - shown_mean[last] / whole
    )
    return (
        [one + other for one, other in zip(better, worse, strict=True)],
        [one + other for one, other in zip(better_mean, worse_mean, strict=True)],
    )
