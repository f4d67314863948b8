"""Commands that read what a run has written: report, verify, replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import LEFT_OPEN, UsageProblem, command, console, find_run, say, tell
from harness.cli.running import wrapped

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
        str,
        typer.Option(metavar="METHOD", help="The rating method: trueskill, plackett_luce or mean_score."),
    ] = "trueskill",
    html: Annotated[
        bool, typer.Option("--html", help="Write RUN/report.html, with replays, and print where it is.")
    ] = False,
    show: Annotated[bool, typer.Option("--open", help="Write the page and open it in a browser.")] = False,
) -> None:
    """Print the ranking of a run, also while it goes on (deal sets that are whole).

    \b
    Example: croupier report quickstart --html --open
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import report as reports
    from harness.analysis.frames import open_run

    opened = open_run(find_run(run))
    found = reports.build(opened, rating)
    if html or show:
        path = reports.write_page(opened, found)
        typer.echo(path)
        if show:
            typer.launch(str(path.resolve()))
    elif style is Style.table:
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
    html: Annotated[
        bool, typer.Option("--html", help="Write a page that draws the table, and print where it is.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The page's place. [default: RUN/replays/MATCH_ID.html]"),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Write the page and open it in a browser.")] = False,
) -> None:
    """Play a stored match again, move by move, and check that it ends as it is stored.

    In a terminal step with the arrow keys; elsewhere every move is a line of text.

    \b
    Example: croupier replay quickstart 000001-000001-01 --html --open
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import store
    from harness.analysis.frames import NoRun
    from harness.analysis.replaying import game_of
    from harness.cli import stepping
    from harness.players import output
    from harness.store.reading import steady

    folder = find_run(run)
    # A page is put in the place of what is there, which must not be a device or a folder.
    if out is not None and (out.is_dir() or (out.exists() and not out.is_file())):
        raise UsageProblem(f"--out {out}: expected a file, got {'a folder' if out.is_dir() else 'a device'}")
    try:
        record = store.find_match(folder, match_id)
    except KeyError as error:
        one = steady(lambda: next(store.open(folder).records(), None))
        hint = f"; there is {one.spec.id}, and the column match_id has all" if one else ": it has none yet"
        raise NoRun(f"{error.args[0]}{hint}") from None
    if html or show or out is not None:
        wrong = _page(record, folder, out, show=show)
    elif stepping.possible():
        from harness.replay.film import film

        shown = film(record, game_of(record))
        stepping.step(shown, output.kept(folder / "logs", record))
        wrong = shown.wrong
    else:
        wrong = _told(record, output.kept(folder / "logs", record))
    if wrong:
        say(f"croupier: {match_id} is not what its moves lead to: {wrong}")
        raise typer.Exit(LEFT_OPEN)


def _page(record: MatchRecord, folder: Path, out: Path | None, *, show: bool) -> str:
    """Write a match's page and say where; what is wrong with the match."""
    from harness.players import output
    from harness.replay import page

    path = out or page.place(folder, record.spec.id)
    printed = output.kept(folder / "logs", record)
    wrong = page.write(record, path, page.origin(folder, record.spec.id), printed).wrong
    typer.echo(path)
    if show:
        typer.launch(str(path.resolve()))
    return wrong


def _told(record: MatchRecord, printed: Mapping[int, Sequence[str]]) -> str:
    """Print a match, and what its bots printed; what is wrong with it."""
    from harness.analysis.replaying import WrongRecord, game_of
    from harness.cli import words

    try:
        narrate(record, game_of(record))
    except WrongRecord as error:
        return str(error)
    for line in words.output(record, printed):
        typer.echo(line)
    return ""


def narrate(record: MatchRecord, game: Game[Any, Any]) -> None:
    """Print a match in words; raises WrongRecord where its moves lead elsewhere than is stored."""
    from harness.analysis.replaying import steps
    from harness.cli import words

    for line in wrapped(words.heading(record, game), stderr=False):
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
    app.command(short_help="Step through a stored match, in the terminal or as a page.")(replay)
