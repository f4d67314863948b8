"""The matches of one game as arrays with a row a match and a column a seat, ready for arithmetic."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from harness.analysis.clusters import numbered
from harness.analysis.frames import Run
from harness.analysis.results import Entrant, Played

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_MATCH_COLUMNS = ["match_id", "deal", "game", "rules", "seats", "status", "reason", "plies", "worker"]
_AT_ONCE = 10_000
"""Matches that are turned into plain values at a time."""
_MEASURED = ["decisions", "cpu_ms", "cpu_ms_max"]
_SEAT_COLUMNS = ["side", "bot", "version", "score", "place", "faults", *_MEASURED]


@dataclass(frozen=True)
class Table:
    """All matches of one game under one set of rules; arrays are (matches, seats)."""

    game: str
    rules: str
    """Options that differ from the defaults, as canonical JSON."""
    match_ids: list[str]
    """Ascending, which is the order of rows."""
    deals: list[str]
    """The deal of each; a position that is dealt again under another number is the same deal."""
    entrants: list[Entrant]
    player: Ints
    """Index into `entrants`."""
    side: Ints
    score: Floats
    place: Ints
    fault: npt.NDArray[np.object_]
    """The kind of the seat's first fault, `""` for none."""
    offender: Bools
    """Whether the seat's fault forfeited the match; one that came after the end did not."""
    decisions: Ints
    cpu_ms: Floats
    cpu_ms_max: Floats
    worker: npt.NDArray[np.object_]
    """(matches,): `host:pid` of the process that played each."""

    def __len__(self) -> int:
        return len(self.match_ids)

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return int(self.player.shape[1])

    @functools.cached_property
    def deal(self) -> Ints:
        """(matches,): index into `deal_names`."""
        return numbered(self.deals)[0]

    @functools.cached_property
    def deal_names(self) -> list[str]:
        """The different deals, in text order."""
        return sorted(set(self.deals))

    @functools.cached_property
    def set_numbers(self) -> Ints:
        """(matches,): the number of the deal set of each, from 0; sets stand together."""
        changed = [
            one.rpartition("-")[0] != other.rpartition("-")[0]
            for one, other in itertools.pairwise(self.match_ids)
        ]
        return np.cumsum([False, *changed][: len(self)]).astype(np.int64)

    def rows(self, some: slice) -> Table:
        """Some of the matches as a table of their own."""
        arrays = (
            "player",
            "side",
            "score",
            "place",
            "fault",
            "offender",
            "decisions",
            "cpu_ms",
            "cpu_ms_max",
        )
        return dataclasses.replace(
            self,
            match_ids=self.match_ids[some],
            deals=self.deals[some],
            worker=self.worker[some],
            **{name: getattr(self, name)[some] for name in arrays},
        )

    def played(self, where: Bools | None = None) -> Iterator[Played]:
        """Every match, or those of the mask `where`, in order, as results are made from it."""
        rows = np.arange(len(self)) if where is None else np.flatnonzero(where)
        for start in range(0, len(rows), _AT_ONCE):
            yield from self._played(rows[start : start + _AT_ONCE])

    def _played(self, rows: Ints) -> Iterator[Played]:
        columns = (self.side, self.player, self.score, self.place, self.offender)
        values = zip(rows.tolist(), *(column[rows].tolist() for column in columns), strict=True)
        for row, side, player, score, place, faulted in values:
            players = tuple([self.entrants[index] for index in player])
            yield Played(
                self.match_ids[row],
                self.deals[row],
                tuple(side),
                players,
                tuple(score),
                tuple(place),
                tuple(faulted),
            )


def tables(run: Run) -> list[Table]:
    """A table for each game and rules of the run, in the order of the schedule."""
    matches = run.read("matches", _MATCH_COLUMNS)
    if run.positions:
        matches = matches.assign(deal=[same_deal(str(deal), run.positions) for deal in matches["deal"]])
    seats = run.read("seats", _SEAT_COLUMNS)
    if matches.empty:
        return []
    match_row = np.repeat(np.arange(len(matches)), matches["seats"])
    found = []
    for row in matches[["game", "rules"]].drop_duplicates().itertuples(index=False):
        mine = ((matches["game"] == row.game) & (matches["rules"] == row.rules)).to_numpy()
        found.append(_table(str(row.game), str(row.rules), matches[mine], seats[mine[match_row]]))
    return found


def same_deal(deal: str, positions: Mapping[str, int]) -> str:
    """The first deal like this one: after so many positions, by their digest, they come again."""
    base, _, number = deal.rpartition("/")
    count = positions.get(base.rpartition("/")[2])
    return f"{base}/{int(number) % count}" if count else deal


def _table(game: str, rules: str, matches: pd.DataFrame, seats: pd.DataFrame) -> Table:
    shape = (len(matches), len(seats) // len(matches))
    entrants, player = _players(seats)

    def grid(column: str, dtype: Any) -> npt.NDArray[Any]:
        return seats[column].to_numpy(dtype=dtype).reshape(shape)

    faults = [first_fault(found) for found in seats["faults"]]
    kind = np.array([kind for _, kind in faults], dtype=object).reshape(shape)
    ply = np.array([ply for ply, _ in faults], dtype=np.int64).reshape(shape)
    place = grid("place", np.int64)
    return Table(
        game=game,
        rules=rules,
        match_ids=matches["match_id"].astype(str).tolist(),
        deals=matches["deal"].astype(str).tolist(),
        entrants=entrants,
        player=player.reshape(shape),
        side=grid("side", np.int64),
        score=grid("score", np.float64),
        place=place,
        fault=kind,
        offender=offenders(matches, kind != "", ply, place),
        decisions=grid("decisions", np.int64),
        cpu_ms=grid("cpu_ms", np.float64),
        cpu_ms_max=grid("cpu_ms_max", np.float64),
        worker=matches["worker"].to_numpy(dtype=object),
    )


def _players(seats: pd.DataFrame) -> tuple[list[Entrant], Ints]:
    """Who played, in the order of names and versions, and the number of each seat's."""
    bot, version = (seats[name].astype("category").cat for name in ("bot", "version"))
    pairs = bot.codes.to_numpy(np.int64) * len(version.categories) + version.codes.to_numpy(np.int64)
    used, where = np.unique(pairs, return_inverse=True)
    both = [divmod(int(pair), len(version.categories)) for pair in used]
    names = [Entrant(str(bot.categories[b]), str(version.categories[v])) for b, v in both]
    order = sorted(range(len(names)), key=names.__getitem__)
    number = np.empty(len(names), dtype=np.int64)
    number[order] = np.arange(len(names))
    return [names[index] for index in order], number[where.reshape(-1)]


def first_fault(faults: Any) -> tuple[int, str]:
    """Ply and kind of the first of a seat's `faults` as Parquet gives them; kind `""` for none."""
    return (faults[0]["ply"], faults[0]["kind"]) if faults is not None and len(faults) else (-1, "")


def offenders(matches: pd.DataFrame, faulted: Bools, ply: Ints, place: Ints) -> Bools:
    """(matches, seats): whose fault was a forfeit.

    A bot may also fail when it is told the outcome, which changes nothing. Where a substitute played on,
    such a fault has the number of all moves; where the forfeit ended the match, the offender is placed
    last, and all are placed first where all of them forfeited.
    """
    column = {name: matches[name].to_numpy()[:, None] for name in ("status", "plies")}
    stopped = matches["reason"].isna().to_numpy()[:, None]
    behind = (place > 1) | (place == 1).all(axis=1, keepdims=True)
    found: Bools = (
        faulted & (column["status"] == "forfeit") & np.where(stopped, behind, ply < column["plies"])
    )
    return found
