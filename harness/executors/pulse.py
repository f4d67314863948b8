"""Signs of life of worker processes that this one has not started, and of whoever did start them.

A process that is stopped (`kill -STOP`, a debugger, a machine in trouble) keeps its connections, so nobody
who only waits for its result ever learns of it. Here each worker says now and then that it is alive, from a
thread: a bot that thinks long does not stop that. The law is that of `harness.executors.local`: who says
nothing for `PATIENCE` seconds is ended, and only time in which we were listening counts.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")
_LAST_WORDS: Final = 1.0
"""Seconds for the answer to a question that was just asked."""


class Beat(NamedTuple):
    """One sign of life of a process."""

    node: str
    """The name of its machine, for whoever can reach it."""
    host: str
    pid: int
    born: str
    """When it started, by the clock of its machine: numbers of processes are given again."""
    number: int
    """Signs of life so far."""
    batch: int
    """The number of the batch that it plays, from 1; 0 for none."""

    @property
    def process(self) -> tuple[str, int, str]:
        """What is the same in all signs of life of one process."""
        return self.node, self.pid, self.born


class Heart:
    """In a worker process: a thread that gives signs of life until `stop`, heard or not."""

    def __init__(self, node: str, tell: Callable[[Beat], object], seconds: float) -> None:
        self._beat = Beat(node, socket.gethostname(), os.getpid(), born(os.getpid()), 0, 0)
        self._batch = 0
        self._tell = tell
        self._seconds = seconds
        self._stopped = False
        self._news = threading.Event()
        threading.Thread(target=self._go_on, daemon=True).start()

    def playing(self, batch: int) -> None:
        """Say which batch is on, 0 for none; at once, without waiting until it is told."""
        self._batch = batch
        self._news.set()

    def stop(self) -> None:
        """Say nothing any more."""
        self._stopped = True
        self._news.set()

    def _go_on(self) -> None:
        while not self._stopped:
            self._beat = self._beat._replace(number=self._beat.number + 1, batch=self._batch)
            with contextlib.suppress(Exception):
                self._tell(self._beat)
            self._news.wait(self._seconds)
            self._news.clear()


class Listener(Generic[T]):
    """Asks a question again and again in a thread of its own, since an answer may never come."""

    def __init__(self, ask: Callable[[], T], seconds: float) -> None:
        self.answer = ask()
        """The latest."""
        self.answers = 1
        """How many there were."""
        self._ask = ask
        self._seconds = seconds
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ask no more; a question that is never answered is not waited for."""
        self._closed.set()
        self._thread.join(_LAST_WORDS)

    def _listen(self) -> None:
        while not self._closed.wait(self._seconds):
            # An error is no answer either; how long there was none is what counts.
            with contextlib.suppress(Exception):
                self.answer = self._ask()
                self.answers += 1


class Silence:
    """Seconds without news, as far as somebody was looking: `most` at a time."""

    def __init__(self, most: float) -> None:
        self.seconds = 0.0
        self._most = most
        self._looked = time.monotonic()

    def passed(self) -> float:
        """Seconds since it was asked last, `most` at most."""
        now = time.monotonic()
        passed, self._looked = min(now - self._looked, self._most), now
        return passed

    def look(self, *, news: bool) -> float:
        """How long there was no news, this look included."""
        passed = self.passed()
        self.seconds = 0.0 if news else self.seconds + passed
        return self.seconds


class Watch:
    """How long each process has been silent; to be looked at whenever all have been heard of."""

    def __init__(self, patience: float, most: float) -> None:
        self._patience = patience
        self._clock = Silence(most)
        self._last: dict[tuple[str, int, str], Beat] = {}
        self._silent: dict[tuple[str, int, str], float] = {}

    def silent(self, beats: Iterable[Beat]) -> list[Beat]:
        """The last sign of life of each that has been silent for too long; each is named once."""
        passed = self._clock.passed()
        found = []
        for beat in beats:
            key = beat.process
            before = self._silent.get(key, 0.0)
            if self._last.get(key) != beat:
                self._last[key], self._silent[key] = beat, 0.0
            else:
                self._silent[key] = before + passed
                if before <= self._patience < self._silent[key]:
                    found.append(beat)
        return found


def born(pid: int) -> str:
    """When a process of this machine was started, where the system tells that; empty where it does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        return text.rpartition(")")[2].split()[19]  # a name in brackets stands before, with anything in it
    except (OSError, IndexError):
        return ""


def end(beat: Beat) -> bool:
    """On its own machine: kill the process that gave this sign of life; False where it is gone."""
    if born(beat.pid) != beat.born:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(beat.pid, signal.SIGKILL)
        return True
    return False
