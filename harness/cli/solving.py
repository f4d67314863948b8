"""The command `solve`: the exact value of a position, with the play that shows it."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import LEFT_OPEN, UsageProblem, command, say
from harness.wording import counted

if TYPE_CHECKING:
    from engines.core.solution import Solution

NODES = 5_000_000
"""Positions expanded where neither limit is given: about half a minute, compiled."""


@command
def solve(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A position as JSON; - for stdin.")],
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"Positions to expand at most. [default: {NODES:,}, or none with --seconds]",
            min=1,
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="CPU seconds at most.", min=0.0)] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also all first moves that keep the value, which takes longer.")
    ] = False,
) -> None:
    """Solve a position: what the seat to move gets at best, and how.

    The first line is the value. Exit code 1 where it is not found within the limits.

    \b
    Example: croupier solve docs/examples/duel-endgame.json
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    import engines
    from engines.core.errors import BadPosition
    from engines.core.solution import Undecided

    data = _read(file)
    name, rules = data.get("game"), data.get("rules", {})
    if not isinstance(name, str):
        raise UsageProblem(f"{file}: game: expected a game's name, got {name!r}")
    if not isinstance(rules, dict):
        raise UsageProblem(f"{file}: rules: expected an object, got {rules!r}")
    game = engines.load(name, **rules)
    solver = getattr(game, "solve", None)
    if solver is None:
        raise UsageProblem(f"{file}: {name} cannot be solved; a game that can: kozyri-duel")
    try:
        state = game.from_position(data)
    except BadPosition as error:
        raise UsageProblem(f"{file}: {error}") from None
    if seconds is not None and not math.isfinite(seconds):
        raise UsageProblem(f"--seconds {seconds}: expected a number of seconds, such as 30")
    if nodes is None and seconds is None:
        nodes = NODES
    try:
        found = solver(state, nodes=nodes, seconds=seconds, every=every)
    except Undecided as error:
        say(f"croupier: {file}: {error}")
        raise typer.Exit(LEFT_OPEN) from None
    _tell(state, found)


def _read(file: str) -> dict[str, Any]:
    """The JSON object in a file; raises UsageProblem where there is none."""
    if not file:
        raise UsageProblem("expected a file with a position as JSON, or - for stdin, got an empty text")
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        data = json.loads(text)
    except OSError as error:
        raise UsageProblem(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise UsageProblem(f"{file}: expected a position as JSON: {error}") from None
    except RecursionError:
        raise UsageProblem(f"{file}: not a position: nested too deeply") from None
    if not isinstance(data, dict):
        raise UsageProblem(f"{file}: expected a position as a JSON object")
    return data


def _tell(state: Any, found: Solution) -> None:
    """The value alone on the first line; none of the three words comes again."""
    typer.echo(found.value)
    turn = state.copy()
    for number, move in enumerate(found.line, 1):
        typer.echo(f"{number:4}  seat {turn.seat}  {move.name}")
        turn.play(move)
    if found.best is not None:
        typer.echo(f"first moves as good: {', '.join(move.name for move in found.best)}")
    if found.depth:
        typer.echo(f"over after {counted(found.depth, 'move')} at the latest, whatever the other does")
    else:
        typer.echo("neither seat can force an empty hand")
    typer.echo(f"{counted(found.nodes, 'position')} expanded")


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="The exact value of a position, and the play that shows it.")(solve)
