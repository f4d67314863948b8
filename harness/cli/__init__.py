"""The command `croupier`: parses, calls, prints. Heavy imports are inside the commands."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    _open_streams()
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
