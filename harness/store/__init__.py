"""Where results are kept: Parquet files on disk, or memory; the only code that knows Arrow.

The names are imported when they are used, so that the command line starts without Arrow.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

# Read when Arrow is first used. Its own allocator keeps what many short-lived tables took: some 60 MB in
# every process of a long run.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

if TYPE_CHECKING:
    from pathlib import Path

    from harness.records import MatchRecord
    from harness.store.reading import StoredRun

__all__ = ["find_match", "match_digest", "open", "split_sets"]


def open(folder: Path) -> StoredRun:  # noqa: A001 - `store.open(folder)` says what it does
    """The results in a run's folder, for reading; also while a run writes them."""
    from harness.store.reading import StoredRun

    return StoredRun(folder)


def find_match(folder: Path, match_id: str) -> MatchRecord:
    """One match of a run, in full; raises KeyError naming the run where it has no such match."""
    return open(folder).find(match_id)


def split_sets(folder: Path) -> frozenset[str]:
    """The deal sets of which only some matches are stored: not yet to be counted."""
    return open(folder).split_sets()


def match_digest(record: MatchRecord) -> str:
    """The digest of one match, which the run's is made of: 32 hex digits."""
    from harness.store.digest import digest_of

    return digest_of(record)
