"""Without Ray: this process itself, or worker processes on this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from harness.executors.base import Batch, BatchResult, ExecutorError, Setup, lost
from harness.wording import one_line
from harness.worker import Worker

_WAITING: Final = 2
"""Batches that a worker process has, the one it plays included, so that it never waits for us."""
_PATIENCE: Final = 0.25
"""Seconds between looks at processes whose death did not show."""
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
    """Worker processes, each with a batch in play and one waiting."""

    name = "local"

    def __init__(self, setup: Setup, workers: int, logs: Path | None = None) -> None:
        self.workers = workers
        self._setup = setup
        self._logs = logs
        self._started = 0
        self._failed_starts = 0
        self._ready: deque[BatchResult] = deque()
        self._again: deque[Batch] = deque()
        self._children: list[_Child] = []
        try:
            for _ in range(workers):
                self._children.append(self._start())
        except BaseException:
            self.close()
            raise

    def _start(self) -> _Child:
        self._started += 1
        log = self._logs / f"worker-{self._started}.log" if self._logs else None
        return _Child(self._setup, log)

    def room(self) -> bool:
        """Whether a worker has less than it may hold."""
        return not self._again and any(len(child.batches) < _WAITING for child in self._children)

    def submit(self, batch: Batch) -> None:
        """Give it to the worker that has least to do; where that one is dead, keep it for the next."""
        child = min(self._children, key=lambda child: len(child.batches))
        if not child.send(batch):
            self._again.append(batch)

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """Results, and the losses of workers that died."""
        self._resubmit()
        until = time.monotonic() + timeout
        while not self._ready:
            left = until - time.monotonic()
            if left <= 0:
                break
            heard = wait([child.connection for child in self._children], min(left, _PATIENCE))
            for child in list(self._children):
                if child.connection in heard:
                    self._hear(child)
                elif child.process.poll() is not None and not child.connection.poll():
                    self._replace(child)
        found = list(self._ready)
        self._ready.clear()
        return found

    def _hear(self, child: _Child) -> None:
        try:
            message = child.connection.recv()
        except (EOFError, OSError):
            self._replace(child)
            return
        if message == "ready":
            child.ready = True
            self._failed_starts = 0
        else:
            batch = child.batches.popleft()
            self._ready.append(message._replace(batch=batch))

    def _replace(self, child: _Child) -> None:
        """Take a dead worker's place; what it was playing is lost, what it had waiting is not."""
        where, why = child.bury(grace=0.5)
        if not child.ready:
            self._failed_starts += 1
            if self._failed_starts >= _START_TRIES * self.workers:
                raise ExecutorError(f"worker processes do not start: {why}{child.last_words()}")
            self._again.extend(child.batches)
        elif child.batches:
            self._ready.append(lost(child.batches.popleft(), where, why))
            self._again.extend(child.batches)
        self._children[self._children.index(child)] = self._start()
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


class _Child:
    """One worker process and our end of its connection."""

    def __init__(self, setup: Setup, log: Path | None) -> None:
        ours, theirs = socket.socketpair()
        self.log = log
        self.batches: deque[Batch] = deque()
        self.ready = False
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        program = "from harness.executors.child import main; main()"
        output: Any = log.open("wb") if log else subprocess.DEVNULL
        try:
            # A session of its own: Ctrl-C in the terminal is for the run to answer, not for its workers.
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-P", "-c", program, str(theirs.fileno())],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        finally:
            theirs.close()
            if log:
                output.close()
        self.connection: Any = Connection(ours.detach())
        with contextlib.suppress(OSError):
            self.connection.send(setup)

    def send(self, batch: Batch) -> bool:
        """Hand a batch over; False where the process is gone."""
        try:
            self.connection.send(batch)
        except OSError:
            return False
        self.batches.append(batch)
        return True

    def signal(self, number: int) -> None:
        """Send it a signal, if it is still there."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    def bury(self, grace: float = 0.0) -> tuple[str, str]:
        """End the process for certain; says where it was and how it ended.

        The connection of a process that dies closes a moment before the process is gone; `grace` seconds
        are given for that, so that the exit code is its own.
        """
        where = f"{socket.gethostname()}:{self.process.pid}"
        code: int | None = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(grace)
        self.process.kill()
        self.process.wait()
        self.connection.close()
        if code is None:
            return where, "worker process lost its connection and was ended"
        return where, f"worker process died: {_ending(code)}"

    def last_words(self) -> str:
        """The last line of its log, after a colon."""
        if self.log is None or not self.log.exists():
            return ""
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f": {one_line(lines[-1])}" if lines else ""


def _ending(code: int) -> str:
    """`signal SIGKILL` or `exit code 3`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
