"""Whether all workers and nodes gave the same results: one that is slow or broken must not be averaged in.

A deal set's outcome is set against the mean of the same line-up over all places; a place's deviations, in
standard deviations, are summed. Their squares over all places are a chi-square; single places are corrected
for their number (Bonferroni). Forfeits a place are tested in the same way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from harness.analysis.outcomes import row_codes
from harness.analysis.quantiles import chi2_tail
from harness.analysis.tables import Floats, Ints, Table

ENOUGH: Final = 20
"""Deal sets that a place must have played to be judged."""
ERROR: Final = 0.01
"""The chance of a false alarm, for each test."""


@dataclass(frozen=True)
class Place:
    """A worker or node that differs."""

    kind: str
    """`node` or `worker`."""
    name: str
    what: str
    """`results` or `forfeits`."""
    sets: int
    deviation: float
    """In standard deviations."""
    p: float
    """Corrected for the number of places."""

    def __str__(self) -> str:
        how = "more" if self.deviation > 0 else "fewer"
        told = f"{how} forfeits" if self.what == "forfeits" else "other results"
        return (
            f"{self.kind} {self.name} gave {told} than the others: {abs(self.deviation):.1f} standard "
            f"deviations over {self.sets} deal sets (p = {self.p:.2g}, corrected)"
        )


def differing(table: Table) -> list[Place]:
    """Nodes, then workers, whose results or forfeits differ from those of all; one table at a time."""
    if not len(table):
        return []
    sets = table.set_numbers
    first = np.flatnonzero(np.diff(sets, prepend=-1))
    workers = [str(worker or "") for worker in table.worker[first].tolist()]
    nodes = [worker.rpartition(":")[0] for worker in workers]
    outcome, line_up = _outcomes(table, sets)
    faulted = np.bincount(sets, table.offender.any(axis=1)) > 0
    found = []
    for kind, places in (("node", nodes), ("worker", workers)):
        for what, values in (("results", outcome), ("forfeits", faulted.astype(np.float64))):
            found += _apart(kind, what, places, values, line_up)
    # A node of one worker says it once.
    return list({(one.what, one.deviation): one for one in reversed(found)}.values())[::-1]


def _outcomes(table: Table, sets: Ints) -> tuple[Floats, Ints]:
    """(deal sets,) twice: the mean place of the line-up's first player, and the line-up's number."""
    lowest = table.player.min(axis=1)
    codes, _ = row_codes(list(np.sort(table.player, axis=1).T), len(table))
    first = np.flatnonzero(np.diff(sets, prepend=-1))
    seat = table.player == lowest[:, None]
    place = np.where(seat, table.place, 0).sum(axis=1) / seat.sum(axis=1)
    return np.bincount(sets, place) / np.bincount(sets), codes[first]


def _apart(kind: str, what: str, places: list[str], values: Floats, line_up: Ints) -> list[Place]:
    names = sorted(set(places))
    if len(names) < 2:
        return []
    number = {name: n for n, name in enumerate(names)}
    place = np.array([number[name] for name in places], dtype=np.int64)
    size = np.bincount(line_up)
    mean = np.bincount(line_up, values) / np.maximum(size, 1)
    residual = values - mean[line_up]
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(size > 1, np.bincount(line_up, residual**2) / (size - 1.0), 0.0)[line_up]
    total = np.bincount(place, residual, len(names))
    count = np.bincount(place, minlength=len(names))
    # Each place's own sets are part of the mean they are compared with.
    _, where = np.unique(place * (int(line_up.max()) + 1) + line_up, return_inverse=True)
    own = np.bincount(where)[where] / size[line_up]
    spread = np.sqrt(np.bincount(place, variance * (1.0 - own), len(names)))
    judged = (count >= ENOUGH) & (spread > 0)
    if judged.sum() < 2:
        return []
    z = np.where(judged, total / np.where(spread > 0, spread, 1.0), 0.0)
    if chi2_tail(float((z**2).sum()), float(judged.sum() - 1)) > ERROR:
        return []
    corrected = [min(1.0, int(judged.sum()) * math.erfc(abs(one) / math.sqrt(2.0))) for one in z.tolist()]
    return [
        Place(kind, names[n], what, int(count[n]), float(z[n]), corrected[n])
        for n in np.argsort(-np.abs(z), kind="stable").tolist()
        if corrected[n] <= ERROR
    ]
