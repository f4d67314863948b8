"""A report as Markdown, for pull requests and pages."""

from __future__ import annotations

from collections.abc import Sequence

from harness.report.columns import (
    COLUMNS,
    LEGEND,
    Column,
    basis,
    conditions,
    forfeits,
    heading,
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
    for standings in report.standings:
        blocks += _standings(standings)
    return "\n\n".join(blocks) + "\n"


def _standings(standings: Standings) -> list[str]:
    blocks = [f"## {heading(standings)}", f"{basis(standings)}.  \n{rating_note(standings)}."]
    blocks += [table(COLUMNS, standings), LEGEND]
    if found := forfeits(standings):
        blocks.append(_listed(found))
    return blocks


def table(columns: Sequence[Column], standings: Standings) -> str:
    """A ranking as a pipe table whose source is readable too."""
    rows = [[escaped(column.cell(line)) for column in columns] for line in standings.lines]
    titles = [column.title for column in columns]
    widths = [max(map(len, cells)) for cells in zip(titles, *rows, strict=True)]
    rule = [
        ":" + "-" * (width - 1) if column.left else "-" * (width - 1) + ":"
        for column, width in zip(columns, widths, strict=True)
    ]
    lines = [_row(columns, widths, titles), "| " + " | ".join(rule) + " |"]
    return "\n".join(lines + [_row(columns, widths, row) for row in rows])


def _row(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    padded = [
        cell.ljust(width) if column.left else cell.rjust(width)
        for column, width, cell in zip(columns, widths, cells, strict=True)
    ]
    return "| " + " | ".join(padded) + " |"


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def escaped(cell: str) -> str:
    """Text that means itself within a table."""
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("_", "\\_").replace("*", "\\*")
