"""A run folder's Parquet files as pandas frames: by column, and while the run still goes on.

`open_run("reports/weekend").seats.groupby("bot").score.mean()` is all it takes. Frames are in the order
of match ids and hold whole deal sets only, so a table made from them compares like with like.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from engines.core.errors import choices_hint
from harness.config_values import REPORTS
from harness.store.parts import PartReader, first_line
from harness.store.reading import StoredRun, steady
from harness.store.schema import MATCH_COLUMNS, MATCHES, SEAT_COLUMNS, SEATS

KEYS: Final = {"matches": ["match_id"], "seats": ["match_id", "seat"]}
SCHEMAS: Final = {"matches": MATCHES, "seats": SEATS}
MOST_SEATS: Final = 128
"""More than any game has: seats are numbers of one byte."""
PER_MOVE: Final = ("moves", "move_seats", "move_cpu_us")
"""Columns with one entry a move: large, and read only when they are asked for."""


_NO_FAULTS: Final = np.array([], dtype=object)
_NO_FAULTS.setflags(write=False)


class NoRun(ValueError):
    """A folder that is no run's."""


class DamagedPart(ValueError):
    """A part file whose content cannot be read; the message names it."""


def open_run(path: str | Path) -> Run:
    """The run in this folder; raises NoRun where there is none."""
    folder = Path(path)
    if not (folder / "run.toml").is_file() and not (folder / "matches").is_dir():
        there = "no such folder" if not folder.exists() else "it has neither run.toml nor matches/"
        raise NoRun(f"{folder}: expected the folder of a run: {there}")
    return Run(folder)


def find_run(run: str | Path) -> Run:
    """The run in this folder, or of this name under `reports/`; raises NoRun with the names there are."""
    for folder in (Path(run), REPORTS / run):
        if folder.is_dir():
            return open_run(folder)
    known = sorted(p.name for p in REPORTS.iterdir() if p.is_dir()) if REPORTS.is_dir() else []
    raise NoRun(
        f"{run}: no such folder, and no run of that name in {REPORTS}/: {choices_hint(str(run), known)}"
    )


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
        """run.toml as it stands; empty where there is none. Raises DamagedPart."""
        return self._written("run.toml", tomllib.loads)

    @property
    def positions(self) -> Mapping[str, int]:
        """How many positions its deals come from, by their digest; empty where cards are dealt."""
        given = self.config.get("positions")
        return {str(given["digest"]): int(given["count"])} if given else {}

    @property
    def seed_is_secret(self) -> bool:
        """Whether the seed was drawn for this run, and deals may still come: who knows it knows them."""
        return bool(self.config.get("seed_drawn")) and "finished" not in self.provenance

    @functools.cached_property
    def provenance(self) -> Mapping[str, Any]:
        """provenance.json; empty where there is none. Raises DamagedPart."""
        return self._written("provenance.json", json.loads)

    def _written(self, name: str, read: Callable[[str], Any]) -> Mapping[str, Any]:
        """What a run writes beside its results."""
        path = self.folder / name
        try:
            found = read(path.read_text(encoding="utf-8")) if path.is_file() else {}
        except OSError as error:
            raise DamagedPart(f"{path} cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise DamagedPart(f"{path} is not what a run writes: {error}") from None
        if not isinstance(found, dict):
            raise DamagedPart(f"{path} is not what a run writes: expected keys and values")
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
        """The named columns of `matches` or `seats`, of whole deal sets; None: all but the per-move ones.

        Raises DamagedPart where a file that looked whole cannot be read after all.
        """
        named = _light(kind) if columns is None else list(columns)
        frame = steady(lambda: self._parts(kind, named))[named]
        if columns is None and kind == "matches":
            frame.insert(1, "set_id", set_ids(frame["match_id"]))
        return frame

    def pieces(self, kind: str, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """The named columns, a part file at a time, for what would not fit into memory; in no order."""
        keys = KEYS[kind]
        wanted = list(dict.fromkeys([*keys, *columns]))
        seen = np.zeros(len(self._whole) + 1, dtype=bool)
        seen[-1] = True  # what get_indexer's -1 finds: not of whole deal sets
        for part in StoredRun(self.folder).parts():
            frame = _read_part(getattr(part, kind), wanted)
            number = self._whole.get_indexer(pd.Index(frame["match_id"]))
            fresh = ~seen[number]
            seen[number] = True  # a match that is in two parts, as one that is being merged, counts once
            yield frame.loc[fresh, list(columns)]

    @functools.cached_property
    def _whole(self) -> pd.Index[str]:
        """Ids of the matches of whole deal sets, ascending, as the folder was when first asked."""
        return steady(self._look)

    def _look(self) -> pd.Index[str]:
        found = StoredRun(self.folder).listing()
        self.warnings = [f"{torn.why}; its matches are left out" for torn in found.torn]
        sizes: dict[str, int] = {}
        for part in found.parts:
            with PartReader(part) as reader:
                sizes.update(reader.split())
        stored_ids = [_read_part(part.matches, ["match_id"])["match_id"] for part in found.parts]
        ids = pd.Series(sorted({name for own in stored_ids for name in own}), dtype=object)
        sets = set_ids(ids)
        stored = sets.value_counts()
        split = [name for name, size in sizes.items() if stored.get(name, 0) < size]
        whole = ~sets.isin(split)
        if left := int((~whole).sum()):
            what = "match of a deal set that is" if left == 1 else "matches of deal sets that are"
            self.warnings.append(f"{left} {what} not whole yet: left out")
        found_ids: pd.Index[str] = pd.Index(ids[whole], dtype=object)
        return found_ids

    def _parts(self, kind: str, columns: Sequence[str]) -> pd.DataFrame:
        """Rows of whole deal sets in the order of their keys, each key once.

        Rows are ordered by number: texts take several times the memory, most of all while they are compared.
        """
        read = list(dict.fromkeys([*KEYS[kind], *columns]))
        frames, numbers = [], []
        for part in StoredRun(self.folder).parts():
            frame = _read_part(getattr(part, kind), read)
            number = self._whole.get_indexer(pd.Index(frame["match_id"]))
            if kind == "seats":
                number = np.where(
                    number < 0, -1, number * MOST_SEATS + frame["seat"].to_numpy(dtype=np.int64)
                )
            frame = frame[list(dict.fromkeys(columns))]
            frames.append(frame if (number >= 0).all() else frame[number >= 0])
            numbers.append(number[number >= 0])
        if not frames:
            empty: pd.DataFrame = SCHEMAS[kind].empty_table().select(read).to_pandas()
            return empty
        keys = np.concatenate(numbers)
        whole = concatenated(frames)
        if (np.diff(keys) > 0).all():
            return whole.reset_index(drop=True)
        return whole.take(np.unique(keys, return_index=True)[1]).reset_index(drop=True)


def _light(kind: str) -> list[str]:
    """All columns of a kind but the per-move ones."""
    columns = MATCH_COLUMNS if kind == "matches" else SEAT_COLUMNS
    return [column.name for column in columns if column.name not in PER_MOVE]


def _read_part(path: Path, columns: list[str] | None) -> pd.DataFrame:
    try:
        frame = pd.read_parquet(path, columns=columns, partitioning=None)
    except FileNotFoundError:
        raise  # merged into another part meanwhile: `steady` looks again
    except (OSError, ValueError) as error:
        place = f"{path.parent.name}/{path.name}"
        raise DamagedPart(f"{place} is damaged ({first_line(error)}): `croupier verify` says more") from None
    if "faults" in frame:
        # Nearly all are empty, and an empty array of its own takes 112 bytes a seat.
        found = frame["faults"]
        shared = [_NO_FAULTS if one is not None and not len(one) else one for one in found]
        frame["faults"] = pd.Series(shared, index=frame.index, dtype=object)
    return frame


def among(ids: pd.Index[str], match_ids: pd.Series[str]) -> npt.NDArray[np.bool_]:
    """Which of these are among `ids`, each once there; the index is hashed once, however often asked."""
    found: npt.NDArray[np.bool_] = ids.get_indexer(pd.Index(match_ids, dtype=object)) >= 0
    return found


def set_ids(match_ids: pd.Series[str]) -> pd.Series[str]:
    """The deal set of each match: its id without the seating."""
    found = [name.rpartition("-")[0] for name in match_ids]
    return pd.Series(found, index=match_ids.index, dtype=match_ids.dtype)


def concatenated(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """One frame of many; dictionary columns stay categories, over the union of their values."""
    if len(frames) == 1:
        return frames[0]
    names = [name for name in frames[0] if isinstance(frames[0][name].dtype, pd.CategoricalDtype)]
    whole = pd.concat([frame.drop(columns=names) for frame in frames], ignore_index=True)
    for name in names:
        columns = [frame[name].astype("category") for frame in frames]
        whole[name] = pd.Categorical(pd.api.types.union_categoricals(columns, sort_categories=True))
    return whole[list(frames[0].columns)]
