"""A core for each worker and its seats: a round trip between two cores takes ten times one on the same.

Who has which core is settled by names of abstract Unix sockets, which only one process of a machine can
hold, and which are free again when it ends, however it does.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator


class Core:
    """A core of one's own, for as long as this object lives; none where all are taken."""

    def __init__(self) -> None:
        self.number: int | None = None
        self._held: socket.socket | None = None
        if not hasattr(os, "sched_setaffinity"):
            return
        usable = sorted(os.sched_getaffinity(0))
        if len(usable) == 1:
            return
        for number in usable:
            held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                held.bind(f"\0croupier-core-{number}")
            except OSError:
                held.close()
                continue
            self.number, self._held = number, held
            return

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Keep this thread, and what it starts meanwhile, on the core."""
        if self.number is None:
            yield
            return
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {self.number})
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)

    def release(self) -> None:
        """Let another worker have it."""
        if self._held is not None:
            self._held.close()
        self.number = self._held = None
