"""A thread's CPU clock that stands still while all of the process's memory is searched for garbage."""

from __future__ import annotations

import contextlib
import gc
from threading import get_ident
from time import thread_time_ns
from typing import Any

_OLDEST = 2
"""The generation whose collection goes through everything that the process has."""


class OwnCpu:
    """What a bot in the match's own process is charged by, from its making until `close`.

    Python searches for garbage when it has made enough new objects, in whatever code is running then. A
    search of the oldest generation goes through the memory of the whole process: a notebook, a test run or
    a worker with pandas loaded takes longer over it than many a limit is, and it is nobody's move.
    Searches of the younger ones are short, and go through what the bot itself made lately.
    """

    def __init__(self) -> None:
        self._thread = get_ident()
        self._began = 0
        self._spared = 0
        gc.callbacks.append(self._collecting)

    def read_ns(self) -> int:
        """CPU nanoseconds of this thread, from some moment on, without full collections."""
        return thread_time_ns() - self._spared

    def close(self) -> None:
        """Stop looking at collections."""
        with contextlib.suppress(ValueError):  # a bot has cleared the list
            gc.callbacks.remove(self._collecting)

    def _collecting(self, phase: str, info: dict[str, Any]) -> None:
        if info["generation"] != _OLDEST or get_ident() != self._thread:
            return
        if phase == "start":
            self._began = thread_time_ns()
        else:
            self._spared += thread_time_ns() - self._began
