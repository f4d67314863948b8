"""A report for programs: JSON with everything, CSV and a frame with one row a bot and game."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import pandas as pd

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
    }
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def csv_text(report: Report) -> str:
    """One row a bot and game, with a heading; unknown numbers are empty."""
    rows = records(report)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else ["game"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def frame(report: Report) -> pd.DataFrame:
    """The same rows as `standings.parquet` has them."""
    return pd.DataFrame.from_records(records(report))


def records(report: Report) -> list[dict[str, Any]]:
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
        for standings in report.standings
        for line in standings.lines
    ]


def _standings(standings: Standings) -> dict[str, Any]:
    return {
        "game": standings.game,
        "rules": json.loads(standings.rules),
        "seats": standings.seats,
        "matches": standings.matches,
        "sets": standings.sets,
        "deals": standings.deals,
        "rating": {
            "method": standings.rating,
            "meaning": standings.rating_title,
            **standings.rating_details,
        },
        "bots": [_line(line) for line in standings.lines],
        "summary": None if standings.summary is None else standings.summary._asdict(),
    }


def _line(line: Line) -> dict[str, Any]:
    found = line.statistics
    return {
        "rank": line.rank,
        "bot": found.entrant.bot,
        "version": found.entrant.version,
        "rating": known(line.rating.value),
        "rating_error": known(line.rating.error),
        "rating_order": known(line.rating.order),
        "games": found.games,
        "sets": found.sets,
        "deals": found.score.clusters,
        "score": known(found.score.value),
        "score_error": known(found.score.error),
        "share": known(found.share.value),
        "share_error": known(found.share.error),
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
