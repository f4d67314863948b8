"""A report for programs: JSON with everything, CSV and a frame with one row a bot and game."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from harness.analysis.overall import Overall
from harness.analysis.seats import SeatLine
from harness.analysis.standings import PairStanding
from harness.report import frame_columns as columns
from harness.report.model import Line, Report, Standings


def json_text(report: Report) -> str:
    """Everything in the report as JSON; numbers that are not known are null."""
    data = {
        "run": report.run,
        "digest": report.digest,
        "complete": report.complete,
        "matches": report.matches,
        "planned": report.planned,
        "voids": report.voids,
        "void_causes": dict(report.void_causes),
        "seed": report.seed,
        "format": report.format,
        "limits": report.limits,
        "isolation": report.isolation,
        "warnings": list(report.warnings),
        "suspensions": [
            {**stop._asdict(), "game": stop.game.name, "rules": json.loads(stop.game.rules)}
            for stop in report.suspensions
        ],
        "self_play": [one.data() for one in report.self_play],
        "standings": [_standings(standings) for standings in report.standings],
        "overall": None if report.overall is None else _overall(report.overall),
    }
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def csv_text(report: Report) -> str:
    """One row a bot and game, with a heading; unknown numbers are empty."""
    rows = records(report.standings)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else ["game"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def frame(report: Report) -> pd.DataFrame:
    """The same rows as `standings.parquet` has them."""
    return columns.frame(columns.STANDINGS, records(report.standings))


def records(found: Iterable[Standings]) -> list[dict[str, Any]]:
    """One flat record a bot and game."""
    return [
        {
            "game": standings.game,
            "rules": standings.rules,
            **{key: value for key, value in _line(line).items() if key != "forfeits"},
            "forfeits": sum(line.statistics.forfeits.values()),
            "forfeit_kinds": json.dumps(dict(line.statistics.forfeits)),
            "rating_method": standings.rating,
        }
        for standings in found
        for line in standings.lines
    ]


def _standings(standings: Standings) -> dict[str, Any]:
    return {
        "game": standings.game,
        "rules": json.loads(standings.rules),
        "seats": standings.seats,
        "matches": standings.found.matches,
        "sets": standings.found.sets,
        "deals": standings.found.deals,
        "sentences": list(standings.found.sentences),
        "order": standings.found.order,
        "warnings": list(standings.found.warnings),
        "rating": {
            "method": standings.rating,
            "meaning": standings.rating_title,
            **standings.rating_details,
        },
        "bots": [{**_line(line), "ratings": _ratings(line)} for line in standings.lines],
        "pairs": [_pair(pair) for pair in standings.found.pairs],
        "seat_results": {
            "from": "matches of bots against themselves" if standings.found.seats.mirrored else "all matches",
            "seats": [_seat(line) for line in standings.found.seats.lines],
        },
        "summary": None if standings.summary is None else standings.summary._asdict(),
        "own_numbers": [
            {"bot": entrant.bot, "version": entrant.version, "means": dict(own)}
            for entrant, own in sorted(standings.numbers.items())
        ],
    }


def _ratings(line: Line) -> dict[str, Any]:
    """By every method."""
    return {
        method: {"value": known(rating.value), "error": known(rating.error)}
        for method, rating in line.standing.ratings.items()
    }


def pair_records(standings: Standings) -> list[dict[str, Any]]:
    """One flat record for every two bots of a game, as frames have them."""
    return [
        {"game": standings.game, "rules": standings.rules, **_pair(pair)} for pair in standings.found.pairs
    ]


def _pair(pair: PairStanding) -> dict[str, Any]:
    return {
        "better": pair.better.bot,
        "better_version": pair.better.version,
        "worse": pair.worse.bot,
        "worse_version": pair.worse.version,
        "difference": known(pair.difference),
        "difference_error": known(pair.error),
        "p": known(pair.p),
        "proved": pair.proved,
        "more_sets": pair.more_sets,
        "matches": pair.matches,
        "sets": pair.sets,
        "share": known(pair.share),
        "share_low": known(pair.share_interval[0]),
        "share_high": known(pair.share_interval[1]),
    }


def _seat(line: SeatLine) -> dict[str, Any]:
    return {
        "seat": line.seat,
        "matches": line.matches,
        "share": known(line.share.value),
        "share_low": known(line.share.low),
        "share_high": known(line.share.high),
        "score": known(line.score.value),
        "score_error": known(line.score.error),
        "p": known(line.p),
    }


def _overall(found: Overall) -> dict[str, Any]:
    return {
        "method": found.method,
        "games": list(found.games),
        "order": found.order,
        "left_out": list(found.left_out),
        "bots": [
            {
                "rank": bot.rank,
                "rank_low": bot.ranks[0],
                "rank_high": bot.ranks[1],
                "bot": bot.entrant.bot,
                "version": bot.entrant.version,
                "group": bot.group,
                "best": known(bot.best),
                "share": known(bot.share),
                "share_low": known(bot.interval[0]),
                "share_high": known(bot.interval[1]),
                "by_game": dict(zip(found.games, bot.by_game, strict=True)),
            }
            for bot in found.bots
        ],
    }


def _line(line: Line) -> dict[str, Any]:
    found = line.statistics
    standing = line.standing
    return {
        "rank": line.rank,
        "rank_low": standing.ranks[0],
        "rank_high": standing.ranks[1],
        "tie_group": standing.group,
        "best": known(standing.best),
        "bot": found.entrant.bot,
        "version": found.entrant.version,
        "rating": known(line.rating.value),
        "rating_error": known(line.rating.error),
        "rating_order": known(line.rating.order),
        "strength": known(standing.strength),
        "strength_error": known(standing.strength_error),
        "strength_low": known(standing.strength_interval[0]),
        "strength_high": known(standing.strength_interval[1]),
        "games": found.games,
        "sets": found.sets,
        "deals": found.score.clusters,
        "score": known(found.score.value),
        "score_error": known(found.score.error),
        "score_low": known(found.score.low),
        "score_high": known(found.score.high),
        "share": known(found.share.value),
        "share_error": known(found.share.error),
        "share_low": known(found.share.low),
        "share_high": known(found.share.high),
        "wins": found.wins,
        "draws": found.draws,
        "losses": found.losses,
        "forfeits": dict(found.forfeits),
        "late_faults": found.late_faults,
        "cpu_ms_p50": known(found.cpu_ms_p50),
        "cpu_ms_p95": known(found.cpu_ms_p95),
        "cpu_ms_max": known(found.cpu_ms_max),
    }


def known(value: float) -> float | None:
    """The number, or None for one that is not known."""
    return value if math.isfinite(value) else None
