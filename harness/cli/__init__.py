"""The command `croupier`: parses, calls, prints. Heavy imports are inside the commands."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import signal
import sys
from typing import Any


def main() -> None:
    """Run the command line and exit with its code."""
    _open_streams()
    _bear_with_stderr()
    _print_anything()
    try:
        from harness.cli.app import app
        from harness.cli.common import unusable

        try:
            app(prog_name="croupier")
        except OSError as error:
            # The help, which no command prints.
            sys.exit(unusable(error))
        finally:
            # All is said and done: a Ctrl-C while the process tidies up changes nothing any more.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        # Ctrl-C while modules are still being imported: nothing was done yet.
        sys.exit(130)


def _open_streams() -> None:
    """Where a stream was closed (`>&-`) put one that takes everything, and has nothing."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)  # the lowest that is free, which is that stream's own
            mode = "w" if number else "r"
            setattr(sys, name, open(descriptor, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - stays open


class _Unheard(io.FileIO):
    """A stream that takes what it can: messages are lost where nobody reads them, or the disk is full."""

    def write(self, data: Any, /) -> int:
        """Write all of it, or else pretend to have."""
        left = memoryview(data)
        with contextlib.suppress(OSError):
            # No number is what one gets that does not wait for room.
            while left and (written := super().write(left)):
                left = left[written:]
        return len(data)


def _print_anything() -> None:
    """Let stdout take every character: file names as their bytes are, and ? for what its encoding lacks."""
    output = sys.stdout
    if isinstance(output, io.TextIOWrapper):
        utf8 = codecs.lookup(output.encoding).name == "utf-8"
        output.reconfigure(errors="surrogateescape" if utf8 else "replace")


def _bear_with_stderr() -> None:
    """Let no command end, or end otherwise, because of a message that could not be told.

    Nothing is buffered below the text: what a Ctrl-C says may come in the middle of another message, and
    a buffer that is being written takes nothing.
    """
    errors = sys.stderr
    raw: Any = _Unheard(errors.fileno(), "w", closefd=False)
    sys.stderr = io.TextIOWrapper(
        raw, encoding=errors.encoding, errors="backslashreplace", write_through=True
    )
