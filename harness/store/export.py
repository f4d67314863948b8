"""A run copied to any file system that Arrow knows: another folder, S3, GCS, HDFS.

The copy is of one moment, also while the run goes on: parts are copied whole, seats before the matches
that commit them, and again where the run has put them together meanwhile. What arrived is read back, and
its digest compared.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.fs

from harness.run_folder import PROVENANCE, RUN
from harness.store.digest import digest_parts
from harness.store.parts import DAMAGED, TABLES, Part, StoreError, first_line, stamp
from harness.store.reading import StoredRun

_LOOKS: Final = 5
"""How often the run may put parts together under us."""
_FIRST: Final = (PROVENANCE, RUN)
"""These go first: they say whose copy it is, so that one that was cut off can be carried on."""
_RENAMING: Final = frozenset({"local", "mock", "hdfs"})
"""File systems on which a file is seen while it is written, so that it is renamed when it is whole. Object
stores show it when it is."""
_CHUNK: Final = 1 << 20


class CannotExport(StoreError):
    """The target is not a place for this run, or cannot be written; the message says why."""


class Exported(NamedTuple):
    """What `export` has done."""

    copied: int
    """Files that were copied; the others were there already."""
    parts: int
    matches: int
    digest: str
    """Of the copy, and of the run at that moment."""


class _Content(NamedTuple):
    matches: int
    digest: str


def export(folder: Path, uri: str) -> Exported:
    """Copy the run in `folder` to `uri` (`s3://bucket/runs/weekend`, `file:///mnt/weekend`, or a path).

    Raises CannotExport where something else is there already.
    """
    try:
        target, path = pyarrow.fs.FileSystem.from_uri(uri if "://" in uri else Path(uri).absolute().as_uri())
        return export_to(folder, target, path)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise CannotExport(f"cannot export to {uri}: {first_line(error)}") from error


def export_to(folder: Path, target: Any, path: str) -> Exported:
    """The same, to a path on a pyarrow FileSystem."""
    run = StoredRun(folder)
    run.parts()  # what is not to be read is said before anything is copied
    copy = _Copy(folder, target, PurePosixPath(path))
    copy.check()
    for name in _FIRST:
        copy.file(folder / name)
    for _ in range(_LOOKS):
        parts = run.parts()
        try:
            before = [stamp(part) for part in parts]
            copy.parts(parts)
            wanted = _content(parts)
            if before == [stamp(part) for part in parts]:
                break
        except FileNotFoundError:
            continue  # small parts have become one
    else:
        raise CannotExport(f"{folder} changes all the time; once the run has ended, it can be exported")
    copy.remove_others(parts)
    for one in _others(folder):
        copy.file(one)
    arrived = _content([copy.part(part) for part in parts], target)
    if wanted != arrived:
        raise CannotExport(
            f"{path} is not what {folder} is: expected digest {wanted.digest}, got {arrived.digest}; "
            f"remove it and export again"
        )
    return Exported(copy.copied, len(parts), *arrived)


class _Copy:
    """The target, and what is there already."""

    def __init__(self, folder: Path, target: Any, path: PurePosixPath) -> None:
        self.folder = folder
        self.target = target
        self.path = path
        self.copied = 0
        self._sizes: dict[str, int] = {}

    def check(self) -> None:
        """Raise CannotExport unless the target is empty or has a copy of this run."""
        selector = pyarrow.fs.FileSelector(str(self.path), recursive=True, allow_not_found=True)
        if self.target.get_file_info(str(self.path)).type == pyarrow.fs.FileType.File:
            raise CannotExport(f"{self.path} is a file: expected a folder, or nothing yet")
        for info in self.target.get_file_info(selector):
            if info.is_file:
                self._sizes[str(PurePosixPath(info.path).relative_to(self.path))] = info.size
        if self._sizes and self._start(self._text(PROVENANCE)) != self._start(
            (self.folder / PROVENANCE).read_text(encoding="utf-8")
        ):
            first = min(self._sizes)
            raise CannotExport(f"{self.path} is not empty and has no copy of this run (it has {first})")
        self.target.create_dir(str(self.path), recursive=True)

    def _text(self, name: str) -> str:
        if name not in self._sizes:
            return ""
        with self.target.open_input_file(str(self.path / name)) as file:
            return str(file.read().decode())

    @staticmethod
    def _start(provenance: str) -> object:
        """What tells a run from all others: its name, and its first start."""
        try:
            found = json.loads(provenance)
            return found["name"], found["seed"], found["sessions"][0]["started"], found["sessions"][0]["host"]
        except (ValueError, KeyError, IndexError, TypeError):
            return None

    def parts(self, parts: Sequence[Part]) -> None:
        """Copy what is not there yet; raises FileNotFoundError where a part has gone meanwhile."""
        for part in parts:
            for path in (part.seats, part.matches):
                if self._sizes.get(self._name(path)) != path.stat().st_size:
                    self.file(path)

    def file(self, path: Path) -> None:
        """Copy one file, whole or not at all."""
        name = self._name(path)
        place = self.path / name
        renaming = self.target.type_name in _RENAMING
        written = place.with_name(f".{place.name}.tmp") if renaming else place
        with path.open("rb") as source:
            self.target.create_dir(str(place.parent), recursive=True)
            with self.target.open_output_stream(str(written)) as sink:
                shutil.copyfileobj(source, sink, _CHUNK)
                size = sink.tell()
        if renaming:
            self.target.move(str(written), str(place))
        self._sizes[name] = size
        self.copied += 1

    def remove_others(self, parts: Sequence[Part]) -> None:
        """Remove parts of an earlier copy that the run has put together since: matches first."""
        wanted = {self._name(path) for part in parts for path in part}
        for table in TABLES:
            for name in [n for n in self._sizes if n.startswith(f"{table}/") and n not in wanted]:
                self.target.delete_file(str(self.path / name))
                del self._sizes[name]

    def part(self, part: Part) -> Part:
        """The copy of a part; its paths are the target's."""
        return Part(*(Path(self.path / self._name(path)) for path in part))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()


def _others(folder: Path) -> Iterator[Path]:
    """Everything of a run but its parts, hidden files and what was damaged."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        hidden = any(name.startswith(".") for name in inside)
        if path.is_file() and not hidden and inside[0] not in {*TABLES, DAMAGED, *_FIRST}:
            yield path


def _content(parts: Sequence[Part], filesystem: Any = None) -> _Content:
    """Matches and digest of these parts."""
    digest = digest_parts(parts, filesystem=filesystem)
    return _Content(digest.matches, digest.finish())
