"""What a bot's process has for standard streams: nothing to read, and output that never fails or waits."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

from harness.players.lockdown.limits import OUTPUT


class Output:
    """Standard output of a bot: never raises and never waits; what is over the limit is dropped."""

    encoding = "utf-8"
    errors = "replace"
    closed = False

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left = OUTPUT

    def write(self, text: str) -> int:
        """Write, or not."""
        data = str(text).encode("utf-8", "replace")[: self._left]
        self._left -= len(data)
        with contextlib.suppress(OSError):
            os.write(self._descriptor, data)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing is held back."""

    def fileno(self) -> int:
        """The descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """No terminal."""
        return False

    def writable(self) -> bool:
        """Yes."""
        return True


def redirect(channel: int) -> None:
    """Make the standard streams of this process and its children what bots print to and read nothing from.

    `channel` is where a seat's socket will lie.
    """
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if nothing != channel:
        os.dup2(nothing, channel)  # kept, so that nothing that a seat needs comes to lie there
        os.close(nothing)
    replace()


def replace() -> None:
    """Have Python print to the standard streams without ever failing or waiting."""
    sys.stdout = sys.__stdout__ = Output(1)  # type: ignore[assignment,misc]  # all of a text file that bots use
    sys.stderr = sys.__stderr__ = Output(2)  # type: ignore[assignment,misc]  # all of a text file that bots use
    sys.argv[:] = ["bot"]
