"""Runs as pandas frames: what is stored and what follows from it, each worked out when it is asked for.

`harness.open_run("weekend")` has `matches`, `seats`, `moves`, `standings` and `pairs`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pandas as pd

import engines
from harness import ratings
from harness.analysis.frames import Run, find_run
from harness.analysis.replaying import replayable
from harness.analysis.standings import DEFAULT, standings
from harness.analysis.tables import tables
from harness.report import data
from harness.report.frame_columns import MOVES, PAIRS, STANDINGS, frame, typed
from harness.report.model import Standings

_PLAYED: Final = ("match_id", "game", "rules", "moves", "move_seats")
_CLOCKS: Final = ("match_id", "seat", "bot", "version", "move_cpu_us")


class OpenRun(Run):
    """One run. Nothing is read or worked out before it is asked for, and then once."""

    @functools.cached_property
    def moves(self) -> pd.DataFrame:
        """One row a move, in the order of matches and moves (frame_columns.MOVES); large: see `moves_of`."""
        return self.moves_of(None)

    def moves_of(self, match_ids: Iterable[str] | None) -> pd.DataFrame:
        """The moves of these matches, or of all."""
        matches, seats = self.read("matches", _PLAYED), self.read("seats", _CLOCKS)
        if match_ids is not None:
            wanted = set(match_ids)
            matches = matches[matches["match_id"].isin(wanted)]
            seats = seats[seats["match_id"].isin(wanted)]
        return _moves(matches, seats)

    @property
    def standings(self) -> pd.DataFrame:
        """One row a bot and game, by rank within a game (frame_columns.STANDINGS)."""
        return self.standings_by(DEFAULT)

    def standings_by(self, rating: str) -> pd.DataFrame:
        """The same, ranked by another rating method; raises UnknownRating."""
        return frame(STANDINGS, data.records(self._ranked(rating)))

    @property
    def pairs(self) -> pd.DataFrame:
        """One row for every two bots of a game (frame_columns.PAIRS)."""
        found = self._ranked(DEFAULT)
        return frame(PAIRS, (record for one in found for record in data.pair_records(one)))

    @functools.cache  # noqa: B019 - a run is opened for as long as its frames are wanted
    def _ranked(self, rating: str) -> tuple[Standings, ...]:
        title = ratings.method(rating).TITLE
        return tuple(Standings(standings(table, rating), table.seats, title) for table in tables(self))


def open_run(run: str | Path) -> OpenRun:
    """The run in this folder, or of this name under `reports/`; raises NoRun."""
    return OpenRun(find_run(run).folder)


def _moves(matches: pd.DataFrame, seats: pd.DataFrame) -> pd.DataFrame:
    """The moves of matches; clocks are a seat's own and in the order of its moves."""
    plain = matches[["match_id", "game", "rules", "moves", "move_seats"]].rename(
        columns={"moves": "move", "move_seats": "seat"}
    )
    found = plain.explode(["move", "seat"], ignore_index=True).dropna(subset=["move"])
    found["ply"] = found.groupby("match_id").cumcount()
    found["turn"] = found.groupby(["match_id", "seat"]).cumcount()
    found["name"] = _names(found)
    clocks = seats.rename(columns={"move_cpu_us": "cpu_us"}).explode("cpu_us", ignore_index=True)
    clocks["turn"] = clocks.groupby(["match_id", "seat"]).cumcount()
    kept = clocks.loc[clocks["cpu_us"].notna(), ["match_id", "seat", "turn", "cpu_us"]]
    found["seat"] = found["seat"].astype("int64")
    for other in (kept, seats):
        other["seat"] = other["seat"].astype("int64")
    found = found.merge(kept, how="left", on=["match_id", "seat", "turn"])
    found = found.merge(seats[["match_id", "seat", "bot", "version"]], how="left", on=["match_id", "seat"])
    found = found.sort_values(["match_id", "ply"], ignore_index=True)
    return pd.DataFrame({column.name: typed(found[column.name], column.dtype) for column in MOVES})


def _names(moves: pd.DataFrame) -> list[str]:
    """Every move's name; its number where the game cannot be loaded."""
    names = moves["move"].astype("str").tolist()
    for (game, rules), group in moves.reset_index(drop=True).groupby(["game", "rules"], observed=True):
        if not replayable(str(game), str(rules)):
            continue
        table = engines.load(str(game), **json.loads(str(rules))).table
        for row, move in zip(group.index, group["move"], strict=True):
            names[row] = table[move].name
    return names
