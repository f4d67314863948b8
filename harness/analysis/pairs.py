"""Who met whom, how often, and who came out ahead: direct meetings only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.analysis.clusters import LEVEL, Mean, as_many_equal, freedom, ratios, sums
from harness.analysis.evidence import Evidence
from harness.analysis.results import Entrant
from harness.analysis.tables import Floats, Ints, Table


@dataclass(frozen=True)
class Meeting:
    """Two bots that sat on different sides of the same matches."""

    bots: tuple[Entrant, Entrant]
    matches: int
    sets: int
    share: Mean
    """The part of meetings of their seats in which the first came out ahead, a tie counting half."""
    freedom: float
    """Student's degrees of freedom of the share's error."""
    informative: float
    """As many deals told the two apart; those that came out level do not."""

    def share_of(self, bot: Entrant) -> tuple[float, float, float]:
        """One bot's share with the ends of its interval."""
        share = self.share
        if bot == self.bots[0]:
            return share.value, share.low, share.high
        return 1.0 - share.value, 1.0 - share.high, 1.0 - share.low

    @property
    def p(self) -> float:
        """Two-sided p-value of the share's being one half, before any correction."""
        apart = self.share.value - 0.5
        if self.share.clusters < 2 or not apart:
            return 1.0
        errors = apart / self.share.error if self.share.error else math.copysign(math.inf, apart)
        return Evidence(errors, self.freedom, self.informative).p


def meetings(table: Table) -> dict[tuple[Entrant, Entrant], Meeting]:
    """Every two that met, to be found either way round."""
    bots, deals = len(table.entrants), len(table.deal_names)
    parts: list[tuple[Ints, Ints, Floats, Floats]] = []
    met: list[Ints] = []
    for i, j in itertools.combinations(range(table.seats), 2):
        against = (table.side[:, i] != table.side[:, j]) & (table.player[:, i] != table.player[:, j])
        rows = np.flatnonzero(against)
        one, other = table.player[rows, i], table.player[rows, j]
        ahead = table.place[rows, j] - table.place[rows, i]
        points = 0.5 + 0.5 * np.sign(np.where(one < other, ahead, -ahead))
        pair = np.minimum(one, other) * bots + np.maximum(one, other)
        parts.append(_gathered(pair, table.deal[rows], points, deals))
        met.append(rows * bots * bots + pair)
    if not parts or not sum(map(len, met)):
        return {}
    pair, cluster, total, size = (np.concatenate(column) for column in zip(*parts, strict=True))
    pairs, group = np.unique(pair, return_inverse=True)
    found = ratios(group, cluster, total, size, len(pairs), (0.0, 1.0))
    df, informative = _evenness(group, cluster, total, size, found.value)
    matches, sets = _counts(np.unique(np.concatenate(met)), table, pairs)
    known: dict[tuple[Entrant, Entrant], Meeting] = {}
    for n, code in enumerate(pairs.tolist()):
        a, b = table.entrants[code // bots], table.entrants[code % bots]
        known[a, b] = known[b, a] = Meeting(
            (a, b), int(matches[n]), int(sets[n]), found.at(n), float(df[n]), float(informative[n])
        )
    return known


def cycles(met: Iterable[Meeting], order: Sequence[Entrant]) -> list[tuple[Entrant, ...]]:
    """Rings of bots each of which beat the next in direct meetings, at the 5 % level for all pairs together.

    For every set of bots that are in rings together a shortest ring, begun with the first of them in `order`.
    """
    beaten = _beaten(sorted(set(met), key=lambda one: (one.p, one.bots)))
    found: list[tuple[Entrant, ...]] = []
    told: set[Entrant] = set()
    for bot in order:
        if bot not in told and (ring := _ring(bot, beaten)):
            found.append(ring)
            told.update(ring)
    return found


def _beaten(met: Sequence[Meeting]) -> dict[Entrant, list[Entrant]]:
    """Whom everybody beat, by Holm's correction; `met` by p-value."""
    beaten: dict[Entrant, list[Entrant]] = {}
    for done, one in enumerate(met):
        if (len(met) - done) * one.p > 1.0 - LEVEL:
            break
        first, second = one.bots if one.share.value > 0.5 else one.bots[::-1]
        beaten.setdefault(first, []).append(second)
    return beaten


def _ring(start: Entrant, beaten: Mapping[Entrant, list[Entrant]]) -> tuple[Entrant, ...]:
    """A shortest way from `start` back to itself; empty where there is none."""
    ways: list[tuple[Entrant, ...]] = [(start,)]
    seen: set[Entrant] = set()
    for way in ways:
        for other in sorted(beaten.get(way[-1], ())):
            if other == start:
                return way
            if other not in seen:
                seen.add(other)
                ways.append((*way, other))
    return ()


def _gathered(pair: Ints, deal: Ints, points: Floats, deals: int) -> tuple[Ints, Ints, Floats, Floats]:
    """Parts of the same pair and deal as one."""
    cells, where = np.unique(pair * deals + deal, return_inverse=True)
    totals = sums(where, points, len(cells))
    sizes = sums(where, np.ones(len(where)), len(cells))
    return (cells // deals).astype(np.int64), (cells % deals).astype(np.int64), totals, sizes


def _evenness(
    group: Ints, cluster: Ints, total: Floats, size: Floats, share: Floats
) -> tuple[Floats, Floats]:
    """(groups,) twice: degrees of freedom of each share, and how many deals, as many equal ones, move it."""
    many = int(cluster.max()) + 1
    cells, where = np.unique(group * many + cluster, return_inverse=True)
    owner, totals, sizes = cells // many, sums(where, total, len(cells)), sums(where, size, len(cells))

    def powers(off: Floats) -> tuple[Floats, Floats]:
        return sums(owner, off**2, len(share)), sums(owner, off**4, len(share))

    df = freedom(*powers(totals - share[owner] * sizes), np.bincount(owner, minlength=len(share)))
    return df, as_many_equal(*powers(totals - 0.5 * sizes))


def _counts(met: Ints, table: Table, pairs: Ints) -> tuple[Ints, Ints]:
    """How many matches and deal sets each pair met in; `met` has a number for every match and pair."""
    square = len(table.entrants) ** 2
    number = np.searchsorted(pairs, met % square)
    matches = np.bincount(number, minlength=len(pairs))
    sets = np.unique(table.set_numbers[met // square] * len(pairs) + number)
    return matches.astype(np.int64), np.bincount(sets % len(pairs), minlength=len(pairs)).astype(np.int64)
