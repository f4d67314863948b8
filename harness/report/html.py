"""A report as one self-contained page: it works offline, on a phone, in print, in light and dark.

What is shown is worked out in `parts`, as texts; the page (page.html) only puts them where they belong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from harness import pages, store
from harness.analysis.frames import Run
from harness.analysis.overall import Overall
from harness.durable import write_text
from harness.replay import page as replays
from harness.report import again, figures
from harness.report.columns import OVERALL, overall_notes, overall_rows, seed
from harness.report.model import Report
from harness.report.parts import Links, Part, part

HERE: Final = Path(__file__).parent
FILE: Final = "report.html"


def write(run: Run, report: Report) -> Path:
    """Write `report.html`, its drawings and the replays that it links to into the run's folder; its path."""
    links = Links()
    both = zip(report.standings, report.tables, strict=True)
    parts = [part(run, table, one, links, place) for place, (one, table) in enumerate(both, start=1)]
    for match_id in links.wanted:
        record = store.find_match(run.folder, match_id)
        replays.write(record, replays.place(run.folder, match_id), replays.origin(run.folder, match_id))
    again.write(run)
    figures.write(run.folder, parts)
    path = run.folder / FILE
    write_text(path, text(run, report, parts))
    return path


def text(run: Run, report: Report, parts: Sequence[Part]) -> str:
    """The page; links lead to replays beside it."""
    games = f"{len(parts)} games, " if len(parts) > 1 else ""
    unfinished = "" if report.complete else f" of {report.planned:,} planned: the run is not finished"
    values = {
        "run": report.run,
        "lead": f"{games}{report.matches:,} matches{unfinished}",
        "warnings": [one for one in report.warnings if not _told(one, parts)],
        "parts": parts,
        "overall": None if report.overall is None else _overall(report.overall, report.matches),
        "conditions": conditions(run, report),
        "entrants": [
            (bot["name"], bot["version"], bot.get("kind", ""), pages.shown(bot.get("options", {})))
            for bot in run.provenance.get("bots", [])
        ],
        "digest": report.digest,
        "commands": (
            f"croupier run {again.FILE} --out ../{report.run}-again\ncroupier verify ../{report.run}-again"
        ),
        "config": again.text(run),
    }
    return pages.page(
        "report/page.html",
        page=values,
        style=pages.source(pages.HERE / "theme.css", HERE / "page.css"),
        script=pages.source(HERE / "page.js"),
    )


def _told(warning: str, parts: Sequence[Part]) -> bool:
    """Whether a game's own part says it already."""
    return any(warning.endswith(own) for part in parts for own in part.warnings)


def conditions(run: Run, report: Report) -> list[tuple[str, str]]:
    """Under what conditions everything was played, by name."""
    origin = run.provenance
    sessions = origin.get("sessions", [{}])
    rows = [
        ("matches", f"{report.matches:,}" + ("" if report.planned is None else f" of {report.planned:,}")),
        ("format", report.format),
        ("seed", seed(report)),
        ("limits", report.limits or "none"),
        ("isolation", report.isolation),
        ("void tries", _voids(report)),
        ("digest", report.digest),
        ("games", ", ".join(f"{g['name']} version {g['version']}" for g in origin.get("games", []))),
        ("intervals", "95 %, over deals: the matches of one deal are one observation"),
        ("self-play", _self_play(report)),
        *((f"session {n}", _session(session)) for n, session in enumerate(sessions, start=1)),
    ]
    return [(name, value) for name, value in rows if value]


def _session(session: Mapping[str, Any]) -> str:
    """When, where and with what a run was started or continued."""
    if not session:
        return ""
    packages = ", ".join(f"{name} {version}" for name, version in session.get("packages", {}).items())
    facts = [
        f"{session.get('started', '')} on {session.get('host', '')} ({session.get('platform', '')})",
        f"{session.get('cpus', '?')} CPUs, {session.get('workers', '?')} workers",
        f"executor {session.get('executor', '?')}",
        f"Python {session.get('python', '')}{', compiled' if session.get('compiled') else ', not compiled'}",
        packages,
        f"commit {session['commit']}" if session.get("commit") else "",
    ]
    return "; ".join(fact for fact in facts if fact)


def _voids(report: Report) -> str:
    causes = "; ".join(f"{count}: {why}" for why, count in report.void_causes.items())
    return f"{report.voids:,}, the platform's fault, which count for nobody{f' ({causes})' if causes else ''}"


def _self_play(report: Report) -> str:
    alike = [one.bot.name for one in report.self_play if one.first is None]
    return (
        f"reproducible, played twice against themselves: {', '.join(dict.fromkeys(alike))}" if alike else ""
    )


def _overall(found: Overall, matches: int) -> dict[str, Any]:
    keys = [(b.rank, b.label, b.share, b.best, *b.by_game) for b in found.bots]
    rows = [
        [(cell, key, place == 1) for place, (cell, key) in enumerate(zip(row, own, strict=True))]
        for row, own in zip(overall_rows(found), keys, strict=True)
    ]
    return {
        "sentences": overall_notes(found),
        "caption": f"Each bot's view; {matches:,} matches of {len(found.games)} games.",
        "columns": [(title, title == "Bot") for title in (*OVERALL, *(f"{game} %" for game in found.games))],
        "rows": rows,
    }
