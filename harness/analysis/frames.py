"""A run folder's Parquet files as pandas frames: by column, and while the run still goes on.

`open_run("reports/weekend").seats.groupby("bot").score.mean()` is all it takes. Frames are in the order
of match ids and hold whole deal sets only, so a table made from them compares like with like.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pandas as pd

KEYS: Final = {"matches": ["match_id"], "seats": ["match_id", "seat"]}
PER_MOVE: Final = ("moves", "move_seats", "move_cpu_us")
"""Columns with one entry a move: large, and read only when they are asked for."""
_TRIES: Final = 5


class NoRun(ValueError):
    """A folder that is no run's."""


def open_run(path: str | Path) -> Run:
    """The run in this folder; raises NoRun where there is none."""
    folder = Path(path)
    if not (folder / "run.toml").is_file() and not (folder / "matches").is_dir():
        there = "no such folder" if not folder.exists() else "it has neither run.toml nor matches/"
        raise NoRun(f"{folder}: expected the folder of a run: {there}")
    return Run(folder)


class Run:
    """One run folder. Nothing is read before it is asked for, and each column once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.warnings: list[str] = []
        """What was left out while reading, and why, in words."""

    @property
    def name(self) -> str:
        """The run's name: its config's, else its folder's."""
        return str(self.config.get("name", self.folder.resolve().name))

    @functools.cached_property
    def config(self) -> Mapping[str, Any]:
        """run.toml as it stands; empty where there is none."""
        path = self.folder / "run.toml"
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    @functools.cached_property
    def provenance(self) -> Mapping[str, Any]:
        """provenance.json; empty where there is none."""
        path = self.folder / "provenance.json"
        found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return found

    @functools.cached_property
    def matches(self) -> pd.DataFrame:
        """One row a match, by `match_id`, with the deal set's `set_id`; without the per-move columns."""
        return self.read("matches")

    @functools.cached_property
    def seats(self) -> pd.DataFrame:
        """One row a match and seat, by `match_id` and `seat`; without the per-move columns."""
        return self.read("seats")

    def read(self, kind: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The named columns of `matches` or `seats`, of whole deal sets; None: all but the per-move ones."""
        frame = self._parts(kind, columns)
        kept = frame["match_id"].isin(self._whole.index)
        frame = frame[kept].reset_index(drop=True)
        if kind == "matches" and columns is None:
            frame.insert(1, "set_id", set_ids(frame["match_id"]))
        wanted = frame.columns if columns is None else list(columns)
        return frame[wanted]

    @functools.cached_property
    def _whole(self) -> pd.DataFrame:
        """Index: ids of the matches that are complete, in complete deal sets."""
        matches = self._parts("matches", ["match_id", "game", "rules", "seating", "seats"])
        seats = self._parts("seats", ["match_id", "seat", "bot", "version"])
        whole = whole_matches(matches, seats)
        if left := len(matches) - len(whole):
            self._warn(f"{left} matches of deal sets that are not finished yet are left out")
        return pd.DataFrame(index=pd.Index(whole))

    def _parts(self, kind: str, columns: Sequence[str] | None) -> pd.DataFrame:
        """All part files of one kind, in order, each key once."""
        keys = KEYS[kind]
        wanted = None if columns is None else list(dict.fromkeys([*keys, *columns]))
        frames = self._read_parts(kind, wanted)
        if not frames:
            return pd.DataFrame({name: pd.Series(dtype=object) for name in wanted or keys})
        frame = concatenated(frames)
        # A part and the larger part it was just merged into may both be there for a moment.
        return frame.drop_duplicates(keys).sort_values(keys, ignore_index=True)

    def _read_parts(self, kind: str, columns: list[str] | None) -> list[pd.DataFrame]:
        for _ in range(_TRIES):
            frames = []
            try:
                for path in part_files(self.folder / kind):
                    if (frame := self._read_part(path, columns)) is not None:
                        frames.append(frame)
            except FileNotFoundError:
                continue  # parts were merged while they were being read: look again
            return frames
        raise NoRun(f"{self.folder / kind}: part files vanish as they are read; try again")

    def _read_part(self, path: Path, columns: list[str] | None) -> pd.DataFrame | None:
        try:
            frame = pd.read_parquet(path, columns=columns)
        except FileNotFoundError:
            raise
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
            self._warn(f"{path.parent.name}/{path.name} cannot be read and is left out: {reason}")
            return None
        return frame if columns else frame.drop(columns=[c for c in PER_MOVE if c in frame])

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)


def part_files(folder: Path) -> list[Path]:
    """The finished part files of a folder, in order; names that start with a dot are still being written."""
    return sorted(path for path in folder.glob("*.parquet") if not path.name.startswith("."))


def set_ids(match_ids: pd.Series[str]) -> pd.Series[str]:
    """The deal set of each match: its id without the seating."""
    return match_ids.str.rpartition("-")[0] if len(match_ids) else match_ids.astype(object)


def concatenated(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """One frame of many; dictionary columns stay categories, over the union of their values."""
    if len(frames) == 1:
        return frames[0]
    names = [name for name in frames[0] if isinstance(frames[0][name].dtype, pd.CategoricalDtype)]
    plain = [frame.drop(columns=names) for frame in frames]
    whole = pd.concat(plain, ignore_index=True)
    for name in names:
        columns = [frame[name].astype("category") for frame in frames]
        whole[name] = pd.Categorical(pd.api.types.union_categoricals(columns))
    return whole[list(frames[0].columns)]


def whole_matches(matches: pd.DataFrame, seats: pd.DataFrame) -> list[str]:
    """Ids of the matches that have all their seats and whose deal set has all its seatings.

    How many seatings a set has depends on the format, the game and how many different bots meet in it;
    so it is the most that any set of that kind has.
    """
    if matches.empty:
        return []
    seated = seats.groupby("match_id", observed=True).size()
    table = matches.assign(set_id=set_ids(matches["match_id"]))
    table["complete"] = table["match_id"].map(seated).fillna(0).astype(int) == table["seats"].astype(int)
    bots = seats.drop_duplicates(["match_id", "bot", "version"]).groupby("match_id", observed=True).size()
    table["bots"] = table["match_id"].map(bots).fillna(0).astype(int)
    kind = ["game", "rules", "bots"]
    sets = table[table["complete"]].groupby([*kind, "set_id"], observed=True)["seating"]
    sizes = sets.nunique().rename("size").reset_index()
    most = table.groupby(kind, observed=True)["seating"].max().rename("most").reset_index()
    sizes = sizes.merge(most, on=kind)
    full = set(sizes.loc[sizes["size"] > sizes["most"], "set_id"])
    return table.loc[table["set_id"].isin(full) & table["complete"], "match_id"].tolist()
