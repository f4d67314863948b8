"""The other end of a worker process: takes batches from its connection, plays them, sends results."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from multiprocessing.connection import Connection
from typing import Any

from harness import worker
from harness.executors.base import Batch


def main() -> None:
    """Serve the connection whose descriptor is the first argument, until it closes."""
    descriptor = int(sys.argv[1])
    # What a bot starts must not keep the connection open when this process is gone.
    os.set_inheritable(descriptor, False)
    connection: Any = Connection(descriptor)
    worker.log_to(sys.stdout)
    player = worker.Worker(connection.recv())
    signal.signal(signal.SIGINT, lambda *_: player.interrupt())
    connection.send("ready")
    batches: queue.SimpleQueue[Batch] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, batches), daemon=True).start()
    while True:
        result = player.play(batches.get())
        # The run has the specs: sending them back would cost as much as the results.
        connection.send(result._replace(batch=Batch(())))


def _read(connection: Any, batches: queue.SimpleQueue[Batch]) -> None:
    """Take batches as they come, so that the run never waits for a match to end."""
    try:
        while True:
            batches.put(connection.recv())
    except (EOFError, OSError):
        # The run is gone, perhaps killed: nobody wants what is being played.
        os._exit(0)
