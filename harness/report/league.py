"""Several runs of one league as one: `harness.open_runs(["week-1", "week-2"])`.

The frames are those of a run with a column `run`, and rankings go over all matches. Every version of a bot is
another bot; a version that played with different options counts as several.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from harness.config_values import canonical_json
from harness.report.frame_columns import RUN
from harness.report.opened import OpenRun, open_run


class SameRun(ValueError):
    """A run that was to be opened together with itself."""


class League(OpenRun):
    """Several runs as one: ids and deals are told apart by run and seed, bots by version."""

    def __init__(self, runs: Sequence[OpenRun]) -> None:
        super().__init__(runs[0].folder)
        self.runs = tuple(runs)
        names = Counter(run.name for run in runs)
        folders = Counter(run.folder.resolve() for run in runs)
        if twice := [str(folder) for folder, count in folders.items() if count > 1]:
            raise SameRun(f"{twice[0]}: opened twice; expected different runs")
        self._labels = [run.name if names[run.name] == 1 else str(run.folder) for run in runs]
        self._repeated: set[str] | None = None

    @property
    def name(self) -> str:
        """The runs' names."""
        return ", ".join(self._labels)

    @property
    def positions(self) -> Mapping[str, int]:
        """Those of all its runs."""
        return {digest: count for run in self.runs for digest, count in run.positions.items()}

    def read(self, kind: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """As a run's, of all; with the column `run`, and ids and deals that are unique over runs.

        A match that several runs played alike (same seed, deal, seating and versions) is taken once.
        """
        if self._repeated is None:
            self._repeated = self._find_repeated()
        frames = []
        wanted = None
        if columns is not None:
            needed = ["match_id", *columns, *(["bot"] if "version" in columns else [])]
            wanted = [name for name in dict.fromkeys(needed) if name not in {"run", "set_id"}]
        for run, label in zip(self.runs, self._labels, strict=True):
            frames.append(self._own(run, label, run.read(kind, wanted)))
        found = pd.concat([one.astype(_plain(one)) for one in frames], ignore_index=True)
        found = found[~found["match_id"].isin(self._repeated)].reset_index(drop=True)
        self.warnings = [warning for run in self.runs for warning in run.warnings]
        if self._repeated:
            self.warnings.append(f"{len(self._repeated):,} matches were played alike in two runs: taken once")
        found["run"] = found["run"].astype("category")
        found.insert(0, "run", found.pop("run"))
        return found if columns is None else found[list(columns)]

    def _own(self, run: OpenRun, label: str, own: pd.DataFrame) -> pd.DataFrame:
        """One run's rows, with names that are unique in the league."""
        own = own.assign(run=label)
        for column in ("match_id", "set_id"):
            if column in own:
                own[column] = f"{label}/" + own[column].astype("str")
        if "deal" in own:
            own["deal"] = f"{run.config.get('seed')}:" + own["deal"].astype("str")
        if "version" in own:
            own["version"] = self._versions(run, own)
        return own

    def _versions(self, run: OpenRun, own: pd.DataFrame) -> pd.Series[Any]:
        """Versions, with the options behind them where a bot played with several."""
        options = _options(run)
        everywhere = [_options(other) for other in self.runs]
        mixed = {bot for bot in options if len({found[bot] for found in everywhere if bot in found}) > 1}
        names, versions = own["version"].astype("str"), own.get("bot")
        if not mixed or versions is None:
            return names
        added = versions.astype("str").map({bot: f"+{options[bot]}" for bot in mixed}).fillna("")
        return names + added

    def _find_repeated(self) -> set[str]:
        """Ids of matches that an earlier run of the league played too."""
        seen: set[tuple[Any, ...]] = set()
        repeated: set[str] = set()
        for run, label in zip(self.runs, self._labels, strict=True):
            matches = self._own(run, label, run.read("matches", ["match_id", "deal", "game", "rules"]))
            seats = self._own(run, label, run.read("seats", ["match_id", "seat", "bot", "version"]))
            who = (
                (seats["bot"].astype("str") + "@" + seats["version"]).groupby(seats["match_id"]).agg("|".join)
            )
            keys = matches.assign(who=matches["match_id"].map(who))
            here: set[tuple[Any, ...]] = set()
            for match_id, *key in keys[["match_id", "game", "rules", "deal", "who"]].itertuples(index=False):
                here.add(tuple(key))
                if tuple(key) in seen:
                    repeated.add(match_id)
            seen |= here
        return repeated

    @functools.cached_property
    def moves(self) -> pd.DataFrame:
        """As a run's, with the column `run`."""
        found = self.moves_of(None)
        runs = self.read("matches", ["match_id", "run"]).set_index("match_id")["run"]
        found.insert(0, RUN.name, found["match_id"].map(runs).astype("category"))
        return found


def _plain(frame: pd.DataFrame) -> dict[str, Any]:
    """Categories as texts: those of several runs differ."""
    return {str(name): "str" for name in frame if isinstance(frame[name].dtype, pd.CategoricalDtype)}


def _options(run: OpenRun) -> dict[str, str]:
    return {bot["name"]: canonical_json(bot.get("options", {})) for bot in run.config.get("bots", [])}


def open_runs(runs: Iterable[str | Path]) -> League:
    """Several runs, each a folder or a name under `reports/`; raises NoRun, SameRun."""
    found = [open_run(run) for run in runs]
    if not found:
        raise ValueError("expected one run at least")
    return League(found)
