"""The command `croupier`: parses, calls, prints. Heavy imports are inside the commands."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit with its code."""
    from harness.cli.app import app

    app(prog_name="croupier")
