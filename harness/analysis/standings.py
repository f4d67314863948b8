r"""A game's ranking that can be defended, as plain values: `standings(table)`.

What a report shows of a game is here: everybody's score and share with intervals, ratings by every method,
ranks with their bounds, tie groups, the chance of being best, a verdict on every pair and what is doubtful
about it all. Nothing here depends on the order of rows in files, or on who asks.

    for run_table in tables(open_run("reports/weekend")):
        found = standings(run_table)
        print(found.order)                       # A > B ≈ C > D
        print(found.bots[0].ranks)               # (1, 2)
        print(*found.sentences, *found.warnings, sep="\n")
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from harness import ratings
from harness.analysis import words
from harness.analysis.homogeneity import Place, differing
from harness.analysis.outcomes import of_table
from harness.analysis.pairs import Meeting, cycles, meetings
from harness.analysis.results import Entrant
from harness.analysis.seats import Seats, seats
from harness.analysis.statistics import BotStatistics, by_bot
from harness.analysis.strengths import ELO, Strengths, strengths
from harness.analysis.tables import Table
from harness.analysis.verdicts import Verdicts, intervals, verdicts
from harness.comparable import doubts
from harness.ratings.core import Rated, Rating
from harness.ratings.trueskill import OrderSensitivity, order_sensitivity

DEFAULT: Final = "trueskill"
SAME: Final = 9
"""Decimals to which two orders are equal, so that rounding does not part a tie."""


@dataclass(frozen=True)
class BotStanding:
    """One bot in one game's ranking."""

    entrant: Entrant
    label: str
    """The bot's name; with its version where a name has several."""
    rank: int
    """By the table's rating: 1 + the number of bots rated higher; equal ratings share a rank."""
    ranks: tuple[int, int]
    """Between which ranks it is, at 95 % confidence for all bots together; `rank` is within."""
    group: int
    """Its tie group, from 0: everybody in a group is better than everybody in those that follow."""
    best: float
    """The chance that it is the best of all, from 0 to 1; nan where there is one deal only."""
    strength: float
    """Order-free strength in Elo points against the average bot."""
    strength_error: float
    """Its standard error over deals."""
    strength_interval: tuple[float, float]
    """Its 95 % interval, over deals; nan where there is one deal only."""
    ratings: Mapping[str, Rating]
    """By method."""
    statistics: BotStatistics
    """Games, sets, wins, forfeits, CPU; `score` and `share` have `low` and `high`, their 95 % intervals."""


@dataclass(frozen=True)
class PairStanding:
    """What is known of two bots; `better` is the one that seems the stronger."""

    better: Entrant
    worse: Entrant
    labels: tuple[str, str]
    """Of the two, the stronger first."""
    difference: float
    """In Elo points, order-free; 0 or more."""
    error: float
    """Its standard error over deals; nan with one deal."""
    interval: tuple[float, float]
    """The 95 % interval of the difference, of this pair alone."""
    p: float
    """Two-sided, corrected for all pairs of the game (Holm)."""
    proved: bool
    """Whether `better` is better at the 5 % level for all pairs together."""
    more_sets: int | None
    """About how many more deal sets of the whole schedule would settle it if the difference is as it seems;
    0 where it is settled, None where no number can be named."""
    matches: int
    """In which they met directly, on different sides."""
    sets: int
    """In which they met directly."""
    share: float
    """The part of direct meetings in which `better` came out ahead; nan where they never met."""
    share_interval: tuple[float, float]
    """Its 95 % interval, over deals."""


@dataclass(frozen=True)
class GameStandings:
    """The ranking of one game under one set of rules."""

    game: str
    rules: str
    """Options that differ from the defaults, as canonical JSON."""
    by: str
    """The rating method that orders the table."""
    matches: int
    sets: int
    deals: int
    bots: tuple[BotStanding, ...]
    """By rank, then by name."""
    pairs: tuple[PairStanding, ...]
    """Every two, in the order of the table."""
    rated: Mapping[str, Rated]
    """By method, with details such as the draw probability."""
    order: str
    """`A > B ≈ C > D`: a `>` where everybody before is proved better than everybody after."""
    cycles: tuple[tuple[Entrant, ...], ...]
    """Bots that beat each other in a ring, by direct meetings: no order does them justice."""
    seats: Seats
    sensitivity: OrderSensitivity | None
    """How much TrueSkill's numbers depend on the order of matches."""
    places: tuple[Place, ...]
    """Nodes and workers whose results differ."""
    sentences: tuple[str, ...]
    """The result in words."""
    warnings: tuple[str, ...]
    """What is doubtful, in words."""
    strengths: Strengths
    """The fit behind ranks, groups and verdicts, for what goes on from there."""


def standings(table: Table, by: str = DEFAULT) -> GameStandings:
    """Rank everybody who met somebody in `table`; raises UnknownRating for a method that there is not."""
    ratings.method(by)
    outcomes = of_table(table)
    rated = {name: ratings.method(name).rate(outcomes) for name in ratings.available()}
    statistics = [one for one in by_bot(table) if one.games]
    fitted = strengths(outcomes).only([one.entrant for one in statistics])
    judged = verdicts(fitted)
    bots = _bots(statistics, rated, by, fitted, judged)
    sets = len(np.unique(table.set_numbers))
    met = meetings(table)
    number = {entrant: n for n, entrant in enumerate(fitted.entrants)}
    found = tuple(
        _pair(a, b, (number[a.entrant], number[b.entrant]), judged, met, sets)
        for a, b in itertools.combinations(bots, 2)
    )
    made = GameStandings(
        game=table.game,
        rules=table.rules,
        by=by,
        matches=len(table),
        sets=sets,
        deals=len(table.deal_names),
        bots=bots,
        pairs=found,
        rated=rated,
        order=words.order([(bot.label, bot.group) for bot in bots]),
        cycles=tuple(cycles(list(met.values()), [bot.entrant for bot in bots])),
        seats=seats(table),
        sensitivity=order_sensitivity(outcomes),
        places=tuple(differing(table)),
        sentences=(),
        warnings=(),
        strengths=fitted,
    )
    doubtful = doubts(one.sides for one in outcomes.different)
    return replace(made, sentences=words.sentences(made), warnings=words.warnings(made, doubtful))


def labels(entrants: Sequence[Entrant]) -> dict[Entrant, str]:
    """What to call everybody: by name, and by version too where a name has several."""
    versions = Counter(entrant.bot for entrant in entrants)
    return {one: one.bot if versions[one.bot] == 1 else f"{one.bot}@{one.version}" for one in entrants}


def _bots(
    statistics: Sequence[BotStatistics],
    rated: Mapping[str, Rated],
    by: str,
    fitted: Strengths,
    judged: Verdicts,
) -> tuple[BotStanding, ...]:
    names = labels([one.entrant for one in statistics])
    height = [round(rated[by].ratings[one.entrant].order, SAME) for one in statistics]
    rank = [1 + sum(other > own for other in height) for own in height]
    order = sorted(range(len(statistics)), key=lambda n: (rank[n], names[statistics[n].entrant]))
    group = {n: at for at, members in enumerate(judged.groups(order)) for n in members}
    elo = ELO * (fitted.value - fitted.value.mean()) if order else fitted.value
    errors = ELO * np.sqrt(np.diag(judged.covariance))
    low, high = (ELO * ends for ends in intervals(fitted, judged.covariance))
    return tuple(
        BotStanding(
            entrant=statistics[n].entrant,
            label=names[statistics[n].entrant],
            rank=rank[n],
            ranks=(min(rank[n], judged.ranks(n)[0]), max(rank[n], judged.ranks(n)[1])),
            group=group[n],
            best=float(judged.best[n]),
            strength=float(elo[n]),
            strength_error=float(errors[n]),
            strength_interval=(float(low[n]), float(high[n])),
            ratings={name: found.ratings[statistics[n].entrant] for name, found in rated.items()},
            statistics=statistics[n],
        )
        for n in order
    )


def _pair(
    a: BotStanding,
    b: BotStanding,
    numbers: tuple[int, int],
    judged: Verdicts,
    met: Mapping[tuple[Entrant, Entrant], Meeting],
    sets: int,
) -> PairStanding:
    """`a` stands before `b` in the table; the fit may see it the other way round."""
    one, other = numbers
    if judged.difference[one, other] < 0:
        a, b, one, other = b, a, other, one
    times = float(judged.more[one, other])
    apart = judged.interval(one, other)
    meeting = met.get((a.entrant, b.entrant))
    share, low, high = meeting.share_of(a.entrant) if meeting else (math.nan, math.nan, math.nan)
    return PairStanding(
        better=a.entrant,
        worse=b.entrant,
        labels=(a.label, b.label),
        difference=ELO * float(judged.difference[one, other]),
        error=ELO * float(judged.error[one, other]),
        interval=(ELO * apart[0], ELO * apart[1]),
        p=float(judged.p[one, other]),
        proved=bool(judged.better[one, other]),
        more_sets=(rounded((times - 1.0) * sets) if times else 0) if math.isfinite(times) else None,
        matches=meeting.matches if meeting else 0,
        sets=meeting.sets if meeting else 0,
        share=share,
        share_interval=(low, high),
    )


def rounded(count: float) -> int:
    """A whole number with two digits that matter, and at least 1: it is an estimate."""
    digits = max(0, math.floor(math.log10(max(count, 1.0))) - 1)
    unit = int(10**digits)
    return max(1, math.ceil(count / unit) * unit)
