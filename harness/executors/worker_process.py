"""One worker process and our end of its connection; `harness.executors.child` is the other end."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from harness.executors.base import Batch, Setup
from harness.executors.same_code import ONE_ORDER
from harness.wording import one_line


class WorkerProcess:
    """One worker process and our end of its connection."""

    def __init__(
        self,
        setup: Setup,
        log: Path | None,
        beat: float,
        heard: queue.SimpleQueue[tuple[WorkerProcess, Any]],
    ) -> None:
        ours, theirs = socket.socketpair()
        self.log = log
        self.batches: deque[Batch] = deque()
        self.ready = False
        self.silence = 0.0
        """Seconds since it was heard of last, as far as we were listening."""
        self.gone = 0.0
        """Seconds that its process has been no more, since it was heard of last."""
        paths = os.pathsep.join(p for p in sys.path if p)
        environment = {**os.environ, "PYTHONPATH": paths, **ONE_ORDER}
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

    def _receive_all(self, heard: queue.SimpleQueue[tuple[WorkerProcess, Any]]) -> None:
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
