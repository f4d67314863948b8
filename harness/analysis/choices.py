"""The Plackett-Luce model's likelihood of results, gathered by kind.

A result is a row of choices: the best of all sides, then the best of the rest, and so on; a side of strength
s is chosen with a chance in proportion to e^s (Luce 1959, Plackett 1975; with two sides Bradley and Terry
1952). A side's strength is the mean of its players' plus its seat's effect. Sides that tie count as the mean
of the log-likelihoods of all orders that the tie leaves open: with two sides a draw is half a win for each.

Equal results are one row with a count, so that a million of them cost as much as a few thousand.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from harness.analysis.outcomes import NOBODY, Outcomes, row_codes
from harness.analysis.tables import Floats, Ints

_AT_ONCE: Final = 20_000
"""Different results that are worked on at a time."""


@dataclass(frozen=True)
class Kind:
    """Results with one pattern of ties; sides stand from best to worst. Arrays are (rows, …)."""

    masks: Floats
    """(choices, sides): among which sides each choice was made."""
    weights: Floats
    """(choices,): how often, per result."""
    part: Ints
    """(rows, sides, parts): whose strengths make a side's, as numbers of parameters."""
    share: Floats
    """(rows, sides, parts): how much each counts."""
    results: Ints
    """(results,): numbers of the results of this kind."""
    row: Ints
    """(results,): which row each is."""

    @functools.cached_property
    def count(self) -> Floats:
        """(rows,): how many results each row stands for."""
        return np.bincount(self.row, minlength=len(self.part)).astype(np.float64)


@dataclass(frozen=True)
class Choices:
    """All results of a fit. Parameters are the entrants', then the seats'."""

    kinds: list[Kind]
    parameters: int
    seats: list[int]
    """The seats that have an effect of their own, in the order of their parameters."""


def choices(outcomes: Outcomes, last: int = NOBODY, seats: list[int] | None = None) -> Choices:
    """Gather results; where the entrant numbered `last` forfeited, its side counts as having come last.

    Other results with forfeits are for the caller to leave out. `seats` are those of another fit, whose
    parameters these are to share; by default all that occur.
    """
    entrants = len(outcomes.entrants)
    if seats is None:
        seats = sorted(set(np.unique(outcomes.first).tolist()) - {-1})
    parameter = {seat: entrants + n for n, seat in enumerate(seats)}
    nothing = entrants + len(seats)
    sides = outcomes.player[:, :, 0] != NOBODY
    rank = np.where(sides, outcomes.rank, np.iinfo(np.int64).max)
    if last != NOBODY:
        home = ((outcomes.player == last) & outcomes.offender).any(axis=2)
        rank = np.where(home, np.iinfo(np.int64).max - 1, rank)
    highest = int(outcomes.first.max(initial=0))
    lookup = np.array([parameter.get(seat, nothing) for seat in range(highest + 1)] + [nothing])
    members = np.where(outcomes.player == NOBODY, nothing, outcomes.player)
    parts = np.concatenate([members, lookup[outcomes.first][:, :, None]], axis=2)
    order = np.lexsort((parts[:, :, 0], rank), axis=1)
    rank = np.take_along_axis(rank, order, axis=1)
    parts = np.take_along_axis(parts, order[:, :, None], axis=1)
    dense = np.cumsum(np.diff(rank, axis=1, prepend=rank[:, :1]) > 0, axis=1)
    dense[~np.take_along_axis(sides, order, axis=1)] = -1
    codes, first = row_codes(list(dense.T), len(dense))
    kinds = [
        _kind(dense[row], parts, np.flatnonzero(codes == code), nothing)
        for code, row in enumerate(first.tolist())
    ]
    return Choices(kinds, nothing, seats)


def _kind(places: Ints, parts: Ints, results: Ints, nothing: int) -> Kind:
    tied = [len(list(group)) for place, group in itertools.groupby(places.tolist()) if place >= 0]
    count = sum(tied)
    masks, weights = zip(*_choices_of(tied), strict=True)
    chosen = parts[results, :count]
    row, first = row_codes(list(chosen.reshape(len(results), -1).T), len(results))
    part = chosen[first]
    players = (part[:, :, :-1] != nothing).sum(axis=2, keepdims=True)
    share = np.where(part == nothing, 0.0, 1.0)
    share[:, :, :-1] /= players
    return Kind(np.array(masks), np.array(weights), part, share, results, row)


def _choices_of(tied: list[int]) -> Iterator[tuple[list[float], float]]:
    """The sets of sides among which a choice is made, with weights, for groups of so many that tie."""
    start, count = 0, sum(tied)
    for size in tied:
        rest = range(start + size, count)
        for left in range(1, size + 1):
            for some in itertools.combinations(range(start, start + size), left):
                inside = {*some, *rest}
                yield [float(side in inside) for side in range(count)], 1.0 / math.comb(size, left)
        start += size


@dataclass(frozen=True)
class Slopes:
    """The log-likelihood at some strengths with its derivatives."""

    value: float
    gradient: Floats
    """(parameters,)"""
    curvature: Floats
    """(parameters, parameters): minus the second derivatives."""


def slopes(choices: Choices, strength: Floats) -> Slopes:
    """The log-likelihood of all results, given a strength for each parameter."""
    size = choices.parameters + 1  # the last one is nobody's
    value, gradient, curvature = 0.0, np.zeros(size), np.zeros(size * size)
    for kind in choices.kinds:
        count = kind.count
        likelihood, slope, bend = _sides(kind, strength, curved=True)
        value += float(count @ likelihood)
        gradient += np.bincount(
            kind.part.ravel(), (count[:, None, None] * slope[:, :, None] * kind.share).ravel(), size
        )
        for start in range(0, len(count), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            part, share = kind.part[some], kind.share[some]
            where = part[:, :, :, None, None] * size + part[:, None, None, :, :]
            weight = share[:, :, :, None, None] * share[:, None, None, :, :]
            weight *= (count[some, None, None] * bend[some])[:, :, None, :, None]
            curvature += np.bincount(where.ravel(), weight.ravel(), size * size)
    whole = curvature.reshape(size, size)
    return Slopes(value, gradient[:-1], whole[:-1, :-1])


def gradients_by_cluster(choices: Choices, strength: Floats, cluster: Ints, clusters: int) -> Floats:
    """(clusters, parameters): each cluster's part of the gradient; `cluster` is (results,)."""
    size = choices.parameters + 1
    found = np.zeros(clusters * size)
    for kind in choices.kinds:
        _, slope, _ = _sides(kind, strength, curved=False)
        weight = slope[:, :, None] * kind.share
        base = cluster[kind.results] * size
        for i, a in itertools.product(range(kind.part.shape[1]), range(kind.part.shape[2])):
            found += np.bincount(base + kind.part[kind.row, i, a], weight[kind.row, i, a], clusters * size)
    return found.reshape(clusters, size)[:, :-1]


def _sides(kind: Kind, strength: Floats, *, curved: bool) -> tuple[Floats, Floats, Floats]:
    """For every row its log-likelihood, the slope by each side's strength, the curvature by two sides'."""
    known = np.append(strength, 0.0)
    side = (known[kind.part] * kind.share).sum(axis=2)
    side -= side.max(axis=1, keepdims=True)
    force = np.exp(side)
    rows, sides = side.shape
    likelihood, slope = side.sum(axis=1), np.ones((rows, sides))
    bend = np.zeros((rows, sides, sides) if curved else (0, sides, sides))
    for mask, weight in zip(kind.masks, kind.weights, strict=True):
        inside = force * mask
        whole = inside.sum(axis=1)
        chance = inside / whole[:, None]
        likelihood -= weight * np.log(whole)
        slope -= weight * chance
        if curved:
            bend -= weight * chance[:, :, None] * chance[:, None, :]
            for i in range(sides):
                bend[:, i, i] += weight * chance[:, i]
    return likelihood, slope, bend
