"""A run's files put in order: what cannot be used goes to `damaged/`, nothing is deleted.

What is missing afterwards is played by the run's own command.
"""

from __future__ import annotations

import json
import shlex
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from harness import config as configs
from harness import formats
from harness.durable import write_text
from harness.store import compact, earlier
from harness.store.columns import decoded
from harness.store.digest import match_digests
from harness.store.parquet import lock
from harness.store.parts import Part, PartReader, first_line, listing, set_aside
from harness.store.reading import StoredRun, hashed
from harness.store.verify import Verification, verify

SHOWN: Final = 20
"""Missing matches that are named one by one."""


class Aside(NamedTuple):
    """Files that were put aside."""

    files: tuple[str, ...]
    """As they were named in the run's folder."""
    why: str
    matches: int | None = None
    """How many matches they have, as far as that can be read."""


@dataclass
class Repaired:
    """What `repair` found and did."""

    folder: Path
    aside: list[Aside] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """The first of the matches that the schedule has and the run has not; empty where results decide."""
    found: Verification | None = None
    """How the run is now."""
    command: str | None = None
    """The command that has last played it."""


def repair(folder: Path) -> Repaired:
    """Put a run's files in order; raises Locked while a run writes there, FileNotFoundError for no run."""
    if not (folder / "matches").is_dir() and not (folder / "run.toml").is_file():
        raise FileNotFoundError(f"{folder} is not the folder of a run: it has no matches/")
    with lock(folder):
        done = Repaired(folder)
        earlier.finish(folder)
        compact.finish(folder)
        _unreadable(done)
        _wrong(done)
        _reopen(done)
        done.found = verify(folder)
        done.missing = list(_missing(folder, done.found))
        return done


def _put(done: Repaired, files: list[Path], why: str, matches: int | None = None) -> None:
    there = [path for path in files if path.exists()]
    for path in there:
        set_aside(done.folder, path)
    done.aside.append(Aside(tuple(str(path.relative_to(done.folder)) for path in there), why, matches))


def _unreadable(done: Repaired) -> None:
    """Torn parts, leftovers of writes that were cut off, files that are none of the run's."""
    found = listing(done.folder)
    for torn in found.torn:
        _put(done, list(torn.part), torn.why, _count(torn.part))
    for path in found.orphans:
        _put(done, [path], "left over from a write that was cut off")
    for path in found.alien:
        _put(done, [path], "is none of the run's files")
    try:
        StoredRun(done.folder).voids()
    except (OSError, pa.ArrowException) as error:
        _put(done, [done.folder / "voids.parquet"], f"cannot be read ({first_line(error)})")


def _count(part: Part) -> int | None:
    """How many matches a part has, from whichever of its files can be read."""
    for path in part:
        try:
            ids = pq.read_table(path, columns=["match_id"], partitioning=None).column(0)
        except (OSError, ValueError, KeyError, pa.ArrowException):
            continue
        return len(set(decoded(ids)))
    return None


def _wrong(done: Repaired) -> None:
    """Parts whose content is damaged, is another run's, or is there twice."""
    here = _Content(done.folder)
    parts: list[Part] = []
    for part in listing(done.folder).parts:
        try:
            why = here.add(part, len(parts))
        except (OSError, ValueError, pa.ArrowException) as error:
            why = f"is damaged ({first_line(error)})"
        if why is None:
            parts.append(part)
        else:
            _put(done, list(part), f"{part.name} {why}", _count(part))
    for number, why in here.twice().items():
        part = parts[number]
        _put(done, list(part), f"{part.name} {why}", _count(part))


class _Content:
    """Who plays in a run, and every match of it: 20 bytes each."""

    def __init__(self, folder: Path) -> None:
        try:
            config = configs.loads((folder / "run.toml").read_text(encoding="utf-8"), folder=folder)
        except (OSError, ValueError):
            self._bots: set[tuple[str, str]] | None = None
        else:
            self._bots = {(bot.ref.name, bot.ref.version) for bot in config.bots}
        self._ids, self._digests, self._parts = array("Q"), array("Q"), array("L")

    def add(self, part: Part, number: int) -> str | None:
        """Take in a whole part under this number; why not, where it is another run's."""
        found: list[tuple[str, bytes]] = []
        with PartReader(part) as reader:
            for tables in reader.tables():
                found += match_digests(tables)
                pairs = zip(
                    decoded(tables.seats.column("bot")), decoded(tables.seats.column("version")), strict=True
                )
                if self._bots is not None and (others := set(pairs) - self._bots):
                    name, version = min(others)
                    return f"is another run's: {name} ({version}) does not play here"
        self._ids.extend(hashed(match_id.encode()) for match_id, _ in found)
        self._digests.extend(int.from_bytes(digest[:8], "little") for _, digest in found)
        self._parts.extend([number] * len(found))
        return None

    def twice(self) -> dict[int, str]:
        """The numbers of parts without which every match is there once; those that differ go altogether."""
        ids = np.asarray(self._ids, dtype=np.uint64)
        order = np.argsort(ids, kind="stable")
        digests = np.asarray(self._digests, dtype=np.uint64)[order]
        parts, ids = np.asarray(self._parts, dtype=np.int64)[order], ids[order]
        gone: dict[int, str] = {}
        same = np.flatnonzero(ids[1:] == ids[:-1])
        for at in same[digests[same] != digests[same + 1]]:
            for number in parts[at : at + 2]:
                gone[int(number)] = "has matches that are there twice and not the same"
        for at in same:
            first, second = int(parts[at]), int(parts[at + 1])
            if first not in gone and second not in gone:
                gone[second] = "has matches that are there already"
        return gone


def _reopen(done: Repaired) -> None:
    """Where a finished run has lost something, note that it is not finished any more."""
    path = done.folder / "provenance.json"
    try:
        origin: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        sessions = origin["sessions"]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError):
        _put(done, [path], "cannot be read; the next start writes it anew")
        return
    last = next((s["command"] for s in reversed(sessions) if s.get("command")), None)
    done.command = last and _aimed(last, done.folder)
    if done.aside and "finished" in origin and verify(done.folder).changed:
        origin.setdefault("repaired", []).append({"finished": origin.pop("finished")})
        write_text(path, json.dumps(origin, indent=2, ensure_ascii=False) + "\n")


def _aimed(command: str, folder: Path) -> str:
    """The same command with this folder as `--out`: it may be a copy of the one that was played to."""
    words = shlex.split(command)
    for at, word in enumerate(words):
        if word == "--out" and at + 1 < len(words):
            words[at + 1] = str(folder)
        elif word.startswith("--out="):
            words[at] = f"--out={folder}"
    return shlex.join(words)


def _missing(folder: Path, found: Verification) -> Iterator[str]:
    """The first ids that the schedule has and the run has not, where results do not decide the schedule."""
    if found.planned is None or found.matches >= found.planned:
        return
    config = configs.loads((folder / "run.toml").read_text(encoding="utf-8"), folder=folder)
    if formats.plan(config).at_most:
        return
    known, _ = StoredRun(folder).identities()
    schedule = formats.schedule(config)
    specs = next(schedule, None)
    named = 0
    while specs is not None:
        for spec in specs:
            if not known.has(spec):
                yield spec.id
                named += 1
                if named == SHOWN:
                    return
        try:
            specs = schedule.send(())
        except StopIteration:
            return
