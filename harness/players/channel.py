"""The match's end of a seat: one request, one reply, and the process awake only in between.

A reply must carry the number of the request, which is drawn anew each time: what a bot wrote before it was
asked, or twice, or by itself, answers nothing.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import socket
import struct
from array import array
from collections.abc import Iterator
from typing import Final

from harness.players import wire
from harness.players.base import BotFault
from harness.players.clocks import (
    PATIENCE_A_MATCH_NS,
    PATIENCE_FACTOR,
    TICK_NS,
    Guard,
    ProcessClock,
)

_TICK: Final = struct.pack("ll", 0, TICK_NS // 1000)


_buffer = bytearray(wire.LARGEST + 1)
"""Where replies arrive; one byte longer than any may be, since the kernel cuts what is too long."""
_readable = memoryview(_buffer)
_DRAWN: Final = 64
_REPLIES: Final = (wire.Moved, wire.Failed)


def requests() -> Iterator[int]:
    """Numbers that no bot can guess, without end.

    Drawn by the block: a system call for each would be a tenth of a quick decision.
    """
    while True:
        for number in array("Q", os.urandom(8 * _DRAWN)):
            yield number >> 1  # fit for a signed 64 bits


class Closed(Exception):
    """The other end is gone."""


class Channel:
    """A seat's socket, its process, and its account.

    `charged_ns` is what the last exchange cost: all CPU since the one before, thought up in its turn or not.
    """

    def __init__(self, ours: socket.socket, process: int, clock: ProcessClock) -> None:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _TICK)
        self.clock = clock
        self.requests = requests()
        self.charged_ns = 0
        self.paid_ns = 0
        self._had_ns = 0
        self._socket = ours
        self._process = process
        """A pidfd: unlike a number it can never come to mean another process."""
        # For every decision, so bound once.
        self._send = ours.send
        self._receive = ours.recv_into
        self._freeze = functools.partial(signal.pidfd_send_signal, process, signal.SIGSTOP)
        self._thaw = functools.partial(signal.pidfd_send_signal, process, signal.SIGCONT)

    def receive(self, budget_ns: int, what: str) -> wire.Reply:
        """The next message; charges for it. Raises BotFault (`time`, `malformed`) or Closed.

        `what` says in a fault's line what the time was for.
        """
        guard: Guard | None = None
        while True:
            try:
                size = self._receive(_buffer)
                break
            except BlockingIOError:
                guard = self.look(guard, budget_ns, what)
            except ConnectionError:
                raise Closed from None
        if guard is not None:
            self.answered(guard)
        if size > wire.LARGEST:
            raise BotFault("malformed", f"sent a message of more than {wire.LARGEST} bytes")
        if not size:
            self._closed_or_empty()
        try:
            return wire.read_reply(_readable[:size])
        except wire.UNREADABLE as error:
            raise BotFault("malformed", f"sent something that is no reply: {wire.why(error)}") from None

    def look(self, guard: Guard | None, budget_ns: int, what: str) -> Guard:
        """See after a tick without an answer whether there is time left; raises BotFault (`time`).

        `guard` is that of the last look for the same answer, None at the first.
        """
        self._charge()
        if self.charged_ns > budget_ns:
            raise BotFault("time", over(self.charged_ns, budget_ns, what))
        guard = guard or Guard(self.clock, budget_ns)
        if guard.asleep():
            raise BotFault("time", asleep(guard.limit_ns, self.charged_ns, what))
        had, used = self._had_ns + guard.had_ns, self.paid_ns + self.charged_ns
        if had > PATIENCE_FACTOR * used + PATIENCE_A_MATCH_NS:
            raise BotFault("time", asleep(had, used, "in this match so far", "made it wait for"))
        return guard

    def answered(self, guard: Guard) -> None:
        """Put down what was waited for an answer that has come."""
        self._had_ns += guard.had_ns

    def ask(self, message: bytes, request: int, budget_ns: int, what: str) -> wire.Moved | wire.Failed:
        """Send, wake, wait, freeze, charge. Raises BotFault or Closed."""
        try:
            self._send(message)
            self._thaw()
        except (ConnectionError, ProcessLookupError):
            raise Closed from None
        reply = self.receive(budget_ns, what)
        self.freeze()
        self.settle()
        return answer(reply, request)

    def settle(self) -> int:
        """Take down what was used since this was last done: nobody is charged for it again. Returns it."""
        self._charge()
        self.paid_ns += self.charged_ns
        return self.charged_ns

    def freeze(self) -> None:
        """Let the process stand still."""
        try:  # contextlib.suppress would cost more than the call
            self._freeze()
        except ProcessLookupError:
            return

    def thaw(self) -> None:
        """Let it run."""
        with contextlib.suppress(ProcessLookupError):
            self._thaw()

    def kill(self) -> None:
        """End the process."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process, signal.SIGKILL)

    def close(self) -> None:
        """End the process and let go of everything."""
        self.kill()
        self._socket.close()
        os.close(self._process)
        self.clock.close()

    def _charge(self) -> None:
        self.charged_ns = self.clock.cpu_ns() - self.paid_ns

    def _closed_or_empty(self) -> None:
        """An empty message looks like the end of the stream; only the latter comes again."""
        try:
            more = self._socket.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK)
        except BlockingIOError:
            more = b"?"
        except ConnectionError:
            more = b""
        if more:
            raise BotFault("malformed", "sent an empty message")
        raise Closed


def answer(reply: wire.Reply, request: int) -> wire.Moved | wire.Failed:
    """The reply to that request; raises BotFault where it is none."""
    if not isinstance(reply, _REPLIES) or reply.request != request:
        raise BotFault("malformed", "wrote to the match's channel by itself: this answers no request")
    return reply


def over(used_ns: int, budget_ns: int, what: str) -> str:
    """That a bot used too much, as the rest of a sentence that begins with its name."""
    return f"took {used_ns / 1e6:.0f} ms of CPU {what}; the limit is {budget_ns / 1e6:.0f} ms"


def asleep(had_ns: int, used_ns: int, what: str, how: str = "gave no reply in") -> str:
    """That a bot does not answer and does not compute."""
    return (
        f"{how} {had_ns / 1e6:.0f} ms {what} but used only {used_ns / 1e6:.1f} ms of CPU: "
        f"it is sleeping or waiting for input"
    )
