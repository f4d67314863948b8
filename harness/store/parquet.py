"""A run's folder while a run writes to it: one writer, part files, nothing half done."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Self, TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from harness.durable import replace, sync
from harness.records import VoidTry
from harness.store import compact as compaction
from harness.store import earlier
from harness.store.parts import (
    DAMAGED,
    TABLES,
    StoreError,
    Torn,
    first_line,
    set_aside,
    sorted_tables,
    write_part,
)
from harness.store.reading import Identities, StoredRun
from harness.store.tables import Tables, void_table

__all__ = ["Locked", "ParquetStore", "StoreError"]

FLUSH_SECONDS: Final = (0.25, 5.0)
"""A result waits so long for others before they are written: less when a run is young, then the second."""
FLUSH_MATCHES: Final = 10_000
"""Or when so many matches wait."""


class Locked(StoreError):
    """Another run writes to the folder."""


class ParquetStore:
    """The results of one run, for the run that writes them. Use it as a context manager.

    Opening takes the folder's lock (raises Locked), finishes or clears away what an earlier run left half
    done, and moves torn parts to `damaged/`; `notes` says what was found.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reading = StoredRun(folder)
        self.notes: list[str] = []
        self._waiting: list[Tables] = []
        self._rows = 0
        self._split: dict[str, int] = {}
        self._opened = self._since = time.monotonic()
        self._new_voids = False
        for table in TABLES:
            (folder / table).mkdir(parents=True, exist_ok=True)
        self._lock = lock(folder)
        try:
            self._recover()
            self._voids = self.reading.voids()
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None or not issubclass(kind, OSError):
                self.flush()
        finally:
            self.close()

    def close(self) -> None:
        """Give the folder free; what was not flushed is lost."""
        self._lock.close()

    def known(self) -> Identities:
        """What is stored already; parts found damaged on the way are set aside."""
        found, torn = self.reading.identities()
        self._set_aside(torn)
        return found

    def append(self, tables: Tables, split: Mapping[str, int] | None = None) -> None:
        """Take in finished matches; `split` names the sets that are not all here, with their sizes."""
        if not tables.matches.num_rows:
            return
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(tables)
        self._rows += tables.matches.num_rows
        self._split.update(split or {})
        self.tick()

    def tick(self) -> None:
        """Write what waits if that is due; to be called now and then while matches are played."""
        now = time.monotonic()
        soon, late = FLUSH_SECONDS
        due = now - self._since >= min(late, max(soon, (now - self._opened) / 4))
        if self._rows >= FLUSH_MATCHES or (due and (self._waiting or self._new_voids)):
            self.flush()

    def void(self, tries: Sequence[VoidTry]) -> None:
        """Put void tries on record."""
        self._voids += tries
        self._new_voids = self._new_voids or bool(tries)

    def flush(self) -> None:
        """Write what waits as one part. Raises OSError (a full disk); what waits is kept for another try."""
        if self._waiting:
            write_part(self.folder, sorted_tables(self._waiting), self._split)
            self._waiting, self._rows, self._split = [], 0, {}
        if self._new_voids:
            temporary = self.folder / ".voids.parquet.tmp"
            pq.write_table(void_table(self._voids), temporary, compression="zstd")
            sync(temporary)
            replace(temporary, self.folder / "voids.parquet")
            self._new_voids = False
        self._since = time.monotonic()

    def put_aside(self) -> Path | None:
        """Move all results to a folder in `earlier/`, because the schedule is another now; returns it.

        None where there are no results.
        """
        self.flush()
        found = earlier.put_aside(self.folder)
        self._voids = self.reading.voids()
        return found

    def compact(self) -> None:
        """Put small parts together, once a run is complete."""
        self.flush()
        compaction.compact(self.folder)

    def _recover(self) -> None:
        earlier.finish(self.folder)
        compaction.finish(self.folder)
        found = self.reading.listing()
        for path in found.orphans:
            path.unlink()
            if not path.name.startswith("."):
                self.notes.append(f"{path}: removed, its matches part was never written")
        self.notes += [f"{path}: left alone, it is none of the run's files" for path in found.alien]
        for path in self.folder.glob(".*.tmp"):
            path.unlink()
        self._set_aside(found.torn)
        try:
            self.reading.voids()
        except (OSError, pa.ArrowException) as error:
            moved = set_aside(self.folder, self.folder / "voids.parquet")
            self.notes.append(f"voids.parquet cannot be read ({first_line(error)}): moved to {moved}")

    def _set_aside(self, torn: Sequence[Torn]) -> None:
        for part, why in torn:
            for path in part:
                if path.exists():
                    # Readers see a part by its matches file, which is the first of the two to go.
                    set_aside(self.folder, path)
            self.notes.append(
                f"{why}: moved to {self.folder / DAMAGED}; what is missing without it is played again"
            )


def _lock(file: TextIO) -> None:
    """Take the file for this process; raises OSError where another has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # it has them there
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(folder: Path) -> TextIO:
    """The folder's lock, held until the returned file is closed or the process ends. Raises Locked."""
    file = (folder / ".lock").open("a+", encoding="utf-8")
    try:
        _lock(file)
    except OSError as error:
        file.seek(0)
        owner = file.read().strip() or "another process"
        file.close()
        if error.errno in {errno.EWOULDBLOCK, errno.EACCES}:
            raise Locked(
                f"{folder} is being written by {owner}: wait until that run ends, or name another folder"
            ) from None
        raise
    with contextlib.suppress(OSError):
        file.seek(0)
        file.truncate()
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
    return file
