"""The command `play`: a game against bots, in the terminal."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from harness.cli.common import INTERRUPTED, UsageProblem, command, rules_of, tell
from harness.cli.running import LEVELS, Isolation

IsolationLevel = Annotated[Isolation, typer.Option(metavar="LEVEL", help=f"How bots are kept in: {LEVELS}.")]


@command
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name.")],
    against: Annotated[
        str,
        typer.Option(metavar="BOTS", help="Names or files, separated by commas: one for all, or one a seat."),
    ] = "uniform",
    deal: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The deal's luck, as replay shows it. [default: a new one]",
            min=0,
            max=2**53 - 1,
        ),
    ] = None,
    seat: Annotated[int, typer.Option(metavar="N", help="Where you sit.", min=0)] = 0,
    rules: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game; repeatable.")
    ] = None,
    isolation: IsolationLevel = Isolation.auto,
) -> None:
    """Play a game against bots, and see how they fare on the same deal in your seat.

    \b
    Seats are given from your left on. A move is said by its number or its
    name; ? helps, q leaves.
    Example: croupier play hund --against hund-squeeze,uniform,hund-miser --deal 7
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    import engines
    from harness.cli.person_table import PersonTable
    from harness.players.person import Left

    loaded = engines.load(game, **rules_of(rules or []))
    if seat >= loaded.seats:
        raise UsageProblem(f"--seat {seat}: {game} has seats 0 to {loaded.seats - 1}")
    luck = secrets.randbelow(2**31) if deal is None else deal
    table = PersonTable(loaded, against, seat, luck, isolation.value)
    tell(f"{game}, deal {luck}. ? for the rules in short, q to leave.", 2)
    try:
        record = table.play()
        told = [*table.result(record), *table.compared(record)]
    except (Left, KeyboardInterrupt) as error:
        typer.echo()
        tell(f"You left after {_count(table.decided, 'decision')}. --deal {luck} has the same deal again.", 2)
        raise typer.Exit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else 0) from None
    finally:
        table.maker.give_up_zygotes()
    for line in told:
        typer.echo(line)


def _count(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="Play a game against bots, in the terminal.")(play)
