"""Without Ray: this process itself, or worker processes on this machine."""

from __future__ import annotations

import contextlib
import queue
import signal
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from harness.executors.base import Batch, BatchResult, ExecutorError, Setup, lost
from harness.executors.worker_process import WorkerProcess
from harness.worker import Worker

_WAITING: Final = 2
"""Batches that a worker process has, the one it plays included, so that it never waits for us."""
PATIENCE = 60.0
"""Seconds without a sign of life after which a worker is given up."""
START_PATIENCE: Final = 120.0
"""The same while a worker starts: its imports may come from a slow disk."""
BEATS: Final = 8
"""Signs of life that a worker gives in that time."""
_LOOK: Final = 0.25
"""Seconds between looks at workers that say nothing."""
_LAST_WORDS: Final = 0.5
"""Seconds for the last results of a process to come through whose death did not close its connection."""
_START_TRIES: Final = 3


class InProcess:
    """Plays in the caller's own process, one batch a `collect`."""

    name = "local"
    workers = 1

    def __init__(self, setup: Setup) -> None:
        self._worker = Worker(setup)
        self._waiting: deque[Batch] = deque()

    def room(self) -> bool:
        """One batch at a time."""
        return not self._waiting

    def submit(self, batch: Batch) -> None:
        """Keep it for `collect`."""
        self._waiting.append(batch)

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """Play what was submitted."""
        del timeout
        return [self._worker.play(self._waiting.popleft())] if self._waiting else []

    def interrupt(self) -> None:
        """Called from a signal handler: break off the match that is on."""
        self._worker.interrupt()

    def close(self) -> None:
        """End what plays isolated bots."""
        self._worker.close()


class WorkerPool:
    """Worker processes, each with a batch in play and one waiting.

    A worker that dies, or gives no sign of life for `patience` seconds (it was stopped, or its machine is in
    trouble), is replaced. Threads do the sending and receiving, so that a worker that hangs in the middle of
    a message holds up nobody else.
    """

    name = "local"

    def __init__(
        self, setup: Setup, workers: int, logs: Path | None = None, *, patience: float | None = None
    ) -> None:
        self.workers = workers
        self._setup = setup
        self._logs = logs
        self._patience = PATIENCE if patience is None else patience
        self._failed_starts = 0
        self._ready: deque[BatchResult] = deque()
        self._again: deque[Batch] = deque()
        self._heard: queue.SimpleQueue[tuple[WorkerProcess, Any]] = queue.SimpleQueue()
        self._looked = time.monotonic()
        self._children: list[WorkerProcess] = []
        try:
            for place in range(workers):
                self._children.append(self._start(place))
        except BaseException:
            self.close()
            raise

    def _start(self, place: int) -> WorkerProcess:
        # Those that take the place of others go on with their log, so that many deaths do not make many.
        log = self._logs / f"worker-{place + 1}.log" if self._logs else None
        return WorkerProcess(self._setup, log, self._patience / BEATS, self._heard)

    def room(self) -> bool:
        """Whether a worker has less than it may hold."""
        return not self._again and any(len(child.batches) < _WAITING for child in self._children)

    def submit(self, batch: Batch) -> None:
        """Give it to the worker that has least to do; where that one is dead, keep it for the next."""
        child = min(self._children, key=lambda child: len(child.batches))
        if not child.send(batch):
            self._again.append(batch)

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """Results, and the losses of workers that died or went silent."""
        self._resubmit()
        until = time.monotonic() + timeout
        while True:
            left = until - time.monotonic()
            with contextlib.suppress(queue.Empty):
                self._hear(*self._heard.get(timeout=max(0.0, min(left, _LOOK))))
            with contextlib.suppress(queue.Empty):
                while True:
                    self._hear(*self._heard.get_nowait())
            self._watch()
            if self._ready or left <= 0:
                break
        found = list(self._ready)
        self._ready.clear()
        return found

    def _hear(self, child: WorkerProcess, message: Any) -> None:
        if child not in self._children:
            return  # the last words of one that was replaced
        child.silence = child.gone = 0.0
        if message is None:
            self._replace(child)
        elif message == "ready":
            child.ready = True
            self._failed_starts = 0
        elif message != "beat":
            self._ready.append(message._replace(batch=child.batches.popleft()))

    def _watch(self) -> None:
        """Replace workers that are gone without a word, or silent.

        Only time in which this process was looking counts: after a pause of the whole machine, or of this
        process, everybody has as much patience left as before.
        """
        now = time.monotonic()
        passed, self._looked = min(now - self._looked, 2 * _LOOK), now
        for child in list(self._children):
            child.silence += passed
            if child.process.poll() is not None:
                child.gone += passed
            if child.gone > _LAST_WORDS:
                self._replace(child)
            elif child.silence > (
                patience := self._patience if child.ready else max(self._patience, START_PATIENCE)
            ):
                self._replace(child, f"worker process gave no sign of life for {patience:g} s")

    def _replace(self, child: WorkerProcess, silent: str = "") -> None:
        """Take a worker's place; what it was playing is lost, what it had waiting is not."""
        where, why = child.bury(grace=0.0 if silent else 0.5)
        why = silent or why
        if not child.ready:
            self._failed_starts += 1
            if self._failed_starts >= _START_TRIES * self.workers:
                raise ExecutorError(f"worker processes do not start: {why}{child.last_words()}")
            self._again.extend(child.batches)
        elif child.batches:
            self._ready.append(lost(child.batches.popleft(), where, why))
            self._again.extend(child.batches)
        place = self._children.index(child)
        self._children[place] = self._start(place)
        self._resubmit()

    def _resubmit(self) -> None:
        for _ in range(len(self._again)):
            self.submit(self._again.popleft())

    def interrupt(self) -> None:
        """Have every worker break off its match and report; nothing that waits is started any more."""
        self._again.clear()
        for child in self._children:
            child.signal(signal.SIGINT)

    def close(self) -> None:
        """End every worker at once; what it had is lost."""
        for child in self._children:
            child.bury()
        self._children = []
