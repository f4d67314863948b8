"""The match's end of a portable seat: pipes for a socket, psutil for signals and clocks."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from typing import IO, Final

import psutil

from harness.players import wire
from harness.players.base import BotFault
from harness.players.channel import Channel, Closed, answer, requests
from harness.players.clocks import TICK_NS, Guard, ProcessClock
from harness.players.portable_seat import framed, read_frame, write_all

ROUNDING_NS: Final = 16_000_000
"""A tick of a system's CPU clock, at most: what a reading can be off."""


class PortableClock(ProcessClock):
    """CPU time and memory of a child, as psutil tells them.

    The system counts in ticks: 10 ms on Linux, 15.6 on Windows. What its children use is not in it, and how
    long it waited for a core is not told.
    """

    def __init__(self, process: psutil.Process) -> None:
        self.process = process.pid
        self.resident = 0
        """Bytes that it held when it was last looked at."""
        self._told = process
        self.spent_ns = 0
        """CPU as of the last look."""
        self._peak = 0

    def cpu_ns(self) -> int:
        """CPU nanoseconds since the process began; the last known where it is gone."""
        try:
            with self._told.oneshot():
                times = self._told.cpu_times()
                self.resident = self._told.memory_info().rss
        except psutil.Error:
            return self.spent_ns
        self._peak = max(self._peak, self.resident)
        self.spent_ns = round((times.user + times.system) * 1e9)
        return self.spent_ns

    def waited_ns(self) -> int:
        """Nothing: it is not told."""
        return 0

    def peak_kb(self) -> int:
        """The most memory that it was seen to hold, in KiB."""
        return self._peak // 1024

    def close(self) -> None:
        """Nothing to let go of."""


class PipeChannel(Channel):
    """The pipes of a child, its process and its account.

    A thread of the match writes and reads, only ever what was asked for: no pipe of Windows can be waited for
    in any other way, and however much a bot writes, one message of it is held.
    """

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self.clock: PortableClock = PortableClock(psutil.Process(child.pid))
        self.requests = requests()
        self.charged_ns = 0
        self.paid_ns = 0
        self._had_ns = 0
        self._budget_ns = 0
        self._child = child
        self._told = psutil.Process(child.pid)
        self._most = 0
        self._wanted: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._arrived: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._converse, args=(child.stdin, child.stdout), daemon=True).start()

    def receive(self, budget_ns: int, what: str) -> wire.Reply:
        """The next message; charges for it. Raises BotFault (`time`, `memory`, `malformed`) or Closed."""
        guard: Guard | None = None
        self._budget_ns = budget_ns
        self._wanted.put(b"")
        while True:
            try:
                message = self._arrived.get(timeout=TICK_NS / 1e9)
                break
            except queue.Empty:
                guard = self.look(guard, budget_ns, what)
        if guard is not None:
            self.answered(guard)
        if message is None:
            raise Closed
        if len(message) > wire.LARGEST:
            raise BotFault("malformed", f"sent a message of more than {wire.LARGEST} bytes")
        if not message:
            raise BotFault("malformed", "sent an empty message")
        try:
            return wire.read_reply(message)
        except wire.UNREADABLE as error:
            raise BotFault("malformed", f"sent something that is no reply: {wire.why(error)}") from None

    def ask(self, message: bytes, request: int, budget_ns: int, what: str) -> wire.Moved | wire.Failed:
        """Send, wake, wait, freeze, charge. Raises BotFault or Closed."""
        self.tell(message)
        self.thaw()
        reply = self.receive(budget_ns, what)
        self.freeze()
        self.settle()
        return answer(reply, request)

    def tell(self, message: bytes) -> None:
        """Send a message, as soon as the child takes it."""
        self._wanted.put(framed(message))

    def bound(self, memory: int) -> None:
        """Let it have so many bytes more than it has now, and no more; 0 for no bound."""
        self._charge()
        self._most = self.clock.resident + memory if memory else 0

    def thaw(self) -> None:
        """Let it run."""
        with contextlib.suppress(psutil.Error):
            self._told.resume()

    def freeze(self) -> None:
        """Let it stand still."""
        with contextlib.suppress(psutil.Error):
            self._told.suspend()

    def kill(self) -> None:
        """End it and what it has started, as far as that can be found."""
        if self._child.returncode is not None:
            return  # its number may be another's by now
        family = [self._told]
        with contextlib.suppress(psutil.Error):
            family += self._told.children(recursive=True)
        for one in family:
            with contextlib.suppress(psutil.Error):
                one.kill()
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process and let go of everything."""
        self.kill()
        self._wanted.put(None)

    def settle(self) -> int:
        """Take down what was used since this was last done: nobody is charged for it again. Returns it."""
        self._charge()
        self.paid_ns = self.clock.spent_ns
        return self.charged_ns

    def _charge(self) -> None:
        """Where the limit is passed by what may be a tick's rounding, charge the limit."""
        super()._charge()
        if self._budget_ns < self.charged_ns <= self._budget_ns + ROUNDING_NS:
            self.charged_ns = self._budget_ns
        if self._most and self.clock.resident > self._most:
            held, most = self.clock.resident >> 20, self._most >> 20
            raise BotFault("memory", f"holds {held} MB, its interpreter's among them; the limit is {most} MB")

    def _converse(self, to_child: IO[bytes], from_child: IO[bytes]) -> None:
        """Write what is there to be written, read one message for every empty one; in a thread of its own."""
        with contextlib.suppress(OSError), to_child, from_child:
            while (message := self._wanted.get()) is not None:
                if not message:
                    self._arrived.put(read_frame(from_child.fileno(), wire.LARGEST))
                else:
                    with contextlib.suppress(OSError):  # it is gone: what is read next tells that
                        write_all(to_child.fileno(), message)
