"""Workers of a cluster that were stopped before they ever gave a sign of life.

Whatever was given to one waits for ever, and nothing says which batch that is. So once a batch waits though a
worker is to spare, every machine is asked for processes that are stopped and were never heard of; those
that stay so are ended like any other that is silent.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Collection, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, Final

from harness.executors.pulse import Beat, Silence, Watch

_QUESTION: Final = 10.0
"""Seconds that a question may take for which a process is started first; then it is asked once more."""

Process = tuple[int, str]
"""The number of one, and when it was started."""


class Search:
    """Half the patience until it begins to look for such processes, half to see them stay so.

    `ask` puts the question to one machine, which is told who has spoken there, and gives something to wait
    for; `answers` takes all of those and gives what was answered, and those that are still open.
    """

    def __init__(
        self,
        patience: float,
        most: float,
        ask: Callable[[str, list[Process]], Any],
        answers: Callable[[list[Any]], tuple[list[list[Beat]], list[Any]]],
    ) -> None:
        self._waiting = Waiting(patience / 2, most)
        self._watch = Watch(patience / 2, most)
        self._again = max(patience / 2, _QUESTION)
        self._ask = ask
        self._answers = answers
        self._asked = 0.0
        self.open: list[Any] = []
        """Questions without an answer: one that falls to a stopped process itself never has any."""

    def found(
        self, flight: Collection[int], beats: Collection[Beat], workers: int, machines: Iterable[str]
    ) -> list[Beat]:
        """A made-up sign of life for each process that has been stopped for too long; named once."""
        overdue = time.monotonic() - self._asked > self._again
        if self._waiting.too_long(flight, beats, workers) and (overdue or not self.open):
            self._asked = time.monotonic()
            for machine in machines:
                heard = [(beat.pid, beat.born) for beat in beats if beat.node == machine]
                self.open.append(self._ask(machine, heard))
        if not self.open:
            return []
        answers, self.open = self._answers(self.open)
        return self._watch.silent(dict.fromkeys(chain.from_iterable(answers))) if answers else []


class Waiting:
    """How long a batch has been waiting for a process that may have been stopped before it said anything."""

    def __init__(self, patience: float, most: float) -> None:
        self._patience = patience
        self._clock = Silence(most)
        self._oldest = 0

    def too_long(self, flight: Collection[int], beats: Iterable[Beat], workers: int) -> bool:
        """Whether the oldest of `flight` that nobody plays has been so for too long, with a worker to spare.

        Another program may have that worker: it is a reason to look for a stopped process, no proof of one.
        """
        played = {beat.batch for beat in beats}.intersection(flight)
        oldest = min(set(flight) - played, default=0)
        spare = len(played) < min(workers, len(flight))
        news = not spare or oldest != self._oldest
        self._oldest = oldest
        return self._clock.look(news=news) > self._patience


def stopped(node: str, mine: Collection[str], heard: Collection[tuple[int, str]]) -> list[Beat]:
    """On a machine of a cluster: processes beside this one that are stopped and were never heard of.

    A sign of life is made up for each. `mine` are the titles of those that may be ours, for others' programs
    have workers too; `heard` are the numbers and starts of those that have spoken.
    """
    parent = os.getppid()
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        pid = int(place.name)
        try:
            fields = (place / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) != parent or fields[0] not in {"T", "t"} or (pid, fields[19]) in heard:
                continue
            title = (place / "cmdline").read_bytes().partition(b"\0")[0].decode(errors="replace").strip()
        except (OSError, IndexError, ValueError):
            continue
        if title in mine:
            found.append(Beat(node, socket.gethostname(), pid, fields[19], 0, 0))
    return found
