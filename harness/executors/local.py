"""Without Ray: this process itself, or worker processes on this machine."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from harness.executors.base import Batch, BatchResult, ExecutorError, Setup, lost
from harness.wording import one_line
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
        self._heard: queue.SimpleQueue[tuple[_Child, Any]] = queue.SimpleQueue()
        self._looked = time.monotonic()
        self._children: list[_Child] = []
        try:
            for place in range(workers):
                self._children.append(self._start(place))
        except BaseException:
            self.close()
            raise

    def _start(self, place: int) -> _Child:
        # Those that take the place of others go on with their log, so that many deaths do not make many.
        log = self._logs / f"worker-{place + 1}.log" if self._logs else None
        return _Child(self._setup, log, self._patience / BEATS, self._heard)

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

    def _hear(self, child: _Child, message: Any) -> None:
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

    def _replace(self, child: _Child, silent: str = "") -> None:
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


class _Child:
    """One worker process and our end of its connection."""

    def __init__(
        self,
        setup: Setup,
        log: Path | None,
        beat: float,
        heard: queue.SimpleQueue[tuple[_Child, Any]],
    ) -> None:
        ours, theirs = socket.socketpair()
        self.log = log
        self.batches: deque[Batch] = deque()
        self.ready = False
        self.silence = 0.0
        """Seconds since it was heard of last, as far as we were listening."""
        self.gone = 0.0
        """Seconds that its process has been no more, since it was heard of last."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        program = "from harness.executors.child import main; main()"
        output: Any = log.open("ab") if log else subprocess.DEVNULL
        try:
            # A session of its own: Ctrl-C in the terminal is for the run to answer, not for its workers.
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-P", "-c", program, str(theirs.fileno()), str(beat)],
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
        self._outbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._outbox.put(setup)
        self._threads = [
            threading.Thread(target=self._send_all, daemon=True),
            threading.Thread(target=self._receive_all, args=(heard,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, batch: Batch) -> bool:
        """Hand a batch over; False where the process is gone."""
        if self.process.poll() is not None:
            return False
        self.batches.append(batch)
        self._outbox.put(batch)
        return True

    def _send_all(self) -> None:
        with contextlib.suppress(OSError):
            while (message := self._outbox.get()) is not None:
                self.connection.send(message)

    def _receive_all(self, heard: queue.SimpleQueue[tuple[_Child, Any]]) -> None:
        message: Any = "beat"
        while message is not None:
            try:
                message = self.connection.recv()
            except (EOFError, OSError):
                message = None
            heard.put((self, message))

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
        self._outbox.put(None)
        # A process that it has left behind may hold the other end open: our threads are not to wait for that.
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self.connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
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
