"""Results of an earlier schedule of a run, kept beside those of the one that is played now.

When bots join or change, matches get other ids: those that were played move to `earlier/<n>/`, which is
a run's folder of its own with the `run.toml` of that time, and what the new schedule asks for as well is
copied back under its new id (reuse.py). So nothing that was measured is lost, and a kill at any moment
leaves either the old run or an empty one with everything in `earlier/`.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from harness import positions
from harness.durable import sync, write_text
from harness.store.parts import TABLES

EARLIER: Final = "earlier"
"""The folder of a run that has its earlier results, in folders 1, 2 …"""
_RUN: Final = "run.toml"
_COPIED: Final = ("provenance.json", positions.KEPT, _RUN)
"""What describes the results, and stays in the run's folder too. The last one says that the move is on."""
_MOVED: Final = ("logs", *reversed(TABLES), "voids.parquet")


def shelved(folder: Path) -> list[Path]:
    """The folders with earlier results of a run, newest first."""
    found = (folder / EARLIER).iterdir() if (folder / EARLIER).is_dir() else iter(())
    return sorted((path for path in found if path.name.isdigit()), key=lambda p: int(p.name), reverse=True)


def put_aside(folder: Path) -> Path | None:
    """Move all results to a new folder in `earlier/` and return it; None where there are none.

    Needs the run's lock.
    """
    if not any((folder / TABLES[0]).glob("part-*.parquet")):
        return None
    number = 1 + max((int(path.name) for path in shelved(folder)), default=0)
    begun = folder / EARLIER / f".{number}.moving"
    begun.mkdir(parents=True)
    for name in _COPIED:
        if (folder / name).exists():
            write_text(begun / name, (folder / name).read_text(encoding="utf-8"))
    finish(folder)
    return folder / EARLIER / str(number)


def finish(folder: Path) -> None:
    """Carry on with a move that was cut off; can be cut off and repeated. Needs the run's lock."""
    for begun in sorted((folder / EARLIER).glob(".*.moving")):
        if not (begun / _RUN).exists():
            shutil.rmtree(begun)  # cut off before anything was moved
            continue
        for name in _MOVED:
            # What is there already was moved before the cut; the new start has made an empty folder.
            if (folder / name).exists() and not (begun / name).exists():
                (folder / name).rename(begun / name)
        sync(folder)
        sync(begun)
        begun.rename(begun.with_name(begun.name[1:].removesuffix(".moving")))
        sync(folder / EARLIER)
    for table in TABLES:
        (folder / table).mkdir(exist_ok=True)
