"""The process of a portable seat: a new interpreter that reads its order, then is a seat as any other.

Its standard input and output are the match's pipes. They are moved away before any bot runs, so that what a
bot prints goes to its own file. A thread reads them; where the match is gone, it ends the process, whatever
the bot is doing.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
from random import Random
from typing import Any, Final, NoReturn

import engines
from engines.core.game import Game
from harness import private_import
from harness.players import readable, seat, streams, wire
from harness.players.lockdown import limits

HEADER: Final = 4
"""Bytes before a message that say how long it is, the lowest first."""
_CPU_SECONDS: Final = 3600
"""CPU time after which the system ends it, should nobody else."""
_FILES: Final = 32


class Home:
    """What a seat finds ready."""

    def __init__(self) -> None:
        self.library = readable.importable()
        self.games: dict[tuple[str, str], tuple[Game[Any, Any], seat.Reader]] = {}
        self.buffer = bytearray(wire.LARGEST_ASK)
        self.rng = Random(0)


def main() -> NoReturn:
    """Be the seat that the first two messages describe."""
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_on, args=(reading, arrived), daemon=True).start()

    def send(message: bytes) -> None:
        write_all(writing, framed(message))

    try:
        plan = wire.read_plan(arrived.get())
        order = wire.read_order(arrived.get())
        for name in plan.preload:
            importlib.import_module(name)
        home = Home()
        if order.game:
            game = engines.load(order.game, **json.loads(order.rules))
            home.games[order.game, order.rules] = game, wire.asks(game)
        _bound(order.memory)
    except BaseException:  # noqa: BLE001 - nothing of the bot has run: whatever this is, it is not its fault
        os.write(2, traceback.format_exc().encode()[-2000:])
        os._exit(seat.FAILED_TO_LOCK)
    streams.replace()
    send(wire.LOCKED)
    private_import.compiled.update(order.code.compiled)

    def receive() -> int:
        message = arrived.get()
        home.buffer[: len(message)] = message
        return len(message)

    seat.serve(home, order, receive, send)
    os._exit(0)


def _bound(memory: int) -> None:
    """Have the system bound this process, as far as it can; `memory` is bytes more than it has, 0: no bound.

    Where it does not tell how many addresses a process has taken (macOS), memory is left to the match.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    bounds = [
        (resource.RLIMIT_CPU, _CPU_SECONDS),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_FSIZE, limits.OUTPUT),
        (resource.RLIMIT_CORE, 0),
    ]
    if memory and (taken := limits.address_space()):
        bounds.append((resource.RLIMIT_AS, taken + memory))
    for which, most in bounds:
        now = resource.getrlimit(which)[1]
        least = most if now == resource.RLIM_INFINITY else min(most, now)
        resource.setrlimit(which, (least, least))


def _read_on(descriptor: int, arrived: queue.SimpleQueue[bytes]) -> None:
    """Read whatever the match says; end everything with it."""
    while (message := read_frame(descriptor, wire.LARGEST_ASK)) is not None:
        arrived.put(message)
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(0, signal.SIGKILL)  # itself, and what its bot has started
    os._exit(0)


def framed(message: bytes) -> bytes:
    """A message as it goes over a pipe."""
    return len(message).to_bytes(HEADER, "little") + message


def read_frame(descriptor: int, largest: int) -> bytes | None:
    """The next message from a pipe; None after the last. Of one that is too long, `largest` + 1 bytes."""
    header = _exactly(descriptor, HEADER)
    if header is None:
        return None
    return _exactly(descriptor, min(int.from_bytes(header, "little"), largest + 1))


def write_all(descriptor: int, data: bytes) -> None:
    """Write to a pipe until nothing is left."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _exactly(descriptor: int, size: int) -> bytes | None:
    found = bytearray()
    while len(found) < size:
        try:
            data = os.read(descriptor, size - len(found))
        except OSError:
            return None
        if not data:
            return None
        found += data
    return bytes(found)
