"""What a page draws of a game from its matches: strengths over deals, scores, CPU time, with its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from harness.analysis.frames import Run
from harness.analysis.tables import Table
from harness.report import aggregates, charts
from harness.report.columns import milliseconds
from harness.store.reading import steady

_MOST: Final = 24
"""Bots in one drawing, at most."""


def progress(
    ident: str, table: Table, order: Sequence[int], ranked: Sequence[str], basis: str
) -> dict[str, Any] | None:
    """Every bot's strength after so many deals; None where there is nothing to draw."""
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


def spreads(
    ident: str, table: Table, order: Sequence[int], ranked: Sequence[str], basis: str
) -> dict[str, Any] | None:
    """How often every bot's seats had which score; None where nobody plays."""
    if not order:
        return None
    found = aggregates.scores(table, order[:_MOST], ranked[:_MOST])
    means = ", ".join(f"{one.label} median {charts.quantile(one.scores, one.counts, 0.5):g}" for one in found)
    return {
        "drawing": charts.spreads(f"{ident}-s", found),
        "text": f"Distribution of scores: {means}",
        "caption": f"Each bot's view: how often its seats had which score, in the game's points; {basis}.",
    }


def cpu(
    ident: str, run: Run, table: Table, order: Sequence[int], ranked: Sequence[str], basis: str
) -> dict[str, Any] | None:
    """Every bot's CPU time of a decision, drawn and in numbers; None where none was measured."""
    found = aggregates.times(table, order, ranked)
    if not found:
        return None
    single = {one.label: one for one in steady(lambda: aggregates.decisions(run, table, order, ranked))}
    rows = []
    for one in found:
        row = [one.label, *map(milliseconds, (one.p50, one.p95, one.longest))]
        if single:
            own = single.get(one.label)
            row += (
                [milliseconds(own.p50), milliseconds(own.p95), f"{own.count:,}"] if own else ["-", "-", "-"]
            )
        rows.append(row)
    drawn = [one for one in found[:_MOST] if one.p50 > 0]
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
