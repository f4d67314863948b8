"""How sure a ranking will be: what a pilot's deal sets say of the errors of many more.

The unit is the deal set. A bot's mean score in one set varies from deal to deal by `set`; what two of its
sets on the same deal have in common is `deal`. With m sets on each of n deals its mean score has the variance

    (deal + (set - deal) / m) / n

which is what the report's standard error, clustered by deals, estimates afterwards. Of two among b bots that
play for a fixed sum the difference varies 2 b / (b - 1) times as much as each, on average over pairs.
"""

from __future__ import annotations

import math
from statistics import fmean, variance
from typing import Final, NamedTuple

SURE: Final = 1.96
"""Standard errors on either side of a 95 % interval."""
FOUND: Final = SURE + 1.645
"""Standard errors of a true difference whose 95 % interval leaves out 0 in 95 % of all runs."""


class Variation(NamedTuple):
    """How bots' mean scores a seat vary from deal to deal, on average over bots and line-ups."""

    set: float
    """Variance of one deal set's mean."""
    deal: float
    """Covariance of two sets of the same bot on the same deal, from 0 to `set`."""
    deals: int
    """How many deals this was measured on."""
    sets: int


class Precision(NamedTuple):
    """What can be expected of a bot's mean score, in the game's points a seat and match."""

    half_width: float
    """Of the 95 % interval of one bot's mean score."""
    apart: float
    """The true difference of two bots' means that is told apart, at 95 %, in 95 % of runs."""


class Scores:
    """Deal sets of the same line-ups on several deals, as they come in."""

    def __init__(self, line_ups: int) -> None:
        self._line_ups = line_ups
        self._found: dict[int, dict[int, dict[str, float]]] = {}
        """By deal, then line-up: every bot's mean score a seat."""

    def add(self, deal: int, line_up: int, means: dict[str, float]) -> None:
        """Take in one deal set."""
        self._found.setdefault(deal, {})[line_up] = means

    def variation(self) -> Variation | None:
        """What the deals say of which every line-up is there; None of less than two."""
        whole = [sets for _, sets in sorted(self._found.items()) if len(sets) == self._line_ups]
        if len(whole) < 2:
            return None
        each: list[float] = []
        shared: list[float] = []
        for name in {name for means in whole[0].values() for name in means}:
            mine = [line_up for line_up, means in whole[0].items() if name in means]
            columns = [[sets[line_up][name] for sets in whole] for line_up in mine]
            one = fmean(variance(column) for column in columns)
            each.append(one)
            if (m := len(mine)) > 1:
                together = variance([fmean(row) for row in zip(*columns, strict=True)])
                shared.append((together - one / m) / (1 - 1 / m))
        # Where nobody sits in two of the line-ups, nothing is known of what they share: all, then.
        in_a_set = fmean(each)
        of_a_deal = fmean(shared) if shared else in_a_set
        return Variation(
            in_a_set, min(max(of_a_deal, 0.0), in_a_set), len(whole), len(whole) * self._line_ups
        )


def worst(lowest: float, highest: float) -> Variation:
    """The most that means can vary between these scores: what is assumed where nothing was measured."""
    most = (highest - lowest) ** 2 / 4
    return Variation(most, most, 0, 0)


def expected(variation: Variation, bots: int, deals: float, sets: float) -> Precision:
    """With `deals` deals for each of `bots` bots and `sets` deal sets for each bot in all."""
    a_deal = max(1.0, sets / deals)
    error = math.sqrt((variation.deal + (variation.set - variation.deal) / a_deal) / deals)
    return Precision(SURE * error, FOUND * error * math.sqrt(2 * bots / (bots - 1)))
