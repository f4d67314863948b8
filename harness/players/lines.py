"""Lines to and from a program over two pipes; nothing that it writes can make the referee wait or grow."""

from __future__ import annotations

import contextlib
import os
import select
import time
from typing import Final

from harness.players.base import BotFault
from harness.protocol.messages import LINE_LIMIT

_PIPE: Final = 1 << 20
"""Bytes that the pipe to the program is to hold, so that most messages fit before it reads."""
_CHUNK: Final = 1 << 16


class Ended(Exception):
    """The program has closed its output."""


class Lines:
    """Owns the referee's ends of both pipes."""

    def __init__(self, to_bot: int, from_bot: int) -> None:
        self.to_bot = to_bot
        self.from_bot = from_bot
        for descriptor in (to_bot, from_bot):
            os.set_blocking(descriptor, False)
        with contextlib.suppress(OSError):  # more than an ordinary user may have; then it is sent in parts
            import fcntl  # here, since Windows has none and imports this module

            fcntl.fcntl(to_bot, fcntl.F_SETPIPE_SZ, _PIPE)
        self._out = b""
        self._got = bytearray()
        self._poll = select.poll()
        self._poll.register(from_bot, select.POLLIN)

    def expect_nothing(self) -> None:
        """Raise BotFault where something has come that nobody asked for; Ended after the output's end."""
        self._read()
        if self._got:
            raise BotFault("malformed", f"wrote out of turn: {_shown(self._got)}")

    def send(self, line: bytes) -> None:
        """Send a line, as much of it as goes now; `receive` sends the rest."""
        self._out = line + b"\n"
        self._write()

    def receive(self, seconds: float) -> bytes | None:
        """The line that comes within that time, None if none does. Raises BotFault and Ended.

        Anything after the line is a fault too: one question has one answer.
        """
        if self._out:
            self._poll.register(self.to_bot, select.POLLOUT)
        try:
            ready = self._poll.poll(max(1.0, seconds * 1e3))
        finally:
            if self._out:
                self._poll.unregister(self.to_bot)
        self._write()
        if any(descriptor == self.from_bot for descriptor, _ in ready):
            self._read()
        line, newline, rest = self._got.partition(b"\n")
        if newline:
            if rest:
                raise BotFault("malformed", f"wrote more than one line: {_shown(rest)}")
            self._got.clear()
            return bytes(line)
        return None

    def finish(self, line: bytes, seconds: float) -> None:
        """Send a last line and the end of the input, and wait that long for the end of the output."""
        self.send(line)
        os.close(self.to_bot)
        self.to_bot = -1
        until = time.monotonic() + seconds
        with contextlib.suppress(OSError):
            while (left := until - time.monotonic()) > 0:
                if self._poll.poll(left * 1e3) and not os.read(self.from_bot, _CHUNK):
                    return

    def close(self) -> None:
        """Close both ends."""
        if self.to_bot >= 0:
            os.close(self.to_bot)
        os.close(self.from_bot)

    def _read(self) -> None:
        try:
            data = os.read(self.from_bot, _CHUNK)
        except BlockingIOError:
            return
        self._got += data
        end = self._got.find(b"\n")
        if (len(self._got) if end < 0 else end) > LINE_LIMIT:
            raise BotFault("malformed", f"wrote a line of more than {LINE_LIMIT} bytes")
        if not data and not self._got:
            raise Ended
        if not data and end < 0:
            raise BotFault("malformed", f"ended in the middle of a line: {_shown(self._got)}")

    def _write(self) -> None:
        if not self._out:
            return
        try:
            self._out = self._out[os.write(self.to_bot, self._out) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._out = b""  # it reads no more; what it still says, or its end, tells the rest


def _shown(data: bytes | bytearray) -> str:
    text = bytes(data[:80]).decode("utf-8", "backslashreplace").strip()
    return repr(text + ("…" if len(data) > 80 else ""))
