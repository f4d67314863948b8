"""Ctrl-C while a run goes on: once, and it finishes what is in flight; again, and it stops at once.

SIGTERM is heard like Ctrl-C. A third one is an ordinary KeyboardInterrupt.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_GRACE: Final = 3.0
"""Seconds for workers to hand over what they have finished when a run is stopped at once."""


class Stop:
    """How urgently a run was asked to stop."""

    def __init__(self, once: Callable[[], None], again: Callable[[], None]) -> None:
        """`once` and `again` are called, from a signal handler, at the first and the second Ctrl-C."""
        self._once = once
        self._again = again
        self._times = 0
        self._deadline = float("inf")

    @property
    def asked(self) -> bool:
        """Whether the run is to stop."""
        return self._times > 0

    @property
    def at_once(self) -> bool:
        """Whether it is not even to finish what is in flight."""
        return self._times > 1

    @property
    def overdue(self) -> bool:
        """Whether it has had long enough to stop at once."""
        return time.monotonic() >= self._deadline

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Have SIGINT and SIGTERM ask it to stop meanwhile; only a process's main thread can."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._heard) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, old in before.items():
                signal.signal(number, old)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        """Called as a signal handler."""
        del number, frame
        self._times += 1
        if self._times == 1:
            self._once()
        elif self._times == 2:
            self._deadline = time.monotonic() + _GRACE
            self._again()
        else:
            raise KeyboardInterrupt
