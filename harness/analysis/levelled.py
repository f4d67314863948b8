"""Could two bots be equally strong? Rao's score test, for those of whom one nearly always comes out ahead.

Errors at the estimate itself fail there (Hauck and Donner 1977): where a win was as good as certain, a deal
that was won moves nothing, so the one draw in six hundred games is all that the error rests on, and a bot
that won all others looks as if nothing were known of it. This test fits everybody once more with the two held
level and asks how far the deals pull them apart from there. Each deal of the stronger's pulls one way then,
and all of them count. The matches that one of the two forfeited are among the results then, as its defeats.
"""

from __future__ import annotations

import dataclasses
from typing import Final

import numpy as np

from harness.analysis.choices import Choices, choices, gradients_by_cluster, slopes
from harness.analysis.clusters import freedom
from harness.analysis.evidence import Evidence
from harness.analysis.outcomes import Outcomes
from harness.analysis.strengths import Fit, maximum

FAR: Final = 2.0
"""Log odds from which on the test is asked: one comes out ahead of the other seven times in eight."""


def pull(fit: Fit, forfeits: Outcomes, a: int, b: int) -> Evidence | None:
    """How far the deals pull parameters `a` and `b` apart; None where they say nothing of them.

    `forfeits` are results outside the fit; those of the two count, each as a defeat of the offender.
    """
    fit = with_forfeits(fit, forfeits, (a, b))
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
        return None
    errors = float((now.gradient - fit.precision * strength) @ apart) / float(np.sqrt(squares))
    df = float(freedom(np.array(squares), np.array(fourths), np.array(fit.clusters)))
    return Evidence(errors, df, squares * squares / fourths)


def with_forfeits(fit: Fit, forfeits: Outcomes, offenders: tuple[int, int]) -> Fit:
    """The same fit's results, and those that these forfeited, as in `harness.analysis.strengths`."""
    kinds, clusters = list(fit.choices.kinds), [fit.cluster]
    for offender in offenders:
        mine = ((forfeits.player == offender) & forfeits.offender).any(axis=(1, 2))
        if not mine.any():
            continue
        own = forfeits.taken(mine)
        before = sum(map(len, clusters))
        more = choices(own, last=offender, seats=fit.choices.seats)
        kinds += [dataclasses.replace(kind, results=kind.results + before) for kind in more.kinds]
        clusters.append(own.deal % fit.clusters)
    whole = Choices(kinds, fit.choices.parameters, fit.choices.seats)
    return fit._replace(choices=whole, cluster=np.concatenate(clusters))
