"""TrueSkill for bots that do not change: the `trueskill` package's numbers, in canonical order, with tau = 0.

Two sides are rated in closed form, which is what the package's factor graph comes to there; more sides pass
the same messages as it does, without its objects. Tests hold both to the package's results. The moments of
truncated normals stay finite at any distance, where the package gives up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
import trueskill

from harness.analysis.outcomes import NOBODY, Outcomes, outcomes
from harness.analysis.results import Entrant, Result
from harness.analysis.tables import Ints
from harness.ratings.core import Rated, Rating
from harness.ratings.gaussian import chain, truncated

TITLE: Final = "TrueSkill mu ± sigma, ordered by mu"
MU: Final = float(trueskill.MU)
SIGMA: Final = float(trueskill.SIGMA)
BETA: Final = float(trueskill.BETA)
MOST_DRAWS: Final = 0.99
"""A draw probability of 1 would need an infinite margin."""
ORDERS: Final = 10
"""How many random orders the sensitivity to order is measured over."""
MOST_REORDERED: Final = 20_000
"""Of more comparisons of neighbours than these (a result of four sides has three), so many, spread evenly."""
_AT_ONCE: Final = 20_000


class Skill(NamedTuple):
    """A belief about one player."""

    mu: float = MU
    sigma: float = SIGMA


class Rater:
    """Updates beliefs by results, one at a time, for one draw probability."""

    def __init__(self, draw_probability: float) -> None:
        self.draw_probability = draw_probability
        self._margin = NormalDist().inv_cdf((draw_probability + 1.0) / 2.0) * BETA

    def margin(self, players: int) -> float:
        """The difference of performances up to which so many players, of two sides, draw."""
        return self._margin * math.sqrt(players)

    def update(self, sides: Sequence[Sequence[Skill]], ranks: Sequence[int]) -> list[list[Skill]]:
        """The beliefs after a result, in the order in which they were given."""
        mu = [skill.mu for side in sides for skill in side]
        variance = [skill.sigma**2 for side in sides for skill in side]
        numbers = iter(range(len(mu)))
        self.rate([[next(numbers) for _ in side] for side in sides], ranks, mu, variance)
        after = map(Skill, mu, map(math.sqrt, variance))
        return [[next(after) for _ in side] for side in sides]

    def rate(
        self, sides: Sequence[Sequence[int]], ranks: Sequence[int], mu: list[float], variance: list[float]
    ) -> None:
        """Take in a result of players by number, in place."""
        order = sorted(range(len(sides)), key=ranks.__getitem__)
        placed = [sides[n] for n in order]
        means = [sum([mu[p] for p in side]) for side in placed]
        spreads = [sum([variance[p] + BETA * BETA for p in side]) for side in placed]
        margins = [self.margin(len(one) + len(other)) for one, other in pairwise(placed)]
        tied = [ranks[one] == ranks[other] for one, other in pairwise(order)]
        if len(placed) == 2:
            said = _two_sides(means, spreads, margins[0], tied=tied[0])
        else:
            said = chain.update(means, spreads, margins, tied)
        for side, mean, spread, pi, tau in zip(placed, means, spreads, *said, strict=True):
            # A player's part of what its side's performance showed, in proportion to its uncertainty.
            whole = 1.0 + spread * pi
            shift, share = (tau - mean * pi) / whole, pi / whole
            for p in side:
                own = variance[p]
                mu[p] += own * shift
                variance[p] = own * (1.0 - own * share)


def _two_sides(
    means: Sequence[float], spreads: Sequence[float], margin: float, *, tied: bool
) -> tuple[list[float], list[float]]:
    """`chain.update` for two sides, where one message each way is all (Herbrich et al. 2007, eq. 4.1 ff.)."""
    whole = spreads[0] + spreads[1]
    root = math.sqrt(whole)
    moments = truncated.draw if tied else truncated.win
    v, w = moments((means[0] - means[1]) / root, margin / root)
    # The difference is now known as if it had been measured: with this precision, at this distance.
    rest = whole * (1.0 - w)
    pi, shift = w / rest, v * root / rest
    said: tuple[list[float], list[float]] = ([], [])
    for mean, other, sign in ((means[0], spreads[1], 1.0), (means[1], spreads[0], -1.0)):
        precision = pi / (1.0 + other * pi)
        said[0].append(precision)
        said[1].append(precision * mean + sign * shift / (1.0 + other * pi))
    return said


def draw_probability(results: Iterable[Result]) -> float:
    """The share of neighbours in the final order that tie: of two-sided results, the share of draws."""
    played = outcomes(results)
    fair = played.taken(played.fair)
    ordered = np.sort(np.where(fair.rank == 0, np.iinfo(np.int64).max, fair.rank), axis=1)
    there = ordered[:, 1:] < np.iinfo(np.int64).max
    pairs = int(there.sum())
    ties = int(((np.diff(ordered, axis=1) == 0) & there).sum())
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
    played = outcomes(results)
    drawn = draw_probability(played)
    rater = Rater(drawn)
    fair = played.fair
    mu, variance = _rated(rater, played, np.flatnonzero(fair))
    skills = dict(zip(played.entrants, map(Skill, mu, map(math.sqrt, variance)), strict=True))
    final = dict(skills)
    for result in played.taken(~fair):
        for offender in result.offenders:
            final[offender] = after_forfeit(rater, result, offender, final[offender], skills)
    ratings = {player: Rating(skill.mu, skill.sigma, skill.mu) for player, skill in final.items()}
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


def _rated(rater: Rater, played: Outcomes, rows: Ints) -> tuple[list[float], list[float]]:
    """Means and variances of everybody after these results, in this order."""
    mu = [MU] * len(played.entrants)
    variance = [SIGMA * SIGMA] * len(played.entrants)
    for sides, ranks in _sides(played, rows):
        rater.rate(sides, ranks, mu, variance)
    return mu, variance


def _sides(played: Outcomes, rows: Ints) -> Iterator[tuple[list[list[int]], list[int]]]:
    """The sides, by players' numbers, and ranks of these results; some are unpacked at a time."""
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        player = played.player[some]
        full = not (player == NOBODY).any()
        for sides, ranks in zip(player.tolist(), played.rank[some].tolist(), strict=True):
            if full:
                yield sides, ranks
            else:
                there = [[p for p in side if p != NOBODY] for side in sides]
                yield [side for side in there if side], ranks[: sum(map(bool, there))]


@dataclass(frozen=True)
class OrderSensitivity:
    """How much TrueSkill's answer depends on the order of the same results."""

    results: int
    """How many were rated in each order."""
    orders: int
    spread: Mapping[Entrant, float]
    """The standard deviation of mu over orders, against the average mu of each."""
    ranks: Mapping[Entrant, tuple[int, int]]
    """The best and the worst rank that any order gave."""


def order_sensitivity(results: Iterable[Result]) -> OrderSensitivity | None:
    """Rate the same results in random orders, which are always the same ones; None where there are none."""
    played = outcomes(results)
    rows = np.flatnonzero(played.fair)
    if not len(rows):
        return None
    most = MOST_REORDERED // (played.rank.shape[1] - 1)
    if len(rows) > most:
        rows = rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]
    rater = Rater(draw_probability(played))
    rng = np.random.default_rng(0)
    found = np.array([_rated(rater, played, rng.permutation(rows))[0] for _ in range(ORDERS)])
    # All ratings may drift together, which changes no order.
    found -= found.mean(axis=1, keepdims=True)
    ranks = 1 + (found[:, None, :] > found[:, :, None]).sum(axis=2)
    return OrderSensitivity(
        results=len(rows),
        orders=ORDERS,
        spread=dict(zip(played.entrants, found.std(axis=0, ddof=1).tolist(), strict=True)),
        ranks=dict(
            zip(
                played.entrants,
                zip(ranks.min(axis=0).tolist(), ranks.max(axis=0).tolist(), strict=True),
                strict=True,
            )
        ),
    )
