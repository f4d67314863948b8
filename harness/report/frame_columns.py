"""The columns of the frames that are worked out rather than stored: names, types, meanings.

docs/results.md repeats them, and a test holds it to that; what is stored is in `harness.store.schema`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd


class Column(NamedTuple):
    """One column of a frame."""

    name: str
    dtype: str
    doc: str
    unit: str = ""


_GAME: Final = (
    Column("game", "category", "name of the game"),
    Column("rules", "category", "options that differ from the game's defaults, as canonical JSON"),
)

STANDINGS: Final = (
    *_GAME,
    Column("rank", "int64", "1 + the number of bots with a higher rating; equal ratings share a rank"),
    Column(
        "rank_low", "int64", "the best rank it may have, at 95 % confidence for all bots of the game together"
    ),
    Column("rank_high", "int64", "the worst rank it may have, likewise"),
    Column("tie_group", "int64", "from 0; every bot of a group is proved better than those of later groups"),
    Column("best", "float64", "chance of being the best of all"),
    Column("bot", "category", "the bot's name"),
    Column("version", "category", "digest over the bot's files"),
    Column("rating", "float64", "by the method in `rating_method`"),
    Column("rating_error", "float64", "how unsure the rating is, by the method's own lights"),
    Column("rating_order", "float64", "what the ranking goes by"),
    Column(
        "strength", "float64", "Plackett-Luce strength against the average bot, whatever the order", "Elo"
    ),
    Column("strength_error", "float64", "its standard error over deals", "Elo"),
    Column("strength_low", "float64", "lower end of the strength's 95 % interval", "Elo"),
    Column("strength_high", "float64", "upper end of the strength's 95 % interval", "Elo"),
    Column("games", "int64", "matches it played against others", "matches"),
    Column("sets", "int64", "deal sets it played in", "deal sets"),
    Column("deals", "int64", "different deals among them", "deals"),
    Column("score", "float64", "mean score of a seat", "points"),
    Column("score_error", "float64", "standard error of the score, over deals", "points"),
    Column("score_low", "float64", "lower end of the score's 95 % interval", "points"),
    Column("score_high", "float64", "upper end of the score's 95 % interval", "points"),
    Column("share", "float64", "share of opposing sides it came out ahead of, a tie counting half"),
    Column("share_error", "float64", "standard error of the share, over deals"),
    Column("share_low", "float64", "lower end of the share's 95 % interval"),
    Column("share_high", "float64", "upper end of the share's 95 % interval"),
    Column("wins", "int64", "matches in which it was first, shared with no opposing side", "matches"),
    Column("draws", "int64", "matches in which it was first, shared with an opposing side", "matches"),
    Column("losses", "int64", "all other matches", "matches"),
    Column(
        "late_faults", "int64", "matches in which it failed after the end, which changed nothing", "matches"
    ),
    Column("cpu_ms_p50", "float64", "median over matches and seats of the mean CPU time of a decision", "ms"),
    Column("cpu_ms_p95", "float64", "95 per cent point of the same", "ms"),
    Column("cpu_ms_max", "float64", "its longest decision", "ms"),
    Column("forfeits", "int64", "matches that it forfeited", "matches"),
    Column("forfeit_kinds", "str", "how many of them by kind of fault, as JSON"),
    Column("rating_method", "category", "the method of `rating`"),
)

PAIRS: Final = (
    *_GAME,
    Column("better", "category", "the bot that seems the stronger"),
    Column("better_version", "category", "its version"),
    Column("worse", "category", "the other bot"),
    Column("worse_version", "category", "its version"),
    Column("difference", "float64", "how much stronger, 0 or more, whatever the order of matches", "Elo"),
    Column("difference_error", "float64", "standard error of the difference, over deals", "Elo"),
    Column("p", "float64", "two-sided p-value, corrected for all pairs of the game (Holm)"),
    Column("proved", "bool", "whether it is better at the 5 % level for all pairs together"),
    Column("more_sets", "Int64", "about how many more deal sets would settle it; 0: settled", "deal sets"),
    Column("matches", "int64", "in which they met directly, on different sides", "matches"),
    Column("sets", "int64", "in which they met directly", "deal sets"),
    Column("share", "float64", "of direct meetings in which `better` came out ahead, a tie counting half"),
    Column("share_low", "float64", "lower end of its 95 % interval"),
    Column("share_high", "float64", "upper end of its 95 % interval"),
)

MOVES: Final = (
    Column("match_id", "str", "the match, as in `matches`"),
    Column("ply", "int64", "moves made before"),
    Column("seat", "int64", "who made the move"),
    Column("bot", "category", "the bot in that seat; a substitute's moves are its too"),
    Column("version", "category", "its version"),
    Column("move", "int64", "the move's number in the game's table"),
    Column("name", "category", "the move's name: `BEAT QC`; the number where the game is not installed"),
    Column(
        "cpu_us", "Int64", "CPU time of the decision, 0 for forced moves, null where it was not kept", "us"
    ),
)

RUN: Final = Column("run", "category", "the run, where several were opened together")


def frame(columns: Sequence[Column], records: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Records as a frame of these columns and types; unknown numbers are missing values."""
    rows = list(records)
    found: dict[str, pd.Series[Any]] = {}
    for column in columns:
        values = [row[column.name] for row in rows]
        found[column.name] = typed(pd.Series(values, dtype=object), column.dtype)
    return pd.DataFrame(found)


def typed(values: pd.Series[Any], dtype: str) -> pd.Series[Any]:
    """Values as a column of that type."""
    if dtype == "category":
        return values.astype("str").astype("category")
    found: pd.Series[Any] = values.astype(dtype)  # type: ignore[call-overload]  # the stubs list types one by one
    return found
