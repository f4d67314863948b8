"""A game's ranking in sentences: what is known, and what is doubtful about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from harness.analysis.seats import uneven

if TYPE_CHECKING:
    from harness.analysis.standings import BotStanding, GameStandings, PairStanding

FAULTS: Final = 0.1
"""The share of forfeited matches above which a bot's results are doubtful."""
ENOUGH: Final = 20
"""Matches before that is said."""
BALANCED: Final = 1.1
"""How many times as many matches as another a bot may have played."""
P_MEANS: Final = "p: how often equal bots would come out as far apart, corrected for the number of pairs."
"""For readers of a report."""
SHOWN: Final = 5
"""Names in a list; the rest is counted."""


def sentences(found: GameStandings) -> tuple[str, ...]:
    """The result: who is best, and of every two neighbours in the table whether their order is proved."""
    if len(found.bots) < 2:
        return ()
    if found.deals < 2:
        return ("One deal only: nothing is known of how sure the order is.",)
    pair = {frozenset((one.better, one.worse)): one for one in found.pairs}
    lines = [_best(found)]
    for one, other in zip(found.bots, found.bots[1:], strict=False):
        lines.append(verdict(pair[frozenset((one.entrant, other.entrant))], found.sets))
    return tuple(lines)


def order(bots: Sequence[tuple[str, int]]) -> str:
    """`A > B ≈ C > D`, from labels with tie groups in the order of a table."""
    told = ""
    for n, (label, group) in enumerate(bots):
        told += (("" if n == 0 else " ≈ ") if n == 0 or bots[n - 1][1] == group else " > ") + label
    return told


def verdict(pair: PairStanding, sets: int) -> str:
    """What is known of two bots, in one sentence."""
    a, b = pair.labels
    if pair.proved:
        return f"{a} is better than {b} ({p_value(pair.p)} after {sets:,} deal sets)."
    if pair.more_sets is None:
        apart = f"cannot be told apart ({p_value(pair.p)})"
        return f"{a} and {b} {apart}, and no number of deal sets that would do is in sight."
    sets_word = "deal set" if pair.more_sets == 1 else "deal sets"
    apart = f"cannot be told apart yet ({p_value(pair.p)})"
    return f"{a} and {b} {apart}: about {pair.more_sets:,} more {sets_word} would do."


def p_value(p: float) -> str:
    """`p = 0.031`, rounded up so that none looks proved that is not; `p < 0.001` where it is less.

    1 - p is not the chance of being better, so none such is named; P_MEANS says what p is.
    """
    if p < 0.001:
        return "p < 0.001"
    places = 1 - math.floor(math.log10(p))
    return f"p = {min(1.0, math.ceil(round(p * 10**places, 6)) / 10**places):g}"


def _best(found: GameStandings) -> str:
    top = [bot for bot in found.bots if bot.group == 0]
    if len(top) == 1:
        count = len(found.bots)
        return (
            f"{top[0].label} is the best of {count}." if count > 2 else f"{top[0].label} is the better one."
        )
    if len(top) == len(found.bots):
        ring = ": they beat each other in a ring" if found.cycles else ""
        return f"No order of all {len(top)} bots is proved{ring}."
    chances = sorted(top, key=lambda bot: -bot.best)
    told = ", ".join(f"{bot.label} {100 * bot.best:.0f} %" for bot in chances[:SHOWN])
    return f"The best is one of {len(top)}; the chance of it is {told}."


def warnings(found: GameStandings, doubtful: Sequence[str]) -> tuple[str, ...]:
    """Everything that is doubtful; `doubtful` is what the schedule cannot tell apart."""
    return (
        *doubtful,
        *_unbalanced(found.bots),
        *_cycles(found),
        *_seats(found),
        *map(str, found.places),
        *_order(found),
        *_faults(found.bots),
        *_versions(found.bots),
    )


def _unbalanced(bots: Sequence[BotStanding]) -> Iterable[str]:
    if not bots:
        return
    least = min(bots, key=lambda bot: (bot.statistics.games, bot.label))
    most = min(bots, key=lambda bot: (-bot.statistics.games, bot.label))
    if most.statistics.games > BALANCED * least.statistics.games:
        yield (
            f"games are uneven, from {least.statistics.games:,} ({least.label}) to "
            f"{most.statistics.games:,} ({most.label}): compare by rating, not by mean score"
        )


def _cycles(found: GameStandings) -> Iterable[str]:
    label = {bot.entrant: bot.label for bot in found.bots}
    for ring in found.cycles:
        names = [label[bot] for bot in (*ring, ring[0])]
        yield f"{' beats '.join(names)}: a ring, which no order of strength does justice"


def _seats(found: GameStandings) -> Iterable[str]:
    source = "matches of bots against themselves" if found.seats.mirrored else "all matches"
    for line in uneven(found.seats):
        low, high = (f"{100 * end:.1f}" for end in (line.share.low, line.share.high))
        how = "better" if line.share.value > 0.5 else "worse"
        yield (
            f"seat {line.seat} is {how} than the others: {100 * line.share.value:.1f} % "
            f"(between {low} and {high}) in {source}; every bot sits there equally often in a whole deal set"
        )


def _order(found: GameStandings) -> Iterable[str]:
    sensitivity = found.sensitivity
    if sensitivity is None:
        return
    moved = [
        f"{bot.label} between {low} and {high}"
        for bot in found.bots
        for low, high in [sensitivity.ranks[bot.entrant]]
        if low != high
    ]
    if moved:
        yield (
            f"TrueSkill ranks depend on the order of matches: in {sensitivity.orders} random orders of "
            f"{sensitivity.results:,} results it ranked {_listed(moved)}"
        )


def _faults(bots: Sequence[BotStanding]) -> Iterable[str]:
    for bot in bots:
        forfeits, games = sum(bot.statistics.forfeits.values()), bot.statistics.games
        if games >= ENOUGH and forfeits > FAULTS * games:
            share = 100.0 * forfeits / games
            yield f"{bot.label} forfeited {share:.0f} % of its matches, more than {100 * FAULTS:.0f} %"


def _versions(bots: Sequence[BotStanding]) -> Iterable[str]:
    names = [bot.entrant.bot for bot in bots]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{name} played in {names.count(name)} versions, which are rated apart"


def _listed(items: Sequence[str]) -> str:
    more = len(items) - SHOWN
    return "; ".join([*items[:SHOWN], *([f"and {more} more"] if more > 0 else [])])
