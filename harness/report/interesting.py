"""Matches worth a look: the biggest upset, the longest, and where two bots parted on the same deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from typing import Final, NamedTuple

import numpy as np

from engines.core.playthrough import plain
from harness import store
from harness.analysis.frames import Run
from harness.analysis.replaying import game_of, replayable
from harness.analysis.tables import Table
from harness.records import MatchRecord
from harness.store.reading import steady

LOOKED_AT: Final = 2000
"""Matches among which bots' first divergence is looked for; moves are too many to compare them all."""


class Pointed(NamedTuple):
    """A match that somebody may want to see."""

    title: str
    text: str
    match_id: str
    at: int = 0
    """The move to look at."""
    other: str = ""
    """The match to compare it with."""


def interesting(run: Run, table: Table, strength: Sequence[float], labels: Sequence[str]) -> list[Pointed]:
    """What stands out in a game; `strength` and `labels` are those of the table's entrants."""
    found = [upset(table, strength, labels), longest(run, table), divergence(run, table, labels)]
    return [one for one in found if one is not None]


def upset(table: Table, strength: Sequence[float], labels: Sequence[str]) -> Pointed | None:
    """The match without faults whose winner is rated lowest against the strongest that it left behind."""
    rating = np.asarray(strength)[table.player]
    fair = ~(table.fault != "").any(axis=1)
    first = table.place == 1
    with np.errstate(invalid="ignore"):
        ahead = np.where(first, rating, -np.inf).max(axis=1)
        behind = np.where(first, -np.inf, rating).max(axis=1)
        gap = np.where(fair & np.isfinite(behind), behind - ahead, -np.inf)
    if not len(gap) or not gap.max() > 0:
        return None
    row = int(gap.argmax())
    winners = _names(labels, table.player[row][first[row]].tolist())
    strongest = max(table.player[row][~first[row]].tolist(), key=lambda player: strength[player])
    return Pointed(
        "Biggest upset",
        f"{winners} came out ahead of {labels[strongest]}, which is rated {gap[row]:.3g} higher",
        table.match_ids[row],
    )


def _names(labels: Sequence[str], players: Iterable[int]) -> str:
    return " and ".join(dict.fromkeys(labels[player] for player in players))


def longest(run: Run, table: Table) -> Pointed | None:
    """The match with most moves; of equally long ones the first."""
    plies = run.read("matches", ("match_id", "plies")).set_index("match_id")["plies"]
    own = plies.loc[table.match_ids].to_numpy()
    row = int(own.argmax())
    median = float(np.median(own))
    bots = _names([str(entrant) for entrant in table.entrants], table.player[row].tolist())
    return Pointed(
        "Longest match",
        f"{own[row]:,} moves, between {bots}; the median is {median:,.0f}",
        table.match_ids[row],
    )


class Parting(NamedTuple):
    """Two matches on one deal that went alike until one seat's bots chose differently."""

    one: MatchRecord
    other: MatchRecord
    seat: int
    at: int

    @property
    def difference(self) -> float:
        """By how much the two scores of the seat differ."""
        return abs(self.one.seats[self.seat].score - self.other.seats[self.seat].score)


def divergence(run: Run, table: Table, labels: Sequence[str]) -> Pointed | None:
    """Where two bots in the same seat, after the same moves, first chose differently to most effect."""
    if not replayable(table.game, table.rules):
        return None
    last = table.match_ids[min(len(table), LOOKED_AT) - 1]

    def looked() -> list[Parting]:
        records = store.open(run.folder).records(table.match_ids[0], last)
        return list(partings(r for r in records if (r.spec.game, r.spec.rules) == (table.game, table.rules)))

    found = steady(looked)
    if not found:
        return None
    best = max(found, key=lambda one: (one.difference, -one.at, _reverse(one.one.spec.id)))
    game = game_of(best.one)
    names = dict(zip(table.entrants, labels, strict=True))
    parts = []
    for record in (best.one, best.other):
        seat = record.seats[best.seat]
        name = next(n for entrant, n in names.items() if tuple(entrant) == (seat.bot.name, seat.bot.version))
        parts.append(f"{name} {game.table[record.moves[best.at]].name} (score {plain(seat.score)})")
    if len(table) > LOOKED_AT:
        parts[-1] += f"; looked for in the first {LOOKED_AT:,} of {len(table):,} matches"
    return Pointed(
        "First divergence",
        f"on {best.one.spec.deal}, seat {best.seat}, after the same {best.at} moves: {', '.join(parts)}",
        best.one.spec.id,
        best.at,
        best.other.spec.id,
    )


def _reverse(text: str) -> tuple[int, ...]:
    """A key by which earlier texts are larger."""
    return tuple(-ord(character) for character in text)


def partings(records: Iterable[MatchRecord]) -> Iterator[Parting]:
    """Of matches in schedule order: between every two of a deal set, if a seat's bots parted them."""
    for _, group in groupby(records, key=lambda record: record.spec.set_id):
        for one, other in combinations(list(group), 2):
            if (found := parting(one, other)) is not None:
                yield found


def parting(one: MatchRecord, other: MatchRecord) -> Parting | None:
    """Where two matches of one deal part, if different bots chose there; None else, and after faults."""
    if any(seat.faults for record in (one, other) for seat in record.seats):
        return None
    for at, (move, other_move) in enumerate(zip(one.moves, other.moves, strict=False)):
        if move != other_move:
            seat = one.move_seats[at]
            bots = (one.seats[seat].bot, other.seats[seat].bot)
            return None if bots[0] == bots[1] else Parting(one, other, seat, at)
    return None
