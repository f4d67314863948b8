"""The command `croupier`: parses, calls, prints. Heavy imports are inside the commands."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from harness.cli.app import app

        app(prog_name="croupier")
    except KeyboardInterrupt:
        # Ctrl-C while modules are still being imported: nothing was done yet.
        sys.exit(130)
