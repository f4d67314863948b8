"""The command `new bot`: a file that already plays, and its test."""

from __future__ import annotations

import keyword
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.common import UsageProblem, command, say

new = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@new.callback()
def about() -> None:
    """Write a file to start from."""


@command
def bot(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name; its file is NAME.py.")],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="What it plays, also with seats: code777:3-5.")
    ],
) -> None:
    """Write NAME.py, a typed bot that already plays, and test_NAME.py with positions that pin it down.

    \b
    Nothing that is there is overwritten.
    Example: croupier new bot mine --game hund
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from bots.core.claims import Claim
    from harness.starters import starter

    module = _module(name)
    try:
        claim = Claim.parse(game)
    except ValueError as error:
        raise UsageProblem(f"--game: {error}") from None
    seats, rules = _table(claim.game, game)
    made = starter(module, claim.game, game, seats, rules)
    files = {Path(f"{module}.py"): made.bot, Path(f"test_{module}.py"): made.test}
    for path in files:
        if os.path.lexists(path):
            raise UsageProblem(f"{path} is there already; nothing was written")
    for path, text in files.items():
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageProblem(f"cannot write {path}: {error.strerror}") from None
    typer.echo("\n".join(f"wrote {path}" for path in files))
    say(f"next: croupier check {module}.py")
    say(f"      its tests: python -m pytest test_{module}.py; how bots are written: docs/bots.md")


def _module(name: str) -> str:
    """The name of the file; raises UsageProblem for one that could not be imported or entered."""
    from harness import submissions
    from harness.submitted import LONGEST

    module = name.removesuffix(".py").replace("-", "_")
    if (
        not module.isidentifier()
        or not module.isascii()
        or keyword.iskeyword(module)
        or module.startswith("_")
        or len(module) > LONGEST
    ):
        shown = repr(name) if len(name) <= LONGEST else f"{name[:20]!r}… of {len(name)} characters"
        raise UsageProblem(
            f"{shown} cannot be a bot's name: at most {LONGEST} letters, digits and -, the first a letter"
        )
    if module in sys.stdlib_module_names or module in {"bots", "engines", "harness"}:
        raise UsageProblem(f"{name!r} is the name of a module that Python would take for it: take another")
    if submissions.canonical(module) in submissions.shipped():
        raise UsageProblem(f"{name!r} is a bot that comes with Croupier: take another name")
    return module


def _table(name: str, claim: str) -> tuple[int, dict[str, int]]:
    """Seats and rules of the table for the tests: the game's usual one where the claim covers it."""
    import engines
    from bots.core.claims import Claim
    from bots.core.testing import tables

    usual = engines.load(name)
    covered = list(tables(Claim.parse(claim)))
    if not covered:
        there = ", ".join(f"{name}:{game.seats}" for game in tables(Claim(name)))
        raise UsageProblem(f"--game {claim}: there is no such table; there are {there}")
    if any(game.seats == usual.seats for game in covered):
        return usual.seats, {}
    return covered[0].seats, {"seats": covered[0].seats}


def add_to(app: typer.Typer) -> None:
    """Put these commands into `app`."""
    new.command(short_help="A bot that already plays, with its test.")(bot)
    app.add_typer(
        new,
        name="new",
        help="Write a bot that already plays, with its test.",
        short_help="Write a bot to start from.",
    )
