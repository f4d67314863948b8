"""Many small parts made one, so that a kill at any moment loses and doubles nothing.

The new part is written under a hidden name, then a journal says what it replaces. From the moment the
journal is there readers take the new part and ignore the old ones; before it, the other way round. Who
opens the run next for writing finishes what the journal says.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from harness.durable import replace, sync, write_text
from harness.store.columns import decoded
from harness.store.parts import JOURNAL, Part, PartReader, listing, part_of, sorted_tables, write_files
from harness.store.tables import Tables

SMALL: Final = 10_000
"""A part with fewer matches is small."""
ENOUGH: Final = 20_000
"""Small parts are put together until they have this many matches."""


def compact(folder: Path) -> int:
    """Put small parts together; returns how many parts there were too many. Needs the run's lock."""
    finish(folder)
    saved = 0
    for group in _groups(listing(folder).parts):
        _merge(folder, group)
        saved += len(group) - 1
    return saved


def finish(folder: Path) -> None:
    """Carry out what the journal of an earlier compaction says; can be cut off and repeated."""
    try:
        journal = json.loads((folder / JOURNAL).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return
    written, final = part_of(folder, journal["written"]), part_of(folder, journal["final"])
    for source, target in zip(written, final, strict=True):
        if source.exists():
            replace(source, target)
    for name in journal["old"]:
        for path in part_of(folder, name):
            path.unlink(missing_ok=True)
    for table in final:
        sync(table.parent)
    (folder / JOURNAL).unlink()
    sync(folder)


def _groups(parts: Sequence[Part]) -> list[list[Part]]:
    """Small parts that follow each other, in groups worth merging."""
    groups: list[list[Part]] = [[]]
    rows = 0
    for part in parts:
        with PartReader(part) as reader:
            size = reader.rows
        if size >= SMALL:
            continue
        groups[-1].append(part)
        rows += size
        if rows >= ENOUGH:
            groups.append([])
            rows = 0
    return [group for group in groups if len(group) > 1]


def _still_split(tables: Tables, split: dict[str, int]) -> dict[str, int]:
    """Those of the `split` sets that are not all in these tables."""
    if not split:
        return {}
    here = Counter(i.rpartition("-")[0] for i in decoded(tables.matches.column("match_id")))
    return {name: total for name, total in split.items() if here[name] < total}


def _merge(folder: Path, parts: Sequence[Part]) -> None:
    tables = []
    split: dict[str, int] = {}
    for part in parts:
        with PartReader(part) as reader:
            split.update(reader.split())
            tables += list(reader.tables())
    merged = sorted_tables(tables)
    final = f"part-{merged.matches.column('match_id')[0].as_py()}.parquet"
    old = [part.name for part in parts if part.name != final]
    if len(old) == len(parts) and part_of(folder, final).matches.exists():
        return  # somebody renamed files: leave them as they are
    written = f".{final}.compacted"
    write_files(part_of(folder, written), merged, _still_split(merged, split))
    write_text(folder / JOURNAL, json.dumps({"written": written, "final": final, "old": old}))
    finish(folder)
