"""Files that are there wholly or not at all, and stay there when the machine stops a moment later."""

from __future__ import annotations

import os
from pathlib import Path


def replace(source: Path, target: Path) -> None:
    """Rename durably, over whatever `target` was."""
    source.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk. Windows cannot wait for what is not open to be written."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_text(path: Path, text: str) -> None:
    """Write a small file wholly or not at all."""
    temporary = path.with_name(f".{path.name.lstrip('.')}.tmp")
    temporary.write_text(text, encoding="utf-8")
    sync(temporary)
    replace(temporary, path)
