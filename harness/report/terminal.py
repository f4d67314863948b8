"""A report as tables for a terminal; on narrow ones the less important columns make room."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.analysis.overall import Overall
from harness.formats import Summary
from harness.report.columns import (
    COLUMNS,
    OVERALL,
    Column,
    basis,
    conditions,
    forfeits,
    heading,
    legend,
    overall_notes,
    overall_rows,
    own_numbers,
    rating_note,
)
from harness.report.model import Report, Standings


def show(report: Report, console: Console) -> None:
    """Print the whole report."""
    console.print(f"[bold]{escape(report.run)}[/]", highlight=False)
    for condition in conditions(report):
        console.print(escape(condition), highlight=False)
    for warning in report.warnings:
        console.print(f"Note: {escape(warning)}", highlight=False)
    if not report.standings:
        console.print("No deal set is finished yet.")
        return
    if report.overall is not None:
        show_overall(report.overall, console)
    for standings in report.standings:
        console.print()
        console.print(f"[bold]{escape(heading(standings))}[/]: {basis(standings)}", highlight=False)
        for sentence in standings.found.sentences:
            console.print(escape(sentence), highlight=False)
        console.print(table(standings, console.width))
        for note in forfeits(standings):
            console.print(escape(note), highlight=False)
        console.print(f"[dim]{escape(rating_note(standings))}.[/]", highlight=False)
        if standings.summary is not None:
            show_summary(standings.summary, console)
        if (numbers := own_numbers(standings)) is not None:
            show_summary(numbers, console)
    shown = [column for standings in report.standings for column in fitting(standings, console.width)]
    console.print(f"\n[dim]{legend(shown)}[/]", highlight=False)


def show_overall(found: Overall, console: Console) -> None:
    """Print the ranking over all games; games that do not fit into the line follow in tables of their own."""
    titles = (*OVERALL, *(f"{game} %" for game in found.games))
    rows = overall_rows(found)
    widths = [max(map(len, cells)) + 2 for cells in zip(titles, *rows, strict=True)]
    bot = OVERALL.index("Bot")
    columns = list(range(len(OVERALL)))
    console.print("\n[bold]Over all games[/]", highlight=False)
    for game in range(len(OVERALL), len(titles)):
        if len(columns) > 1 and sum(widths[n] for n in (*columns, game)) - 2 > console.width:
            _print_columns(columns, titles, rows, console)
            console.print()
            columns = [bot]
        columns.append(game)
    _print_columns(columns, titles, rows, console)
    for note in overall_notes(found):
        console.print(f"[dim]{escape(note)}[/]", highlight=False)


def _print_columns(
    columns: Sequence[int], titles: Sequence[str], rows: Sequence[Sequence[str]], console: Console
) -> None:
    shown = Table(
        box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold"
    )
    for n in columns:
        shown.add_column(titles[n], overflow="fold")
    for row in rows:
        shown.add_row(*(escape(row[n]) for n in columns))
    console.print(shown)


def show_summary(summary: Summary, console: Console) -> None:
    """Print standings of the format's own; cells that are too long for the line go on in the next."""
    console.print(f"\n[bold]{escape(summary.title)}[/]", highlight=False)
    shown = Table(
        box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold"
    )
    for title in summary.columns:
        shown.add_column(escape(title))
    for row in summary.rows:
        shown.add_row(*map(escape, row))
    console.print(shown)
    for note in summary.notes:
        console.print(f"[dim]{escape(note)}[/]", highlight=False)


def table(standings: Standings, width: int) -> Table:
    """A ranking that fits into `width` characters, as far as its columns that always stay allow."""
    columns = fitting(standings, width)
    shown = Table(
        box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold"
    )
    for column in columns:
        # Names go on in the next line before numbers are cut.
        shown.add_column(
            column.title,
            justify="left" if column.left else "right",
            no_wrap=not column.left,
            overflow="fold",
        )
    for line in standings.lines:
        shown.add_row(*(escape(column.cell(line)) for column in columns))
    return shown


def fitting(standings: Standings, width: int) -> Sequence[Column]:
    """The columns that fit; those that can be spared most go first."""
    columns = list(COLUMNS)
    while wide(columns, standings) > width and any(column.spare for column in columns):
        columns.remove(max(columns, key=lambda column: column.spare))
    return columns


def wide(columns: Sequence[Column], standings: Standings) -> int:
    """How many characters a table of these columns takes: two between columns."""
    cells = [[len(c.title), *(len(c.cell(line)) for line in standings.lines)] for c in columns]
    return sum(map(max, cells)) + 2 * (len(columns) - 1)
