"""The folder of a run's logs, kept small however much bots print and however often workers start anew."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Final

MOST: Final = 16_000_000
"""Bytes of all logs of a run together; between two looks they can be more."""
_KEPT: Final = 100_000
"""Bytes that stay of a log that is cut: its beginning, where the first error is."""
_EVERY: Final = 1.0
"""Seconds between looks."""


class Logs:
    """The log folder of one run, made where it is missing."""

    def __init__(self, folder: Path, most: int = MOST) -> None:
        self.folder = folder
        self.most = most
        self._next = 0.0
        folder.mkdir(parents=True, exist_ok=True)

    def tend(self) -> None:
        """Cut what is too long, now and then; to be called often."""
        if time.monotonic() >= self._next:
            self.cut()
            self._next = time.monotonic() + _EVERY

    def cut(self) -> None:
        """Where all together are too long, cut the longest until they are half as long as they may be.

        Files are cut and not removed: a worker that has one open goes on writing at its new end.
        """
        sizes = {path: path.stat().st_size for path in self.folder.rglob("*") if path.is_file()}
        total = sum(sizes.values())
        if total <= self.most:
            return
        for path in sorted(sizes, key=lambda path: sizes[path], reverse=True):
            if total <= self.most // 2:
                return
            kept = min(_KEPT, self.most // (4 * len(sizes)))
            with contextlib.suppress(OSError):
                os.truncate(path, min(kept, sizes[path]))
                with path.open("ab") as file:
                    file.write(b"\n[cut: this run's logs had become longer than %d bytes]\n" % self.most)
            total -= max(0, sizes[path] - kept)
