"""The command `croupier`: parses, calls, prints. Heavy imports are inside the commands."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from harness.cli.app import app

        try:
            app(prog_name="croupier")
        finally:
            # All is said and done: a Ctrl-C while the process tidies up changes nothing any more.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        # Ctrl-C while modules are still being imported: nothing was done yet.
        sys.exit(130)
