"""Part files: written whole or not at all, found, checked, and set aside when they are torn.

A part is two files of the same name, `matches/part-<first id>.parquet` and `seats/part-<first id>.parquet`,
with the same matches in the same order and the same row groups. The seats file is put in place first;
the matches file commits the part.
"""

from __future__ import annotations

import contextlib
import errno
import json
import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from harness.durable import replace, sync
from harness.store.schema import MATCHES, SCHEMA_VERSION, SEATS, VERSION_KEY, same_columns
from harness.store.tables import Tables

ROW_GROUP: Final = 5_000
"""Matches in a row group, at most: what a reader holds at once."""
SPLIT: Final = b"croupier.split_sets"
"""File metadata: `{set id: matches in the set}` for sets that are not all in this part."""
DAMAGED: Final = "damaged"
"""The folder that torn parts are moved to."""
JOURNAL: Final = ".compaction.json"
TABLES: Final = ("matches", "seats")
_LOOKS: Final = 5
"""How often a folder is looked at again while what is torn in it changes."""


class StoreError(Exception):
    """The files of a run cannot be written or read as they should; the message says which and why."""


class OtherVersion(StoreError):
    """Results that another version of Croupier wrote in its own way: whole, but not for this one to touch."""


class Part(NamedTuple):
    """One part, by its two files."""

    matches: Path
    seats: Path

    @property
    def name(self) -> str:
        """The name both files have."""
        return self.matches.name


class Torn(NamedTuple):
    """A part that cannot be used, and why."""

    part: Part
    why: str


class Listing(NamedTuple):
    """What is in a run's folder."""

    parts: list[Part]
    torn: list[Torn]
    orphans: list[Path]
    """Leftovers of a write that was cut off: seats files without matches, temporary files."""
    alien: list[Path]
    """What is in these folders and no run has put there."""


def part_of(folder: Path, name: str) -> Part:
    """The part whose files have that name."""
    return Part(folder / "matches" / name, folder / "seats" / name)


def listing(folder: Path, look: Callable[[Part], str | None] | None = None) -> Listing:
    """Every part of a run by name, with those that cannot be read and what is left over.

    `look` tells why a part cannot be used: `fault`, unless the caller remembers what that said.
    """
    look = look or fault
    found = _listing(folder, look)
    for _ in range(_LOOKS):
        # A part that is being replaced looks torn to who came before the journal: it is not when asked again.
        if not found.torn or (again := _listing(folder, look)).torn == found.torn:
            break
        found = again
    return found


def _listing(folder: Path, look: Callable[[Part], str | None]) -> Listing:
    replaced = unfinished(folder)
    found: list[Part] = []
    for path in _files(folder / "matches"):
        if path.name not in replaced.old:
            found.append(part_of(folder, path.name))
    found += replaced.new
    parts: list[Part] = []
    torn: list[Torn] = []
    for part in sorted(found, key=lambda part: part.name):
        why = look(part)
        if why is None:
            parts.append(part)
        else:
            torn.append(Torn(part, why))
    committed = {part.name for part in found} | replaced.old
    orphans = [path for path in _files(folder / "seats") if path.name not in committed]
    kept = {path for part in replaced.new for path in part}
    alien: list[Path] = []
    for table in TABLES:
        if (folder / table).is_dir():
            orphans += [p for p in sorted((folder / table).glob(".part-*")) if p not in kept]
            seen = sorted(p for p in (folder / table).iterdir() if not p.name.startswith("."))
            alien += [path for path in seen if path.suffix != ".parquet"]
    return Listing(parts, torn, orphans, alien)


def _files(folder: Path) -> list[Path]:
    """The visible Parquet files of a folder by name."""
    return sorted(path for path in folder.glob("*.parquet") if not path.name.startswith("."))


def fault(part: Part) -> str | None:
    """Why a part cannot be used, from its files' footers; None where nothing is wrong with them.

    Raises OtherVersion.
    """
    counts = []
    for path, schema in zip(part, (MATCHES, SEATS), strict=True):
        shown = f"{path.parent.name}/{path.name}"
        try:
            footer = pq.read_metadata(path)
            columns = footer.schema.to_arrow_schema()
        except FileNotFoundError:
            return f"{shown} is missing"
        except (OSError, pa.ArrowException) as error:
            return f"{shown} is no whole Parquet file ({first_line(error)})"
        _check_version(path, columns.metadata or {})
        if not same_columns(columns, schema):
            return f"{shown} has other columns than this version of Croupier writes"
        counts.append(footer.num_row_groups)
    if counts[0] != counts[1]:
        return f"{part.name} has {counts[0]} row groups of matches and {counts[1]} of seats"
    return None


def _check_version(path: Path, notes: Mapping[bytes, bytes]) -> None:
    found = notes.get(VERSION_KEY, SCHEMA_VERSION.encode()).decode(errors="replace")
    if found != SCHEMA_VERSION:
        raise OtherVersion(
            f"{path} has results in version {found!r} of their format, and this Croupier knows version "
            f"{SCHEMA_VERSION!r}: use the Croupier that wrote them"
        )


def first_line(error: BaseException) -> str:
    """The first line of an error's text, or its type where it has none."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


class PartReader:
    """Reads a part row group by row group; page checksums are verified.

    Raises OSError or pyarrow.ArrowException where the content is damaged, FileNotFoundError also where the
    part was merged into another meanwhile: then its two files need not belong together.
    """

    def __init__(self, part: Part, filesystem: Any = None) -> None:
        self.part = part
        before = stamp(part) if filesystem is None else ()
        self._files = [
            pq.ParquetFile(str(path), filesystem=filesystem, page_checksum_verification=True) for path in part
        ]
        if filesystem is None and (_superseded(part) or stamp(part) != before):
            self.__exit__()
            raise FileNotFoundError(errno.ENOENT, "was merged into another part meanwhile", str(part.matches))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()

    @property
    def groups(self) -> int:
        """How many row groups each of its files has."""
        return int(self._files[0].num_row_groups)

    @property
    def rows(self) -> int:
        """How many matches it has."""
        return int(self._files[0].metadata.num_rows)

    def split(self) -> dict[str, int]:
        """The sets that are not all in this part, with how many matches each has in all."""
        written = self._files[0].metadata.metadata or {}
        found: dict[str, int] = json.loads(written.get(SPLIT, b"{}"))
        return found

    def group(self, number: int, matches: Sequence[str], seats: Sequence[str]) -> Tables:
        """The named columns of row group `number`."""
        wanted = (list(matches), list(seats))
        read = [
            f.read_row_group(number, columns=c, use_threads=False)
            for f, c in zip(self._files, wanted, strict=True)
        ]
        return Tables(*read)

    def span(self, number: int) -> tuple[str, str]:
        """The first and last match id of row group `number`, from the footer where it has them."""
        chunk = self._files[0].metadata.row_group(number).column(0)
        if chunk.statistics is not None and chunk.statistics.has_min_max:
            return str(chunk.statistics.min), str(chunk.statistics.max)
        ids = self._files[0].read_row_group(number, columns=["match_id"]).column(0)
        return str(ids[0]), str(ids[-1])

    def whole_span(self) -> tuple[str, str]:
        """The first and last match id of the part; empty texts where it has none."""
        spans = [self.span(number) for number in range(self.groups)]
        return min((low for low, _ in spans), default=""), max((high for _, high in spans), default="")

    def tables(self) -> Iterator[Tables]:
        """Every row group in full."""
        for number in range(self.groups):
            yield self.group(number, MATCHES.names, SEATS.names)


def ordered(tables: Tables) -> Tables:
    """The same rows by match id and seat, both tables in step; as they are where they stand so already.

    Croupier writes them so, but whoever has rewritten the files may have mixed them.
    """
    ids, seats = tables.matches.column("match_id").to_pylist(), tables.seats
    keys = list(zip(seats.column("match_id").to_pylist(), seats.column("seat").to_pylist(), strict=True))
    if all(map(operator.le, ids, ids[1:])) and all(map(operator.le, keys, keys[1:])):
        return tables
    return sorted_tables([tables])


def sorted_tables(batches: Sequence[Tables]) -> Tables:
    """Several tables as one, in match id order; dictionaries are made one."""
    matches = pa.concat_tables([b.matches for b in batches]).unify_dictionaries().combine_chunks()
    seats = pa.concat_tables([b.seats for b in batches]).unify_dictionaries().combine_chunks()
    by_seat: list[tuple[str, Literal["ascending", "descending"]]]
    by_seat = [("match_id", "ascending"), ("seat", "ascending")]
    return Tables(matches.sort_by("match_id"), seats.sort_by(by_seat))


def grouped(tables: Tables) -> Iterator[Tables]:
    """Sorted tables cut into row groups, matches and seats at the same places."""
    at = 0
    for start in range(0, tables.matches.num_rows, ROW_GROUP):
        matches = tables.matches.slice(start, ROW_GROUP)
        seats = int(pa.compute.sum(matches.column("seats").cast(pa.int64())).as_py())
        yield Tables(matches, tables.seats.slice(at, seats))
        at += seats


def write_files(part: Part, tables: Tables, split: Mapping[str, int]) -> None:
    """Write both files of a part under these very names and make them durable."""
    groups = list(grouped(tables))
    for index, path in enumerate(part):
        schema = (MATCHES, SEATS)[index]
        notes = {**schema.metadata, SPLIT: json.dumps(dict(sorted(split.items()))).encode()}
        schema = schema.with_metadata(notes if split else schema.metadata)
        with pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True) as writer:
            for group in groups:
                rows = group[index]
                writer.write_table(
                    rows.replace_schema_metadata(schema.metadata), row_group_size=rows.num_rows
                )
        sync(path)


def write_part(folder: Path, tables: Tables, split: Mapping[str, int]) -> Part:
    """Add a part with these rows, which are in match id order; it is there wholly or not at all."""
    name = f"part-{tables.matches.column('match_id')[0].as_py()}.parquet"
    part = part_of(folder, name)
    if part.matches.exists():
        raise StoreError(f"{part.matches} is there already: expected new match ids only")
    temporary = part_of(folder, f".{name}.tmp")
    try:
        write_files(temporary, tables, split)
        # Seats first: readers look for matches files, so nothing is seen before all is there.
        replace(temporary.seats, part.seats)
        replace(temporary.matches, part.matches)
    except OSError:
        for path in temporary:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        raise
    return part


def set_aside(folder: Path, path: Path) -> Path:
    """Move a file of a run to `damaged/`, under a name that nothing has there; returns its new place."""
    place = folder / DAMAGED / path.parent.relative_to(folder)
    place.mkdir(parents=True, exist_ok=True)
    target = place / f"{path.name.lstrip('.')}.{time.time_ns()}"
    replace(path, target)
    return target


def stamp(part: Part) -> tuple[tuple[int, int, int], ...]:
    """What tells a part's files from others that are put in their place; raises OSError."""
    stats = [path.stat() for path in part]
    return tuple((stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in stats)


def _superseded(part: Part) -> bool:
    """Whether a compaction that is on its way replaces this part."""
    replaced = unfinished(part.matches.parents[1])
    return part.name in replaced.old and part not in replaced.new


class Unfinished(NamedTuple):
    """A compaction whose journal is written but whose files are not all in place."""

    new: list[Part]
    """The parts that hold, under whichever name they have by now."""
    old: set[str]
    """Names of the files they replace."""


def unfinished(folder: Path) -> Unfinished:
    """What a compaction that was cut off has decided; nothing where there was none."""
    try:
        journal = json.loads((folder / JOURNAL).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Unfinished([], set())
    written = part_of(folder, journal["written"])
    final = part_of(folder, journal["final"])
    now = [w if w.exists() else f for w, f in zip(written, final, strict=True)]
    return Unfinished([Part(*now)], {*journal["old"], journal["final"]})
