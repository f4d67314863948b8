"""TrueSkill for bots that do not change: the `trueskill` package, in canonical order, with tau = 0.

Two sides are rated in closed form, which is what the package's factor graph comes to there (a test says
so); more sides go through the package itself, given moments that stay finite at any distance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import Final, NamedTuple

import trueskill

from harness.analysis.results import Entrant, Result
from harness.ratings import truncated
from harness.ratings.core import Rated, Rating

TITLE: Final = "TrueSkill mu ± sigma, ordered by mu"
MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2
MOST_DRAWS: Final = 0.99
"""A draw probability of 1 would need an infinite margin."""


class Skill(NamedTuple):
    """A belief about one player."""

    mu: float = MU
    sigma: float = SIGMA


class SteadyTrueSkill(trueskill.TrueSkill):  # type: ignore[misc]  # the package ships no types
    """The package's environment with moments that do not fail far from what was expected."""

    def __init__(self, draw_probability: float) -> None:
        backend = (truncated.cdf, truncated.pdf, NormalDist().inv_cdf)
        super().__init__(MU, SIGMA, BETA, 0.0, draw_probability, backend)

    v_win = staticmethod(truncated.v_win)
    w_win = staticmethod(truncated.w_win)
    v_draw = staticmethod(truncated.v_draw)
    w_draw = staticmethod(truncated.w_draw)


class Rater:
    """Updates beliefs by results, one at a time, for one draw probability."""

    def __init__(self, draw_probability: float) -> None:
        self.draw_probability = draw_probability
        self.env = SteadyTrueSkill(draw_probability)
        self.margin = NormalDist().inv_cdf((draw_probability + 1.0) / 2.0) * BETA

    def update(self, sides: Sequence[Sequence[Skill]], ranks: Sequence[int]) -> list[list[Skill]]:
        """The beliefs after a result, in the order in which they were given."""
        if len(sides) == 2:
            return self.two_sides(sides, ranks)
        groups = [tuple(trueskill.Rating(*skill) for skill in side) for side in sides]
        rated = self.env.rate(groups, ranks=list(ranks))
        return [[Skill(rating.mu, rating.sigma) for rating in side] for side in rated]

    def two_sides(self, sides: Sequence[Sequence[Skill]], ranks: Sequence[int]) -> list[list[Skill]]:
        """The same for two sides, in closed form (Herbrich et al. 2007, eq. 4.1 ff. for teams)."""
        better, worse = (0, 1) if ranks[0] <= ranks[1] else (1, 0)
        players = len(sides[0]) + len(sides[1])
        c2 = players * BETA * BETA + sum(skill.sigma**2 for side in sides for skill in side)
        c = math.sqrt(c2)
        t = (sum(skill.mu for skill in sides[better]) - sum(skill.mu for skill in sides[worse])) / c
        e = self.margin * math.sqrt(players) / c
        if ranks[0] == ranks[1]:
            v, w = truncated.v_draw(t, e), truncated.w_draw(t, e)
        else:
            v, w = truncated.v_win(t, e), truncated.w_win(t, e)
        after: list[list[Skill]] = [[], []]
        for side, sign in ((better, 1.0), (worse, -1.0)):
            for mu, sigma in sides[side]:
                share = sigma * sigma / c2
                moved = Skill(mu + sign * share * c * v, sigma * math.sqrt(1.0 - share * w))
                after[side].append(moved)
        return after


def draw_probability(results: Iterable[Result]) -> float:
    """The share of neighbours in the final order that tie: of two-sided results, the share of draws."""
    ties = pairs = 0
    for result in results:
        tied_here, pairs_here = tied(result)
        ties += tied_here
        pairs += pairs_here
    return min(ties / pairs, MOST_DRAWS) if pairs else 0.0


def tied(result: Result) -> tuple[int, int]:
    """Neighbours in the final order that tie, and all neighbours; none where somebody forfeited."""
    if result.offenders:
        return 0, 0
    ranks = sorted(result.ranks)
    return sum(a == b for a, b in pairwise(ranks)), len(ranks) - 1


def rate(results: Iterable[Result]) -> Rated:
    """Everybody's rating after all results, in the order of their ids.

    First all results without a forfeit. Then every offender, alone, loses its forfeits to the others as
    they are rated without them: nobody's rating moves because somebody else's bot crashed.
    """
    ordered = sorted(results, key=lambda result: result.id)
    drawn = draw_probability(ordered)
    rater = Rater(drawn)
    skills: dict[Entrant, Skill] = {player: Skill() for result in ordered for player in result.players}
    for result in ordered:
        if not result.offenders:
            beliefs = [[skills[player] for player in side] for side in result.sides]
            for side, after in zip(result.sides, rater.update(beliefs, result.ranks), strict=True):
                skills.update(zip(side, after, strict=True))
    final = dict(skills)
    for result in ordered:
        for offender in result.offenders:
            final[offender] = after_forfeit(rater, result, offender, final[offender], skills)
    ratings = {player: Rating(mu, sigma, mu) for player, (mu, sigma) in final.items()}
    return Rated(ratings, {"draw_probability": drawn})


def after_forfeit(
    rater: Rater, result: Result, offender: Entrant, now: Skill, others: Mapping[Entrant, Skill]
) -> Skill:
    """The offender's own rating after it lost to every other side of `result`."""
    home = next(index for index, side in enumerate(result.sides) if offender in side)
    sides = [[now if player == offender else others[player] for player in side] for side in result.sides]
    last = max(result.ranks) + 1
    ranks = [last if index == home else rank for index, rank in enumerate(result.ranks)]
    return rater.update(sides, ranks)[home][result.sides[home].index(offender)]
