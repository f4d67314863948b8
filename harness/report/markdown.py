"""A report as Markdown, for pull requests and pages."""

from __future__ import annotations

from collections.abc import Sequence

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


def text(report: Report) -> str:
    """The whole report."""
    blocks = [f"# {report.run}", _listed(conditions(report))]
    if report.warnings:
        blocks.append(_listed([f"**Note**: {warning}" for warning in report.warnings]))
    if not report.standings:
        blocks.append("No deal set is finished yet.")
    if report.overall is not None:
        blocks += _overall(report.overall)
    for standings in report.standings:
        blocks += _standings(standings)
    return "\n\n".join(blocks) + "\n"


def _standings(standings: Standings) -> list[str]:
    blocks = [f"## {heading(standings)}", f"{basis(standings)}.  \n{rating_note(standings)}."]
    blocks.append(_listed([*standings.found.sentences, f"Order: {standings.found.order}"]))
    blocks += [table(COLUMNS, standings), legend(COLUMNS)]
    if found := forfeits(standings):
        blocks.append(_listed(found))
    if standings.summary is not None:
        blocks += _summary(standings.summary)
    if (numbers := own_numbers(standings)) is not None:
        blocks += _summary(numbers)
    return blocks


def _overall(found: Overall) -> list[str]:
    titles = [*OVERALL, *(f"{game} %" for game in found.games)]
    lefts = [title == "Bot" for title in titles]
    rows = [[escaped(cell) for cell in row] for row in overall_rows(found)]
    return ["## Over all games", grid(titles, lefts, rows), "  \n".join(map(escaped, overall_notes(found)))]


def _summary(summary: Summary) -> list[str]:
    """Standings of the format's own."""
    rows = [[escaped(cell) for cell in row] for row in summary.rows]
    lefts = [True] * len(summary.columns)
    titles = [escaped(title) for title in summary.columns]
    return [f"### {summary.title}", grid(titles, lefts, rows), "  \n".join(summary.notes)]


def table(columns: Sequence[Column], standings: Standings) -> str:
    """A ranking as a pipe table whose source is readable too."""
    rows = [[escaped(column.cell(line)) for column in columns] for line in standings.lines]
    return grid([column.title for column in columns], [column.left for column in columns], rows)


def grid(titles: Sequence[str], lefts: Sequence[bool], rows: Sequence[Sequence[str]]) -> str:
    """A pipe table; `lefts` says which columns are set left."""
    widths = [max(map(len, cells)) for cells in zip(titles, *rows, strict=True)]
    rule = [
        ":" + "-" * (width - 1) if left else "-" * (width - 1) + ":"
        for left, width in zip(lefts, widths, strict=True)
    ]
    lines = [_row(lefts, widths, titles), "| " + " | ".join(rule) + " |"]
    return "\n".join(lines + [_row(lefts, widths, row) for row in rows])


def _row(lefts: Sequence[bool], widths: Sequence[int], cells: Sequence[str]) -> str:
    padded = [
        cell.ljust(width) if left else cell.rjust(width)
        for left, width, cell in zip(lefts, widths, cells, strict=True)
    ]
    return "| " + " | ".join(padded) + " |"


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def escaped(cell: str) -> str:
    """Text that means itself within a table."""
    return "".join(f"\\{c}" if c in "\\|_*<[`" else c for c in cell)
