"""What a process and its descendants hold: memory, descriptors, processes. For soaks."""

from __future__ import annotations

import os
from pathlib import Path


def holdings() -> str:
    """Memory, descriptors and processes of this process and its descendants."""
    me = Path("/proc/self")
    others = descendants(os.getpid())
    return (
        f"{resident_mb(os.getpid())} MB, {len(list((me / 'fd').iterdir()))} descriptors, "
        f"{len(others)} processes with {sum(map(resident_mb, others))} MB"
    )


def resident_mb(process: int) -> int:
    """Megabytes that a process has in memory; 0 where it is gone."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def descendants(top: int) -> list[int]:
    """Numbers of all processes below one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    found = [top]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]
