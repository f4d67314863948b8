"""What a page shows of a game's matches, as a few numbers however many matches there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from harness.analysis.frames import Run, among
from harness.analysis.outcomes import of_table
from harness.analysis.results import Entrant
from harness.analysis.strengths import ELO, strengths
from harness.analysis.tables import Ints, Table
from harness.analysis.verdicts import covariance, intervals
from harness.report.charts import Progress, Spread, Times, quantile

_POINTS: Final = 14
"""Of a line over deals."""
_FEW: Final = 5
"""Deals from which on a line is drawn."""
_EXAMPLES: Final = 1
"""Matches that are named for every kind of fault of a bot."""


def scores(table: Table, bots: Sequence[int], labels: Sequence[str]) -> list[Spread]:
    """Every score that each of `bots` (numbers of entrants) had, over its seats, and how often."""
    found = []
    for index, label in zip(bots, labels, strict=True):
        values, counts = np.unique(table.score[table.player == index], return_counts=True)
        found.append(Spread(label, values.tolist(), counts.tolist()))
    return found


def strengths_over_deals(table: Table, bots: Sequence[int], labels: Sequence[str]) -> list[Progress]:
    """The order-free strength of each of `bots` after so many deals, with 95 % intervals over deals.

    Deals count in the order in which the schedule came to them.
    """
    found = of_table(table)
    when = _in_order(table, found.deals)[found.deal]
    deals = int(when.max()) + 1 if len(when) else 0
    if deals < _FEW:
        return []
    at = np.unique(np.geomspace(_FEW, deals, _POINTS).round().astype(int)).tolist()
    value, low, high = np.full((3, len(at), len(bots)), np.nan)
    for row, upto in enumerate(at):
        fitted = strengths(found.taken(when < upto))
        ends = intervals(fitted, covariance(fitted))
        column = {entrant: n for n, entrant in enumerate(fitted.entrants)}
        numbers = [column[table.entrants[bot]] for bot in bots]
        value[row] = ELO * (fitted.value[numbers] - fitted.value.mean())
        low[row], high[row] = (ELO * end[numbers] for end in ends)
    return [
        Progress(label, at, value[:, n].tolist(), low[:, n].tolist(), high[:, n].tolist())
        for n, label in enumerate(labels)
    ]


def _in_order(table: Table, deals: Sequence[str]) -> Ints:
    """For each of `deals`, as how many-eth deal the schedule came to it, from 0."""
    first = {name: number for number, name in enumerate(dict.fromkeys(table.deals))}
    return np.array([first[name] for name in deals], dtype=np.int64)


def times(table: Table, bots: Sequence[int], labels: Sequence[str]) -> list[Times]:
    """CPU time over matches of the match's mean, and the longest decision, of each of `bots`."""
    found = []
    for index, label in zip(bots, labels, strict=True):
        own = (table.player == index) & (table.decisions > 0)
        if not own.any():
            continue
        p50, p95 = np.percentile(table.cpu_ms[own] / table.decisions[own], [50, 95]).tolist()
        found.append(Times(label, p50, p95, float(table.cpu_ms_max[own].max())))
    return found


@dataclass(frozen=True)
class Decisions:
    """CPU milliseconds over single decisions, where they were kept."""

    label: str
    count: int
    p50: float
    p95: float
    longest: float


def decisions(run: Run, table: Table, bots: Sequence[int], labels: Sequence[str]) -> list[Decisions]:
    """Of those of `bots` whose decisions' times are stored; forced moves are left out."""
    counts: dict[Entrant, Counter[int]] = {entrant: Counter() for entrant in table.entrants}
    ids = pd.Index(table.match_ids, dtype=object)
    for frame in run.pieces("seats", ("match_id", "bot", "version", "move_cpu_us")):
        kept = frame[frame["move_cpu_us"].notna() & among(ids, frame["match_id"])]
        for (bot, version), group in kept.groupby(["bot", "version"], observed=True)["move_cpu_us"]:
            taken = np.concatenate([np.asarray(times, dtype=np.int64) for times in group])
            different, often = np.unique(taken[taken > 0], return_counts=True)
            known = counts.get(Entrant(str(bot), str(version)), Counter())
            known.update(dict(zip(different.tolist(), often.tolist(), strict=True)))
    found = []
    for index, label in zip(bots, labels, strict=True):
        known = counts[table.entrants[index]]
        if known:
            values, many = zip(*sorted(known.items()), strict=True)
            p50, p95 = (quantile(values, many, q) / 1000 for q in (0.5, 0.95))
            found.append(Decisions(label, sum(many), p50, p95, values[-1] / 1000))
    return found


class Faulty(NamedTuple):
    """One kind of fault of one bot."""

    label: str
    kind: str
    forfeits: int
    """Matches that it forfeited that way."""
    late: int
    """Matches in which it came after the end and changed nothing."""
    matches: int
    """Of so many that the bot played."""
    examples: tuple[str, ...]
    """The first of these matches."""


def faults(table: Table, labels: Sequence[str]) -> list[Faulty]:
    """By bot and kind; a match with several faulty seats of a bot counts once a kind."""
    found = []
    for index, label in enumerate(labels):
        own = table.player == index
        faulty = own & (table.fault != "")
        rows = np.flatnonzero(faulty.any(axis=1))
        for kind in sorted({str(kind) for kind in table.fault[faulty]}):
            here = (table.fault[rows] == kind) & faulty[rows]
            forfeits = (here & table.offender[rows]).any(axis=1)
            hit = here.any(axis=1)
            found.append(
                Faulty(
                    label,
                    kind,
                    int(forfeits.sum()),
                    int((hit & ~forfeits).sum()),
                    int(own.any(axis=1).sum()),
                    tuple(table.match_ids[row] for row in rows[hit][:_EXAMPLES].tolist()),
                )
            )
    return found
