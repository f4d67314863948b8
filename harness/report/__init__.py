"""Rankings for people and programs: `render(build(run), "markdown")`, `write(folder)`.

The tables are made once, as values (`model`); how they look is a module each.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engines.core.errors import choices_hint
from harness.analysis.frames import Run, open_run
from harness.durable import replace, sync, write_text
from harness.report import data, markdown
from harness.report.model import Line, Report, Standings, build

__all__ = ["FORMATS", "Line", "Report", "Standings", "build", "render", "write", "write_page"]

FORMATS: dict[str, Callable[[Report], str]] = {
    "markdown": markdown.text,
    "json": data.json_text,
    "csv": data.csv_text,
}
"""What `render` can make of a report; the terminal's table is in `terminal`."""


def render(report: Report, style: str) -> str:
    """The report as text in one of FORMATS; raises ValueError for another style."""
    if style not in FORMATS:
        raise ValueError(f"unknown format {style!r}, {choices_hint(style, FORMATS)}")
    return FORMATS[style](report)


def write_page(run: Run, report: Report) -> Path:
    """Write `report.html`, and the replays that it links to, into the run's folder; the page's path."""
    from harness.report import html  # brings the plotting library

    return html.write(run, report)


def write(folder: Path) -> Report:
    """Write `report.md` and `standings.parquet` into a run's folder, each wholly or not at all."""
    report = build(open_run(folder))
    temporary = folder / ".standings.parquet.tmp"
    data.frame(report).to_parquet(temporary, index=False)
    sync(temporary)
    replace(temporary, folder / "standings.parquet")
    write_text(folder / "report.md", markdown.text(report))
    return report
