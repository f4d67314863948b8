"""One game's part of a page, from its matches and its standings; and the replays that it leads to."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from harness import pages
from harness.analysis.frames import Run
from harness.analysis.replaying import replayable
from harness.analysis.tables import Table
from harness.formats import Summary
from harness.report import aggregates, drawings, standing_parts
from harness.report.columns import own_numbers
from harness.report.interesting import Pointed, interesting
from harness.report.model import Standings
from harness.wording import counted


@dataclass
class Links:
    """Which matches a page leads to; their replays are written beside it."""

    wanted: list[str] = field(default_factory=list)

    def to(self, table: Table, match_id: str, at: int = 0) -> dict[str, str]:
        """A link to a replay, opened after `at` moves; none where the game is not installed here."""
        if not replayable(table.game, table.rules):
            return {"id": match_id, "href": ""}
        if match_id not in self.wanted:
            self.wanted.append(match_id)
        return {"id": match_id, "href": f"replays/{match_id}.html#{at}"}


@dataclass(frozen=True)
class Part:
    """One game's part of a page, ready to be put into it."""

    id: str
    title: str
    rules: str
    basis: str
    sentences: tuple[str, ...]
    order: str
    warnings: tuple[str, ...]
    rating: str
    bots: list[dict[str, Any]]
    scale: tuple[float, float]
    ranking_basis: str
    ranking_note: str
    heat: dict[str, Any] | None
    progress: dict[str, Any] | None
    spreads: dict[str, Any] | None
    seats: list[dict[str, Any]]
    seats_caption: str
    cpu: dict[str, Any] | None
    faults: list[dict[str, Any]]
    faults_caption: str
    pointed: list[dict[str, Any]]
    summaries: Sequence[Summary] = ()


def part(run: Run, table: Table, standings: Standings, links: Links, place: int) -> Part:
    """Everything about one game, the `place`-th of the page."""
    found = standings.found
    ident = f"game-{place}"
    ranked = [bot.label for bot in found.bots]
    number_of = {entrant: index for index, entrant in enumerate(table.entrants)}
    order = [number_of[bot.entrant] for bot in found.bots]
    basis = (
        f"{counted(found.matches, 'match', 'matches')} in {counted(found.sets, 'deal set')} "
        f"of {counted(found.deals, 'deal')}"
    )
    strengths = {bot.entrant: bot.ratings[found.by].value for bot in found.bots}
    names = {bot.entrant: bot.label for bot in found.bots}
    labels = [names.get(entrant, str(entrant)) for entrant in table.entrants]
    heights = [strengths.get(entrant, math.nan) for entrant in table.entrants]
    return Part(
        id=ident,
        title=found.game,
        rules=pages.shown(found.rules),
        basis=f"{table.seats} seats, {basis}",
        sentences=found.sentences,
        order=found.order,
        warnings=found.warnings,
        rating=standing_parts.rating_title(found.by),
        bots=standing_parts.ranking(found),
        scale=standing_parts.scale(found.bots),
        ranking_basis=f"Each bot's view; {basis}.",
        ranking_note=standing_parts.ranking_note(found),
        heat=standing_parts.heat(found, basis),
        progress=drawings.progress(ident, table, order, ranked, basis),
        spreads=drawings.spreads(ident, table, order, ranked, basis),
        seats=standing_parts.seats(found),
        seats_caption=standing_parts.seats_caption(found, basis),
        cpu=drawings.cpu(ident, run, table, order, ranked, basis),
        faults=_faults(table, labels, links),
        faults_caption=_faults_caption(table, basis),
        pointed=[_pointed(run, table, one, links) for one in interesting(run, table, heights, labels)],
        summaries=[found for found in (standings.summary, own_numbers(standings)) if found is not None],
    )


def _faults(table: Table, labels: Sequence[str], links: Links) -> list[dict[str, Any]]:
    return [
        {
            "label": one.label,
            "kind": one.kind,
            "forfeits": f"{one.forfeits:,}",
            "late": f"{one.late:,}",
            "matches": f"{one.matches:,}",
            "links": [links.to(table, match_id) for match_id in one.examples],
        }
        for one in aggregates.faults(table, labels)
    ]


def _faults_caption(table: Table, basis: str) -> str:
    if not (table.fault != "").any():
        return f"No bot failed; {basis}."
    return (
        f"Each bot's view: matches with a fault of that kind, its first one there; {basis}. A fault after "
        "the end changes no result."
    )


def _pointed(run: Run, table: Table, one: Pointed, links: Links) -> dict[str, Any]:
    ids = [match_id for match_id in (one.match_id, one.other) if match_id]
    return {
        "title": one.title,
        "text": one.text,
        "links": [links.to(table, match_id, one.at) for match_id in ids],
        "command": f"croupier replay {shlex.quote(run.name)} {one.match_id}",
    }
