"""What the kernel alone takes for the steps of isolation: no figure of ours can be lower.

A second process that has a zygote's modules in memory forks, answers and is frozen when told, and does
nothing else. Its figures are taken in turn with ours, so that a slow machine or minute slows both.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, Self

from harness.players import huge_pages
from harness.players.spawner import FLAGS

_FORK: Final = b"f"
_MESSAGE: Final = 1 << 16


class Floors:
    """The other process; it shares the cores that this one has when it starts."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        program = f"{huge_pages.APART}; from benchmarks.floors import serve; serve({theirs.fileno()})"
        command = [sys.executable, *FLAGS, "-c", program]
        environment = {
            "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(Path(__file__).parent.parent)]),
            "GLIBC_TUNABLES": huge_pages.MALLOC,
        }
        self._process = subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()])
        theirs.close()
        self._socket = ours
        self._pidfd = os.pidfd_open(self._process.pid)
        self._clock = (~self._process.pid << 3) | 2  # as players/clocks.py has it
        self.fork_ns()

    def fork_ns(self) -> int:
        """A fork, the end of the child that does nothing, and wait(2)."""
        self._socket.send(_FORK)
        return int.from_bytes(self._socket.recv(8), "big")

    def exchange_ns(self, message: bytes) -> int:
        """A message there and a short one back."""
        began = time.perf_counter_ns()
        self._socket.send(message)
        self._socket.recv(_MESSAGE)
        return time.perf_counter_ns() - began

    def thawed_exchange_ns(self, message: bytes) -> int:
        """The same with a process that is frozen before and after, and a look at its clock."""
        signal.pidfd_send_signal(self._pidfd, signal.SIGSTOP)
        began = time.perf_counter_ns()
        self._socket.send(message)
        signal.pidfd_send_signal(self._pidfd, signal.SIGCONT)
        self._socket.recv(_MESSAGE)
        signal.pidfd_send_signal(self._pidfd, signal.SIGSTOP)
        time.clock_gettime_ns(self._clock)
        took = time.perf_counter_ns() - began
        signal.pidfd_send_signal(self._pidfd, signal.SIGCONT)
        return took

    def freeze_ns(self) -> int:
        """Freezing and thawing a process that waits for a message."""
        began = time.perf_counter_ns()
        signal.pidfd_send_signal(self._pidfd, signal.SIGSTOP)
        signal.pidfd_send_signal(self._pidfd, signal.SIGCONT)
        return time.perf_counter_ns() - began

    def read_ns(self, times: int = 100) -> float:
        """One look at its clock."""
        read, clock = time.clock_gettime_ns, self._clock
        began = time.perf_counter_ns()
        for _ in range(times):
            read(clock)
        return (time.perf_counter_ns() - began) / times

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.wait(10)
        os.close(self._pidfd)


def serve(descriptor: int) -> None:
    """Be the other process."""
    import gc

    import engines
    from harness.players import zygote  # noqa: F401 - for its size

    engines.load("kozyri-duel")
    gc.collect()
    gc.freeze()
    huge_pages.collapse(huge_pages.places())
    channel = socket.socket(fileno=descriptor)
    reply = bytes(16)
    while message := channel.recv(_MESSAGE):
        channel.send(_forked() if message == _FORK else reply)


def _forked() -> bytes:
    began = time.perf_counter_ns()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return (time.perf_counter_ns() - began).to_bytes(8, "big")
