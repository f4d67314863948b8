"""`python -m harness` is the command `croupier`."""

from harness.cli import main

main()
