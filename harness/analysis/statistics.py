"""What each bot did in one game: scores with an error over deals, wins, draws, losses, faults, clocks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

import engines
from harness.analysis.clusters import Mean, ratios
from harness.analysis.results import Entrant
from harness.analysis.tables import Bools, Floats, Table

_AT_ONCE: Final = 100_000
"""Matches that are worked on at a time."""


@dataclass(frozen=True)
class BotStatistics:
    """One bot's figures in one game. Matches in which it met only itself are not among them."""

    entrant: Entrant
    games: int
    """Matches it played; copies of a bot in one match are one player."""
    sets: int
    """Deal sets it played in."""
    score: Mean
    """Mean score a seat, in the game's points; sets that share a deal are one cluster of the error."""
    share: Mean
    """Share of the opposing sides it came out ahead of, a tie counting half: 0.5 on average in any game."""
    wins: int
    """First place, shared with no opposing side."""
    draws: int
    """First place, shared with an opposing side."""
    losses: int
    forfeits: Mapping[str, int]
    """Matches that it forfeited, by the kind of its first fault."""
    late_faults: int
    """Matches in which it failed when it was told the outcome, which changed nothing."""
    cpu_ms_p50: float
    """Median over matches and seats of the mean CPU time of a decision; nan where nothing was decided."""
    cpu_ms_p95: float
    cpu_ms_max: float
    """The longest single decision."""


def by_bot(table: Table) -> list[BotStatistics]:
    """The statistics of everybody in `table`, in the order of its entrants."""
    counted = ~(table.player == table.player[:, :1]).all(axis=1)[:, None]
    against = _against(table)
    bots = len(table.entrants)
    rows, seats = np.nonzero(np.broadcast_to(counted, table.player.shape))
    player, deal = table.player[rows, seats], table.deal[rows]
    score = table.score[rows, seats]
    scores = ratios(player, deal, score, np.ones(len(rows)), bots, score_range(table))
    shares = ratios(player, deal, against.ahead[rows, seats], against.met[rows, seats], bots, (0.0, 1.0))
    return [_of(table, index, counted, against, scores.at(index), shares.at(index)) for index in range(bots)]


def score_range(table: Table) -> tuple[float, float]:
    """The least and the most that a seat can score: as the game says, else as it was seen here."""
    seen = (float(table.score.min()), float(table.score.max())) if len(table) else (0.0, 0.0)
    try:
        game = engines.load(table.game, **json.loads(table.rules))
    except (ValueError, TypeError, ImportError):
        return seen
    return min(game.stakes[0], seen[0]), max(game.highest, seen[1])


class Against(NamedTuple):
    """How every seat did against those of others; all are (matches, seats)."""

    won: Bools
    """Whether its player is first, alone."""
    shared: Bools
    """Whether its player is first, among others."""
    ahead: Floats
    """How many opposing sides it is ahead of, ties half."""
    met: Floats
    """How many opposing sides there are."""


def _against(table: Table) -> Against:
    """Worked out for some matches at a time: between, every two seats are compared."""
    found = []
    for start in range(0, max(len(table), 1), _AT_ONCE):
        some = table.rows(slice(start, start + _AT_ONCE))
        beside = beside_seats(some)
        found.append(Against(*first_places(some, beside), *opponents(some, beside)))
    return Against(*(np.concatenate(column) for column in zip(*found, strict=True)))


def beside_seats(table: Table) -> Bools:
    """(matches, i, j): whether the player of seat i also plays on the side of seat j."""
    same_side = table.side[:, :, None] == table.side[:, None, :]
    same_player = table.player[:, :, None] == table.player[:, None, :]
    # i is on j's side if some seat k of that side has i's player.
    found: Bools = np.einsum("mik,mkj->mij", same_player, same_side)
    return found


def leads(table: Table) -> Bools:
    """(matches, seats): whether a seat is the first of its side, so that each side is counted once."""
    earlier = np.tril(np.ones((table.seats, table.seats), dtype=bool), -1)
    found: Bools = ~((table.side[:, :, None] == table.side[:, None, :]) & earlier).any(axis=2)
    return found


def first_places(table: Table, beside: Bools) -> tuple[Bools, Bools]:
    """(matches, seats) twice: whether the seat's player is first alone, and first among others."""
    first = (table.place == 1)[:, None, :]
    own = (beside & first).any(axis=2)
    others = (~beside & first).any(axis=2)
    return own & ~others, own & others


def opponents(table: Table, beside: Bools) -> tuple[Floats, Floats]:
    """(matches, seats) twice: how many opposing sides a seat is ahead of (ties half), and met."""
    opposing = ~beside & leads(table)[:, None, :]
    mine, theirs = table.place[:, :, None], table.place[:, None, :]
    points = (theirs > mine) + 0.5 * (theirs == mine)
    return (opposing * points).sum(axis=2), opposing.sum(axis=2).astype(float)


def _of(
    table: Table, index: int, counted: Bools, against: Against, score: Mean, share: Mean
) -> BotStatistics:
    seat = (table.player == index) & counted
    match = seat.any(axis=1)
    decided = seat & (table.decisions > 0)
    per_decision = table.cpu_ms[decided] / table.decisions[decided]
    p50, p95 = np.percentile(per_decision, [50, 95]) if len(per_decision) else (np.nan, np.nan)
    wins, draws = (int((seat & what).any(axis=1).sum()) for what in (against.won, against.shared))
    late = (table.fault != "") & ~table.offender & seat
    return BotStatistics(
        entrant=table.entrants[index],
        games=int(match.sum()),
        sets=len(np.unique(table.set_numbers[match])),
        score=score,
        share=share,
        wins=wins,
        draws=draws,
        losses=int(match.sum()) - wins - draws,
        forfeits=dict(sorted(Counter(first_kinds(table, seat & table.offender)).items())),
        late_faults=int(late.any(axis=1).sum()),
        cpu_ms_p50=float(p50),
        cpu_ms_p95=float(p95),
        cpu_ms_max=float(table.cpu_ms_max[seat].max()) if seat.any() else float("nan"),
    )


def first_kinds(table: Table, seats: Bools) -> list[str]:
    """For every match with any of `seats`, the kind of fault of the first of them."""
    rows = np.flatnonzero(seats.any(axis=1))
    return [str(kind) for kind in table.fault[rows, seats[rows].argmax(axis=1)]]
