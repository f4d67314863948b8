"""Commands that read what a run has written: report, verify, replay."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import LEFT_OPEN, command, console, find_run, say, tell

if TYPE_CHECKING:
    from engines.core.game import Game
    from harness.records import MatchRecord

RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's folder, or its name under reports/.")
]


class Style(StrEnum):
    """What `report` prints."""

    table = "table"
    markdown = "markdown"
    json = "json"
    csv = "csv"


@command
def report(
    run: RunArgument,
    style: Annotated[Style, typer.Option("--format", help="How to print it.")] = Style.table,
    rating: Annotated[
        str, typer.Option(metavar="METHOD", help="The rating method: trueskill or mean_score.")
    ] = "trueskill",
) -> None:
    """Print the ranking of a run, also while it goes on (deal sets that are whole).

    \b
    Example: croupier report quickstart --format markdown
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import report as reports
    from harness.analysis.frames import open_run

    found = reports.build(open_run(find_run(run)), rating)
    if style is Style.table:
        from harness.report import terminal

        terminal.show(found, console())
    else:
        typer.echo(reports.render(found, style.value), nl=False)


@command
def verify(run: RunArgument) -> None:
    """Check a run's files: whole, each match once, deal sets complete; print its digest.

    \b
    Example: croupier verify quickstart
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness.store.verify import verify as verified

    found = verified(find_run(run))
    for line in found.lines:
        typer.echo(line)
    if not found.ok:
        raise typer.Exit(LEFT_OPEN)


@command
def replay(
    run: RunArgument,
    match_id: Annotated[str, typer.Argument(metavar="MATCH_ID", help="As in the column match_id.")],
) -> None:
    """Play a stored match again, move by move, and check that it ends as it is stored.

    \b
    Example: croupier replay quickstart 000001-000001-01
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import store
    from harness.analysis.frames import NoRun
    from harness.analysis.replaying import WrongRecord, game_of

    try:
        record = store.find_match(find_run(run), match_id)
    except KeyError as error:
        raise NoRun(error.args[0]) from None
    game = game_of(record)
    try:
        narrate(record, game)
    except WrongRecord as error:
        say(f"croupier: {match_id} is not what its moves lead to: {error}")
        raise typer.Exit(LEFT_OPEN) from None


def narrate(record: MatchRecord, game: Game[Any, Any]) -> None:
    """Print a match in words; raises WrongRecord where its moves lead elsewhere than is stored."""
    from harness.analysis.replaying import steps
    from harness.cli import words

    for line in words.heading(record, game):
        typer.echo(line)
    names = [seat.bot.name for seat in record.seats]
    for step in steps(record, game):
        tell(words.turn(step.turn, names), words.INDENT)
        for line in words.faults(record, step.turn.n):
            typer.echo(line)
    for line in words.ending(record):
        typer.echo(line)
    typer.echo("The moves lead to the stored result.")


def add_to(app: typer.Typer) -> None:
    """Put these commands into `app`."""
    app.command(short_help="Print the ranking of a run, also while it goes on.")(report)
    app.command(short_help="Check a run's files and print its digest.")(verify)
    app.command(short_help="Play a stored match again and check it.")(replay)
