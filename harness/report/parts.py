"""What a page says of one game: texts and drawings, from its matches and its standings."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from harness import pages, ratings
from harness.analysis.frames import Run
from harness.analysis.replaying import replayable
from harness.analysis.seats import uneven
from harness.analysis.standings import BotStanding, GameStandings, PairStanding
from harness.analysis.tables import Table
from harness.formats import Summary
from harness.report import aggregates, charts
from harness.report.columns import bounds, chance, milliseconds, number, own_numbers, with_error
from harness.report.interesting import Pointed, interesting
from harness.report.model import Standings

_Z: Final = 1.96
_SQUARE: Final = 24
"""Bots of a heat map, at most."""
_MATCHES = "{matches:,} matches in {sets:,} deal sets of {deals:,} deals"


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
    basis = _MATCHES.format(matches=found.matches, sets=found.sets, deals=found.deals)
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
        rating=_rating_title(found.by),
        bots=[_bot(bot, found, n) for n, bot in enumerate(found.bots)],
        scale=_scale(found.bots),
        ranking_basis=f"Each bot's view; {basis}.",
        ranking_note=_ranking_note(found),
        heat=_heat(found, basis),
        progress=_progress(ident, table, order, ranked, basis),
        spreads=_spreads(ident, table, order, ranked, basis),
        seats=_seats(found),
        seats_caption=_seats_caption(found, basis),
        cpu=_cpu(ident, run, table, order, ranked, basis),
        faults=_faults(table, labels, links),
        faults_caption=_faults_caption(table, basis),
        pointed=[_pointed(run, table, one, links) for one in interesting(run, table, heights, labels)],
        summaries=[found for found in (standings.summary, own_numbers(standings)) if found is not None],
    )


def _rating_title(by: str) -> str:
    return ratings.method(by).TITLE.split(" ")[0]


def _bot(bot: BotStanding, found: GameStandings, n: int) -> dict[str, Any]:
    own = bot.statistics
    rating = bot.ratings[found.by]
    interval = _interval(bot)
    low, high = bot.ranks
    return {
        "rank": bot.rank,
        "ranks": "" if low == high else bounds(bot.ranks),
        "label": bot.label,
        "version": bot.entrant.version,
        "parted": n > 0 and bot.group != found.bots[n - 1].group,
        "strength": bot.strength,
        "strength_text": f"{bot.strength:+.0f}" + (f" ± {_Z * bot.strength_error:.0f}" if interval else ""),
        "interval": interval,
        "interval_text": ""
        if interval is None
        else f"strength {bot.strength:+.0f}, 95 % interval {interval[0]:+.0f} to {interval[1]:+.0f}",
        "rating": _key(rating.value),
        "rating_text": with_error(rating.value, rating.error, 2),
        "best": _key(bot.best),
        "best_text": chance(bot.best),
        "share": _key(own.share.value),
        "share_text": f"{number(100 * own.share.value, 1)}{_bounds(own.share.low, own.share.high)}",
        "wins": own.wins,
        "results": f"{own.wins:,}/{own.draws:,}/{own.losses:,}",
        "score": _key(own.score.value),
        "score_text": with_error(own.score.value, own.score.error, 3),
        "games": own.games,
        "sets": own.sets,
        "forfeits": sum(own.forfeits.values()),
        "cpu": _key(own.cpu_ms_p50),
        "cpu_text": f"{milliseconds(own.cpu_ms_p50)}/{milliseconds(own.cpu_ms_p95)}",
    }


def _key(value: float) -> float | str:
    """What a column sorts by; nothing where the number is not known."""
    return value if math.isfinite(value) else ""


def _bounds(low: float, high: float) -> str:
    return "" if math.isnan(low) else f" ({100 * low:.1f} to {100 * high:.1f})"


def _interval(bot: BotStanding) -> tuple[float, float] | None:
    if not math.isfinite(bot.strength_error):
        return None
    return bot.strength - _Z * bot.strength_error, bot.strength + _Z * bot.strength_error


def _scale(bots: Sequence[BotStanding]) -> tuple[float, float]:
    ends = [end for bot in bots for end in (_interval(bot) or (bot.strength, bot.strength))]
    return (min([*ends, 0.0]), max([*ends, 0.0]))


def _ranking_note(found: GameStandings) -> str:
    return (
        f"Rank: by {ratings.method(found.by).TITLE}; beside it, between which ranks "
        "the bot is, 95 % sure for all bots together; a line parts groups whose order is proved. Strength: "
        "Plackett–Luce, in Elo points against the average bot, whatever the order of matches; its interval "
        "is over deals. Score %: share of opposing sides beaten, a tie counting half. Win: first place, "
        "shared with no opposing side. Mean score: points a seat ± standard error over deals. CPU: a match's "
        "mean time of a decision, over matches."
    )


def _heat(found: GameStandings, basis: str) -> dict[str, Any] | None:
    if len(found.bots) < 2 or not any(pair.matches for pair in found.pairs):
        return None
    shown = found.bots[:_SQUARE]
    pairs = {(pair.better, pair.worse): pair for pair in found.pairs}
    rows = []
    for bot in shown:
        cells = []
        for other in shown:
            pair, turned = pairs.get((bot.entrant, other.entrant)), False
            if pair is None:
                pair, turned = pairs.get((other.entrant, bot.entrant)), True
            cells.append(None if pair is None or not pair.matches else _cell(bot, other, pair, turned=turned))
        rows.append({"label": bot.label, "cells": cells})
    more = f" The first {_SQUARE} of {len(found.bots)} bots." if len(found.bots) > _SQUARE else ""
    return {
        "labels": [bot.label for bot in shown],
        "rows": rows,
        "caption": (
            "The row's view: per cent of its direct meetings with the column's bot in which it came out "
            f"ahead, a tie counting half; below, in how many matches they met. All in all {basis}.{more}"
        ),
    }


def _cell(bot: BotStanding, other: BotStanding, pair: PairStanding, *, turned: bool) -> dict[str, Any]:
    share = 1 - pair.share if turned else pair.share
    low, high = pair.share_interval
    if turned:
        low, high = 1 - high, 1 - low
    return {
        "percent": f"{100 * share:.0f} %",
        "count": f"n = {pair.matches:,}",
        "heat": f"{min(72, abs(share - 0.5) * 144):.0f}",
        "side": "over" if share >= 0.5 else "under",
        "title": (
            f"{bot.label} against {other.label}: {100 * share:.1f} %{_bounds(low, high)} of "
            f"{pair.matches:,} matches, {pair.sets:,} deal sets"
        ),
    }


def _progress(
    ident: str, table: Table, order: Sequence[int], ranked: Sequence[str], basis: str
) -> dict[str, Any] | None:
    shown = order[: charts.COLOURS]
    lines = aggregates.strengths_over_deals(table, shown, ranked[: charts.COLOURS])
    if not lines:
        return None
    last = ", ".join(f"{line.label} {line.value[-1]:+.0f}" for line in lines)
    more = f" The first {len(shown)} of {len(order)} bots." if len(order) > len(shown) else ""
    return {
        "drawing": charts.progress(f"{ident}-p", lines, "strength, Elo points"),
        "text": f"Strengths after so many deals; at the end {last}",
        "caption": (
            "Each bot's view: its Plackett–Luce strength against the average bot, from the schedule's deals "
            f"so far, with 95 % intervals over deals; at the right end {basis}.{more}"
        ),
    }


def _spreads(
    ident: str, table: Table, order: Sequence[int], ranked: Sequence[str], basis: str
) -> dict[str, Any] | None:
    if not order:
        return None
    found = aggregates.scores(table, order[:_SQUARE], ranked[:_SQUARE])
    means = ", ".join(f"{one.label} median {charts.quantile(one.scores, one.counts, 0.5):g}" for one in found)
    return {
        "drawing": charts.spreads(f"{ident}-s", found),
        "text": f"Distribution of scores: {means}",
        "caption": f"Each bot's view: how often its seats had which score, in the game's points; {basis}.",
    }


def _seats(found: GameStandings) -> list[dict[str, Any]]:
    off = {line.seat for line in uneven(found.seats)}
    return [
        {
            "seat": line.seat,
            "share": number(100 * line.share.value, 1),
            "interval": "-"
            if math.isnan(line.share.low)
            else f"{100 * line.share.low:.1f} to {100 * line.share.high:.1f}",
            "score": with_error(line.score.value, line.score.error, 3),
            "matches": f"{line.matches:,}",
            "uneven": line.seat in off,
        }
        for line in found.seats.lines
    ]


def _seats_caption(found: GameStandings, basis: str) -> str:
    source = (
        "matches of bots against themselves, which speak for the seats alone"
        if found.seats.mirrored
        else f"all {basis}; who sits there matters too"
    )
    return (
        "Each seat's view: per cent of opposing seats that it came out ahead of, a tie counting half, "
        f"from {source}."
    )


def _cpu(
    ident: str, run: Run, table: Table, order: Sequence[int], ranked: Sequence[str], basis: str
) -> dict[str, Any] | None:
    found = aggregates.times(table, order, ranked)
    if not found:
        return None
    single = {one.label: one for one in aggregates.decisions(run, table, order, ranked)}
    rows = []
    for one in found:
        row = [one.label, *map(milliseconds, (one.p50, one.p95, one.longest))]
        if single:
            own = single.get(one.label)
            row += (
                [milliseconds(own.p50), milliseconds(own.p95), f"{own.count:,}"] if own else ["-", "-", "-"]
            )
        rows.append(row)
    drawn = [one for one in found[:_SQUARE] if one.p50 > 0]
    told = ", ".join(f"{one.label} median {milliseconds(one.p50)} ms" for one in drawn)
    kept = " Single decisions: over all that were kept, forced moves left out." if single else ""
    return {
        "drawing": charts.times(f"{ident}-c", drawn) if drawn else "",
        "text": f"CPU time of a decision: {told}",
        "single": bool(single),
        "rows": rows,
        "caption": (
            "Each bot's view: p50 and p95 over its matches and seats of the match's mean time of a decision; "
            f"longest: the longest single decision. CPU time, measured; {basis}.{kept}"
        ),
    }


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
