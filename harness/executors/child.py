"""The other end of a worker process: takes batches from its connection, plays them, sends results.

A thread tells the run now and then that this process is alive: a bot that thinks long does not stop it, a
process that is stopped or starved says nothing.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from harness import worker
from harness.executors.base import Batch


def main() -> None:
    """Serve the connection whose descriptor is the first argument, until it closes.

    The second argument is the number of seconds between signs of life.
    """
    descriptor, beat = int(sys.argv[1]), float(sys.argv[2])
    # What a bot starts must not keep the connection open when this process is gone.
    os.set_inheritable(descriptor, False)
    connection: Any = Connection(descriptor)
    sending = threading.Lock()
    threading.Thread(target=_beat, args=(connection, sending, beat), daemon=True).start()
    worker.log_to(sys.stdout)
    player = worker.Worker(connection.recv())
    signal.signal(signal.SIGINT, lambda *_: player.interrupt())
    _send(connection, sending, "ready")
    batches: queue.SimpleQueue[Batch] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, batches), daemon=True).start()
    while True:
        result = player.play(batches.get())
        # The run has the specs: sending them back would cost as much as the results.
        _send(connection, sending, result._replace(batch=Batch(())))


def _send(connection: Any, sending: threading.Lock, message: object) -> None:
    with sending:
        connection.send(message)


def _beat(connection: Any, sending: threading.Lock, seconds: float) -> None:
    """Give signs of life until the run is gone."""
    try:
        while True:
            time.sleep(seconds)
            _send(connection, sending, "beat")
    except OSError:
        os._exit(0)


def _read(connection: Any, batches: queue.SimpleQueue[Batch]) -> None:
    """Take batches as they come, so that the run never waits for a match to end."""
    try:
        while True:
            batches.put(connection.recv())
    except (EOFError, OSError):
        # The run is gone, perhaps killed: nobody wants what is being played.
        os._exit(0)
