"""What a page says of a game from its standings: the ranking, who came out ahead of whom, the seats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from harness import ratings
from harness.analysis.seats import uneven
from harness.analysis.standings import BotStanding, GameStandings, PairStanding
from harness.analysis.words import P_MEANS
from harness.report.columns import bounds, chance, milliseconds, number, with_error

_SQUARE: Final = 24
"""Bots of a heat map, at most."""


def rating_title(by: str) -> str:
    """What the ranking's rating is called."""
    return ratings.method(by).TITLE.split(" ")[0]


def ranking(found: GameStandings) -> list[dict[str, Any]]:
    """A row for every bot, the best first."""
    return [_bot(bot, found, n) for n, bot in enumerate(found.bots)]


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
        "strength_text": f"{bot.strength:+.0f}"
        + (f" ± {(interval[1] - interval[0]) / 2:.0f}" if interval else ""),
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


def _interval(bot: BotStanding) -> tuple[float, float] | None:
    return bot.strength_interval if math.isfinite(bot.strength_error) else None


def scale(bots: Sequence[BotStanding]) -> tuple[float, float]:
    """The least and the greatest strength that the ranking's bars have room for, 0 among them."""
    ends = [end for bot in bots for end in (_interval(bot) or (bot.strength, bot.strength))]
    return (min([*ends, 0.0]), max([*ends, 0.0]))


def ranking_note(found: GameStandings) -> str:
    """What the ranking's columns mean."""
    return (
        f"Rank: by {ratings.method(found.by).TITLE}; beside it, between which ranks "
        "the bot is, at 95 % confidence for all bots together; a line parts groups whose order is proved. "
        f"{P_MEANS} Strength: Plackett–Luce, in Elo points against the average bot, whatever the order of "
        "matches; its interval is over deals. Score %: share of opposing sides beaten, a tie counting half. "
        "Win: first place, shared with no opposing side. Mean score: points a seat ± standard error over "
        "deals. CPU: a match's mean time of a decision, over matches."
    )


def heat(found: GameStandings, basis: str) -> dict[str, Any] | None:
    """Who came out ahead of whom, a row and a column a bot; None where no two have met."""
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


def _bounds(low: float, high: float) -> str:
    return "" if math.isnan(low) else f" ({100 * low:.1f} to {100 * high:.1f})"


def seats(found: GameStandings) -> list[dict[str, Any]]:
    """How each seat fared."""
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


def seats_caption(found: GameStandings, basis: str) -> str:
    """What the table of seats shows, and from which matches."""
    source = (
        "matches of bots against themselves, which speak for the seats alone"
        if found.seats.mirrored
        else f"all {basis}; who sits there matters too"
    )
    return (
        "Each seat's view: per cent of opposing seats that it came out ahead of, a tie counting half, "
        f"from {source}."
    )
