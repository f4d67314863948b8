"""Which seat is the better: from matches of a bot against itself where there are enough, else from all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from harness.analysis.clusters import LEVEL, Mean, ratios
from harness.analysis.quantiles import t_tail
from harness.analysis.tables import Bools, Floats, Table

EVEN: Final = 0.5
ENOUGH: Final = 20
"""Deals on which bots met themselves, from which on these matches speak for the seats alone."""


@dataclass(frozen=True)
class SeatLine:
    """One seat at a game."""

    seat: int
    matches: int
    share: Mean
    """The part of opposing seats that it came out ahead of, a tie counting half; 0.5 if seats are equal."""
    score: Mean
    """Mean score in the game's points."""
    p: float
    """Two-sided p-value of its share's being 0.5, corrected for the number of seats; nan if not known."""


@dataclass(frozen=True)
class Seats:
    """All seats at a game."""

    lines: tuple[SeatLine, ...]
    mirrored: bool
    """From matches in which a bot met only itself; else from all, in which bots are not equally strong."""


def seats(table: Table) -> Seats:
    """The seats of a table, each with its share and score."""
    alone = (table.player == table.player[:, :1]).all(axis=1)
    deals = table.deal[alone]
    mirrored = len(np.unique(deals)) >= ENOUGH
    rows = alone if mirrored else np.ones(len(table), dtype=bool)
    return Seats(tuple(_line(table, seat, rows) for seat in range(table.seats)), mirrored)


def _line(table: Table, seat: int, rows: Bools) -> SeatLine:
    place, side = table.place[rows], table.side[rows]
    against = side != side[:, seat : seat + 1]
    points = 0.5 + 0.5 * np.sign(place - place[:, seat : seat + 1])
    share = _mean(table, rows, (points * against).sum(axis=1), against.sum(axis=1), (0.0, 1.0))
    score = table.score[rows, seat]
    scale = (float(table.score.min()), float(table.score.max())) if len(table) else (0.0, 0.0)
    return SeatLine(
        seat=seat,
        matches=int(rows.sum()),
        share=share,
        score=_mean(table, rows, score, np.ones(len(score)), scale),
        p=min(1.0, _p(share) * table.seats),
    )


def _p(share: Mean) -> float:
    """Before correction; deals that all agree prove no more than a sign test of so many can."""
    if share.clusters < 2:
        return math.nan
    agreeing = math.pow(2.0, 1 - share.clusters)
    if share.value == EVEN:
        return 1.0
    if not share.error:
        return agreeing
    return max(agreeing, t_tail((share.value - EVEN) / share.error, share.clusters - 1))


def _mean(table: Table, rows: Bools, total: Floats, size: Floats, scale: tuple[float, float]) -> Mean:
    group = np.zeros(len(total), dtype=np.int64)
    return ratios(group, table.deal[rows], total, size.astype(np.float64), 1, scale).at(0)


def uneven(found: Seats) -> list[SeatLine]:
    """Seats whose share is not one half, at the 5 % level for all seats together."""
    return [line for line in found.lines if line.p <= 1.0 - LEVEL]
