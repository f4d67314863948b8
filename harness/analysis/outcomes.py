"""Results as arrays: what fits over a million of them work on.

`Outcomes` says the same as the `Result`s that it can be made from and gone through as; a million of those
would take gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.analysis.results import Arrangement, Entrant, Result, arrangement, of_set
from harness.analysis.tables import Bools, Floats, Ints, Table

NOBODY = -1
"""In `Outcomes.player`: this side has fewer players, or the result fewer sides."""


@dataclass(frozen=True)
class Outcomes:
    """Results in the order of their ids; arrays are (results, sides) or (results, sides, players)."""

    entrants: list[Entrant]
    ids: list[str]
    deals: list[str]
    """The different deals, in text order."""
    deal: Ints
    """(results,): index into `deals`."""
    player: Ints
    """(results, sides, players): index into `entrants`, or NOBODY."""
    first: Ints
    """(results, sides): the side's first seat, -1 where a whole deal set is the result."""
    rank: Ints
    """(results, sides): 1 for the best, equal ranks tie; 0 where there is no such side."""
    score: Floats
    """(results, sides): the mean score of the side's seats."""
    offender: Bools
    """(results, sides, players): who forfeited."""

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Result]:
        """The same as results, one at a time."""
        for row in range(len(self)):
            sides = [[p for p in side if p != NOBODY] for side in self.player[row].tolist()]
            filled = [side for side in sides if side]
            count = len(filled)
            first = self.first[row, :count].tolist()
            yield Result(
                id=self.ids[row],
                deal=self.deals[self.deal[row]],
                sides=tuple(tuple(self.entrants[p] for p in side) for side in filled),
                ranks=tuple(self.rank[row, :count].tolist()),
                scores=tuple(self.score[row, :count].tolist()),
                offenders=tuple(self.entrants[p] for p in self.player[row][self.offender[row]].tolist()),
                seats=() if -1 in first else tuple(first),
            )

    @property
    def fair(self) -> Bools:
        """(results,): whether nobody forfeited."""
        found: Bools = np.logical_not(self.offender.any(axis=(1, 2)))
        return found

    @property
    def different(self) -> Outcomes:
        """One result of every line-up of sides."""
        _, first = row_codes(list(self.player.reshape(len(self), -1).T), len(self))
        return self.taken(np.sort(first))

    def taken(self, rows: npt.NDArray[Any]) -> Outcomes:
        """Some of the results, by their numbers or by a mask; entrants and deals keep their numbers."""
        numbers = np.arange(len(self))[rows]
        return replace(
            self,
            ids=[self.ids[n] for n in numbers.tolist()],
            deal=self.deal[numbers],
            player=self.player[numbers],
            first=self.first[numbers],
            rank=self.rank[numbers],
            score=self.score[numbers],
            offender=self.offender[numbers],
        )


def outcomes(results: Iterable[Result]) -> Outcomes:
    """Results as arrays, in the order of their ids; arrays already are returned as they are."""
    if isinstance(results, Outcomes):
        return results
    ordered = sorted(results, key=lambda result: result.id)
    entrants = sorted({player for result in ordered for player in result.players})
    deals = sorted({result.deal for result in ordered})
    sides = max((len(result.sides) for result in ordered), default=2)
    players = max((len(side) for result in ordered for side in result.sides), default=1)
    found = _empty(entrants, [result.id for result in ordered], deals, sides, players)
    number = {entrant: n for n, entrant in enumerate(entrants)}
    deal_number = {deal: n for n, deal in enumerate(deals)}
    for row, result in enumerate(ordered):
        found.deal[row] = deal_number[result.deal]
        _fill(found, row, result, number)
    return found


def _empty(entrants: list[Entrant], ids: list[str], deals: list[str], sides: int, players: int) -> Outcomes:
    shape = (len(ids), sides)
    return Outcomes(
        entrants=entrants,
        ids=ids,
        deals=deals,
        deal=np.zeros(len(ids), dtype=np.int64),
        player=np.full((*shape, players), NOBODY, dtype=np.int64),
        first=np.full(shape, -1, dtype=np.int64),
        rank=np.zeros(shape, dtype=np.int64),
        score=np.zeros(shape),
        offender=np.zeros((*shape, players), dtype=bool),
    )


def _fill(found: Outcomes, row: int, result: Result, number: dict[Entrant, int]) -> None:
    count = len(result.sides)
    for at, side in enumerate(result.sides):
        found.player[row, at, : len(side)] = [number[player] for player in side]
        found.offender[row, at, : len(side)] = [player in result.offenders for player in side]
    found.rank[row, :count] = result.ranks
    found.score[row, :count] = result.scores
    if result.seats:
        found.first[row, :count] = result.seats


def of_table(table: Table) -> Outcomes:
    """The results of a game's matches: what `results(table.played())` gives, a column at a time."""
    kinds, kind = _arrangements(table)
    set_ids = table.set_numbers
    mixed_kind = np.array([one.mixed for one in kinds], dtype=bool)
    mixed = np.bincount(set_ids, mixed_kind[kind], minlength=1)[set_ids] > 0
    plain = ~mixed & np.array([len(one.sides) > 1 for one in kinds], dtype=bool)[kind]
    sets = list(_mixed_sets(table, mixed))
    matches = np.flatnonzero(plain)
    # A set's result takes the place of its first match.
    order = np.argsort(np.concatenate([matches, [row for row, _ in sets]]).astype(np.int64), kind="stable")
    ids = [table.match_ids[row] for row in matches.tolist()] + [result.id for _, result in sets]
    sides = max((len(one.sides) for one in kinds), default=2)
    players = max((len(side) for one in kinds for side in one.sides), default=1)
    found = _empty(table.entrants, ids, table.deal_names, sides, players)
    _fill_matches(found, table, matches, kinds, kind[matches])
    number = {entrant: n for n, entrant in enumerate(table.entrants)}
    for row, (match, result) in enumerate(sets, start=len(matches)):
        found.deal[row] = table.deal[match]
        _fill(found, row, result, number)
    return found.taken(order)


def _arrangements(table: Table) -> tuple[list[Arrangement], Ints]:
    """The different arrangements of a table, players by their numbers, and each match's among them."""
    columns = [*table.side.T, *table.player.T]
    codes, first = row_codes(columns, len(table))
    found = []
    for row in first.tolist():
        seated = tuple(table.entrants[p] for p in table.player[row].tolist())
        found.append(arrangement(tuple(table.side[row].tolist()), seated))
    return found, codes


def row_codes(columns: Sequence[Ints], count: int) -> tuple[Ints, Ints]:
    """For `count` rows the number of each among the different ones, and where each of those is first."""
    codes = np.zeros(count, dtype=np.int64)
    first = np.zeros(min(count, 1), dtype=np.int64)
    for column in columns:
        low = int(column.min()) if count else 0
        many = int(column.max()) - low + 1 if count else 1
        _, first, codes = np.unique(codes * many + (column - low), return_index=True, return_inverse=True)
    return codes.astype(np.int64), first.astype(np.int64)


def _fill_matches(
    found: Outcomes, table: Table, matches: Ints, kinds: Sequence[Arrangement], kind: Ints
) -> None:
    """The rows of results that are matches, which come first."""
    count = len(matches)
    number = {entrant: n for n, entrant in enumerate(table.entrants)}
    seated = np.full((len(kinds), *found.player.shape[1:]), NOBODY, dtype=np.int64)
    first = np.full((len(kinds), found.first.shape[1]), -1, dtype=np.int64)
    for n, one in enumerate(kinds):
        for at, side in enumerate(one.sides):
            seated[n, at, : len(side)] = [number[player] for player in side]
        first[n, : len(one.first)] = one.first
    found.deal[:count] = table.deal[matches]
    found.player[:count] = seated[kind]
    found.first[:count] = first[kind]
    there = found.first[:count] >= 0
    seats = np.maximum(found.first[:count], 0)
    found.rank[:count] = np.where(there, np.take_along_axis(table.place[matches], seats, axis=1), 0)
    found.score[:count] = np.where(there, np.take_along_axis(table.score[matches], seats, axis=1), 0.0)
    for seat in range(table.seats):
        at_fault = table.offender[matches, seat][:, None, None]
        found.offender[:count] |= at_fault & (
            found.player[:count] == table.player[matches, seat][:, None, None]
        )


def _mixed_sets(table: Table, mixed: Bools) -> Iterator[tuple[int, Result]]:
    """Deal sets that are one result each, with the row of their first match."""
    rows = np.flatnonzero(mixed).tolist()
    pairs = zip(rows, table.played(mixed), strict=True)
    for set_id, group in groupby(pairs, key=lambda pair: pair[1].set_id):
        played = list(group)
        result = of_set(set_id, [match for _, match in played])
        if len(result.sides) > 1:
            yield played[0][0], result
