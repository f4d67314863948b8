"""Could two bots be equally strong? Rao's score test, for those of whom one nearly always comes out ahead.

Errors at the estimate itself fail there (Hauck and Donner 1977): where a win was as good as certain, a deal
that was won moves nothing, so the one draw in six hundred games is all that the error rests on, and a bot
that won all others looks as if nothing were known of it. This test fits everybody once more with the two held
level and asks how far the deals pull them apart from there. Each deal of the stronger's pulls one way then,
and all of them count.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from harness.analysis.choices import gradients_by_cluster, slopes
from harness.analysis.clusters import freedom
from harness.analysis.quantiles import t_tail
from harness.analysis.strengths import Fit, maximum

FAR: Final = 2.0
"""Log odds from which on the test is asked: one comes out ahead of the other seven times in eight."""


def level_p(fit: Fit, a: int, b: int) -> float:
    """Two-sided p-value of parameters `a` and `b` being equal, over deals.

    As in `harness.analysis.verdicts` it is never below that of a sign test in which all informative deals
    agree.
    """
    apart = np.zeros(fit.choices.parameters)
    apart[a], apart[b] = 0.5, -0.5
    tied = np.delete(np.eye(len(apart)), b, axis=1)
    tied[b] = tied[a]
    strength = maximum(fit.choices, fit.precision, tied)
    now = slopes(fit.choices, strength)
    curvature = now.curvature + fit.precision * np.eye(len(apart))
    # The pull on the difference, without what the other parameters would take up.
    way = apart - tied @ np.linalg.solve(tied.T @ curvature @ tied, tied.T @ curvature @ apart)
    pulls = gradients_by_cluster(fit.choices, strength, fit.cluster, fit.clusters) @ way
    squares, fourths = float((pulls**2).sum()), float((pulls**4).sum())
    if not squares:
        return 1.0
    pull = abs(float((now.gradient - fit.precision * strength) @ apart))
    df = float(freedom(np.array(squares), np.array(fourths), np.array(fit.clusters)))
    agreeing = math.pow(2.0, 1.0 - squares * squares / fourths)
    return max(t_tail(pull / math.sqrt(squares), df), min(1.0, agreeing))
