"""A report as one self-contained page: it works offline, on a phone, in print, in light and dark.

What is shown is worked out in `parts`, as texts; the page (page.html) only puts them where they belong.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from harness import pages, store
from harness.analysis.frames import Run
from harness.analysis.overall import Overall
from harness.analysis.standings import GameStandings
from harness.analysis.tables import Table
from harness.replay import page as replays
from harness.report import again
from harness.report.columns import number
from harness.report.model import Report
from harness.report.parts import Links, Part, part
from harness.store.parts import write_text

HERE: Final = Path(__file__).parent
FILE: Final = "report.html"
LINKED: Final = 24
"""Matches whose replays are written beside a page, at most."""


class Source(NamedTuple):
    """What one game's part of a page is made from."""

    table: Table
    standings: GameStandings


def write(run: Run, report: Report, sources: Sequence[Source], overall: Overall | None) -> Path:
    """Write `report.html` and the replays that it links to into the run's folder; the page's path."""
    links = Links(run.folder)
    parts = [
        part(run, source.table, source.standings, links, place)
        for place, source in enumerate(sources, start=1)
    ]
    for match_id in links.wanted[:LINKED]:
        record = store.find_match(run.folder, match_id)
        replays.write(record, replays.place(run.folder, match_id), replays.origin(run.folder, match_id))
    again.write(run)
    path = run.folder / FILE
    write_text(path, text(run, report, parts, overall))
    return path


def text(run: Run, report: Report, parts: Sequence[Part], overall: Overall | None) -> str:
    """The page; links lead to replays beside it."""
    games = f"{len(parts)} games, " if len(parts) > 1 else ""
    unfinished = "" if report.complete else f" of {report.planned:,} planned: the run is not finished"
    values = {
        "run": report.run,
        "lead": f"{games}{report.matches:,} matches{unfinished}",
        "warnings": [one for one in report.warnings if not _told(one, parts)],
        "parts": parts,
        "overall": None if overall is None else _overall(overall, report.matches),
        "conditions": conditions(run, report),
        "entrants": [
            (bot["name"], bot["version"], bot.get("kind", ""), pages.shown(bot.get("options", {})))
            for bot in run.provenance.get("bots", [])
        ],
        "digest": report.digest,
        "commands": (
            f"croupier run {again.FILE} --out ../{report.run}-again\n"
            f"croupier verify ../{report.run}-again"
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
    versions = origin.get("versions", {})
    rows = [
        ("matches", f"{report.matches:,}" + ("" if report.planned is None else f" of {report.planned:,}")),
        ("format", report.format),
        ("seed", "-" if report.seed is None else str(report.seed)),
        ("limits", report.limits or "none"),
        ("isolation", report.isolation),
        ("void tries", f"{report.voids:,}, which were the platform's fault and count for nobody"),
        ("digest", report.digest),
        ("games", ", ".join(f"{g['name']} version {g['version']}" for g in origin.get("games", []))),
        ("platform", _listed(origin.get("platform", ""))),
        ("versions", _listed(versions)),
        ("commit", str(origin.get("commit", origin.get("git", "")) or "")),
        ("intervals", "95 %, over deals: matches of one deal are one observation"),
        ("self-play", _self_play(report)),
    ]
    return [(name, value) for name, value in rows if value]


def _listed(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items() if item)
    return str(value)


def _self_play(report: Report) -> str:
    alike = [one.bot.name for one in report.self_play if one.first is None]
    return f"reproducible, played twice against themselves: {', '.join(dict.fromkeys(alike))}" if alike else ""


def _overall(found: Overall, matches: int) -> dict[str, Any]:
    columns = [("Rank", False), ("Bot", True), ("Share % (95 %)", False), ("Best", False)]
    columns += [(f"{game} %", False) for game in found.games]
    rows = []
    for bot in found.bots:
        low, high = (number(100 * end, 1) for end in bot.interval)
        cells = [
            (f"{bot.rank} ({between(bot.ranks)})", bot.rank, False),
            (bot.label, bot.label, True),
            (f"{100 * bot.share:.1f} ({low} to {high})", bot.share, False),
            (f"{number(100 * bot.best, 0)} %", bot.best, False),
        ]
        cells += [(f"{100 * share:.1f}", share, False) for share in bot.by_game]
        rows.append(cells)
    told = [f"Order over all games: {found.order}."]
    if found.left_out:
        told.append(f"Left out, because they did not play every game: {', '.join(found.left_out)}.")
    return {
        "sentences": told,
        "caption": f"Each bot's view: {found.method}; {matches:,} matches of {len(found.games)} games.",
        "columns": columns,
        "rows": rows,
    }


def between(ranks: tuple[int, int]) -> str:
    """`2`, or `1 to 4`."""
    return f"{ranks[0]}" if ranks[0] == ranks[1] else f"{ranks[0]} to {ranks[1]}"


