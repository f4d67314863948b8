"""The steps that play: every table that the bot claims, matches twice, itself in duplicate, the baselines."""

from __future__ import annotations

import dataclasses
import math
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import engines
from bots.core.claims import plays
from engines.core.game import Game
from harness import bot_files, submissions
from harness.analysis import reproducible
from harness.analysis.pairing import Pairing
from harness.analysis.sequential import EVEN
from harness.checking.desk import DESIGN, Desk
from harness.checking.steps import Failed, Found, last_lines
from harness.passport import Against, Measured
from harness.records import BotRef, MatchRecord, MatchSpec
from harness.wording import counted

DEALS: Final = 4
"""Deals on which every table is tried, where there is time."""
SETS: Final = 200
"""The most deal sets against one baseline."""
SHOWN: Final = 3
"""Faults that are told."""
ENDS: Final = {"cap": 400, "max_questions": 92}
"""Options that say when a game is given up, and what a check makes of them."""
STEADIER: Final = (
    "draw luck from self.rng alone, keep nothing outside the object, look at no clock, and do not depend on "
    "the order of a set"
)
STEADIER_PROGRAM: Final = (
    "draw luck from `seed` alone, look at no clock, and do not depend on addresses or on the order of a hash "
    "table"
)
FILLER: Final = "uniform"
"""Who sits in the other seats where the bot is tried among others."""


@dataclass
class Table:
    """One game and number of seats that the bot claims, and what was seen of it there."""

    game: Game[Any, Any]
    records: list[MatchRecord] = field(default_factory=list)
    against: list[Against] = field(default_factory=list)

    @property
    def name(self) -> str:
        """`hund:4`."""
        return f"{self.game.name}:{self.game.seats}"

    def measured(self, bot: BotRef) -> Measured:
        """Its times and results."""
        spent = sorted(
            us
            for record in self.records
            for seat, us in zip(record.move_seats, record.move_cpu_us, strict=True)
            if us and record.spec.seats[seat].version == bot.version
        )
        decisions = sum(
            seat.decisions
            for record in self.records
            for seat in record.seats
            if seat.bot.version == bot.version
        )
        p50, p95, most = (
            (spent[min(len(spent) - 1, int(len(spent) * q))] / 1e3 if spent else 0.0) for q in (0.5, 0.95, 1)
        )
        return Measured(self.name, len(self.records), decisions, p50, p95, most, tuple(self.against))


def every_table(desk: Desk, tables: Sequence[Table], seconds: float) -> Found:
    """Play every table, the bot in all seats and in one seat among others; raises Failed for a fault."""
    for table, until in zip(tables, _deadlines(len(tables), seconds), strict=True):
        for deal in range(DEALS):
            if deal and time.monotonic() > until:
                break
            for spec in _trials(desk, table.game, deal):
                table.records.append(desk.play(table.game, spec))
    matches = sum(len(table.records) for table in tables)
    lines = [_times(table.measured(desk.bot)) for table in tables]
    memory = f", at most {desk.peak_kb / 1024:.0f} MB a seat" if desk.peak_kb else ""
    if desk.blamed:
        first = desk.blamed[0]
        told = [
            f"{one.spec.game} with {len(one.spec.seats)} seats, luck {one.spec.luck}, "
            f"after {counted(max(0, one.fault.ply), 'move')}: {one.fault.detail}"
            for one in desk.blamed[:SHOWN]
        ]
        faulted = len({(one.spec, one.seat) for one in desk.blamed})
        raise Failed(
            f"{faulted} of its seats in {matches} matches were at fault",
            _advice(first.fault.kind, program=desk.program),
            details=tuple(told),
            output=last_lines(first.output),
        )
    return Found(f"{matches} matches without a fault{memory}", tuple(lines), last_lines(desk.printed))


def deterministic(desk: Desk, tables: Sequence[Table]) -> Found:
    """Play the first matches of every table once more; raises Failed where one comes out otherwise."""
    again = 0
    for table in tables:
        for record in table.records[:2]:
            second = desk.play(table.game, record.spec)
            again += 1
            parted = reproducible.divergence(record, second)
            if parted is not None:
                raise Failed(
                    f"{table.name}: the same match came out otherwise: {_parted(parted)}",
                    STEADIER_PROGRAM if desk.program else STEADIER,
                )
    return Found(f"{again} matches played twice, move for move the same")


def in_duplicate(desk: Desk, tables: Sequence[Table]) -> Found:
    """Have the bot play itself in every mixed seating of a deal; raises Failed where that is not even."""
    for table in tables:
        seen = _pairing(table.game, (desk.bot, desk.twin))
        seen.add(desk.deal_set(table.game, 0, (desk.bot, desk.twin)))
        share = seen.meetings[0].share
        if share != EVEN:
            raise Failed(
                f"{table.name}: of two copies in all seatings of a deal, one had {100 * share:.1f} % of it",
                "equal bots in equal seats of one deal play alike; see the step before",
            )
    return Found("two copies of it come out exactly even on every deal tried")


def baselines(desk: Desk, tables: Sequence[Table], seconds: float) -> Found:
    """Meet every shipped bot of each table in duplicate; never fails."""
    meetings = [
        (table, name) for table in tables for name in shipped_for(table.game) if name != desk.bot.name
    ]
    for (table, name), until in zip(meetings, _deadlines(len(meetings), seconds), strict=True):
        other = desk.other(name)
        game = ranked(table.game)
        seen = _pairing(game, (desk.bot, other))
        for deal in range(SETS):
            seen.add(desk.deal_set(game, DEALS + deal, (desk.bot, other)))
            if time.monotonic() > until:
                break
        shares = [meeting.share for meeting in seen.meetings]
        table.against.append(Against(name, seen.shares.mean, *interval(shares), len(shares)))
    lines = [_met(table, one) for table in tables for one in table.against]
    if any(one.low <= EVEN <= one.high for table in tables for one in table.against):
        lines.append("longer --seconds tell more; croupier compare goes on until it knows")
    sets = sum(one.sets for table in tables for one in table.against)
    return Found(
        f"{counted(sets, 'deal set')}, each with both bots in every seat equally often", tuple(lines)
    )


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """About where the mean of deal sets' shares lies, at 95 % confidence: Student's interval, cut at 0 and 1.

    One set lost and one won whole are added, so that few sets that all went one way do not look like
    certainty (A. Agresti, B. Coull, "Approximate is better than exact", American Statistician 52, 1998, do
    likewise for proportions). `croupier compare` has the exact test.
    """
    widened = [*shares, 0.0, 1.0]
    free = len(widened) - 1
    z = statistics.NormalDist().inv_cdf(0.975)
    # Student's quantile by its expansion in 1 / degrees of freedom (Abramowitz & Stegun 26.7.5).
    t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    mean, reach = statistics.fmean(widened), t * statistics.stdev(widened) / math.sqrt(len(widened))
    return max(0.0, mean - reach), min(1.0, mean + reach)


def brisk(game: Game[Any, Any]) -> Game[Any, Any]:
    """The same game, given up sooner: weak bots can play on to caps of thousands of moves."""
    names = {option.name for option in dataclasses.fields(game.rules)}
    shorter = {name: most for name, most in ENDS.items() if name in names}
    return engines.load(game.name, **{**game.rules.changed(), **shorter})


def ranked(game: Game[Any, Any]) -> Game[Any, Any]:
    """The same game with a place for everybody, where its rules know only a loser otherwise."""
    fields = {option.name: option for option in dataclasses.fields(game.rules)}
    if "payoff" in fields and "order" in (fields["payoff"].metadata.get("choices") or ()):
        return engines.load(game.name, **{**game.rules.changed(), "payoff": "order"})
    return game


def shipped_for(game: Game[Any, Any]) -> list[str]:
    """The shipped bots that play a game, those that know it first; no search that knows none."""
    found = []
    for name in submissions.shipped():
        _, _, games, options = bot_files.facts(submissions.find(name))
        if plays(games, game.name, game.seats) and (games or "nodes" not in (options or ())):
            found.append((not games, name))
    return [name for _, name in sorted(found)]


def _trials(desk: Desk, game: Game[Any, Any], deal: int) -> Iterator[MatchSpec]:
    """The bot in every seat, then in one seat, or one side, among others."""
    yield desk.spec(game, deal, [desk.bot] * game.seats)
    side = game.sides[Random(deal).randrange(game.seats)]
    filler = desk.other(FILLER)
    yield desk.spec(game, deal, [desk.bot if own == side else filler for own in game.sides], 1)


def _pairing(game: Game[Any, Any], bots: tuple[BotRef, BotRef]) -> Pairing:
    return Pairing(game, bots, len(DESIGN), "places")


def _deadlines(parts: int, seconds: float) -> Iterable[float]:
    """When each part is to be over, so that all together take about `seconds`; reckoned as it starts."""
    end = time.monotonic() + seconds
    for left in range(parts, 0, -1):
        now = time.monotonic()
        yield now + max(0.0, end - now) / left


def _times(seen: Measured) -> str:
    times = f"{_ms(seen.cpu_ms_p50)} (p95 {_ms(seen.cpu_ms_p95)}, most {_ms(seen.cpu_ms_max)})"
    played = f"{counted(seen.matches, 'match', 'matches')}, {counted(seen.decisions, 'decision')}"
    return f"{seen.game}: {played}, CPU a decision {times}"


def _ms(value: float) -> str:
    return f"{value:.2g} ms" if value < 10 else f"{value:.0f} ms"


def _met(table: Table, one: Against) -> str:
    verdict = "beats" if one.low > EVEN else "loses to" if one.high < EVEN else "cannot yet be told from"
    return (
        f"{table.name}: {verdict} {one.bot}: ahead in {100 * one.share:.0f} % of meetings "
        f"(95 % interval {100 * one.low:.0f} to {100 * one.high:.0f} %, {counted(one.sets, 'deal set')})"
    )


def _parted(parted: reproducible.Divergence) -> str:
    first, second = parted.moves
    who = f"seat {parted.seat} played" if parted.seat >= 0 else "came"
    return f"on deal {parted.deal}, after {parted.ply} equal moves, {who} {first}, then {second}"


def _advice(kind: str, *, program: bool) -> str:
    """What to do about a fault of that kind."""
    if program:
        return {
            "illegal": "answer with one of `moves`, or its number in `numbers`",
            "malformed": "write one line for each `act`, an object of JSON with its id, and nothing else",
            "time": "decide faster, or look at `clock`; if it used no CPU, flush every line that it writes",
            "memory": "keep less; the limit is a seat's, from start to end",
        }.get(kind, "mend that place; docs/protocol.md has what is said on both sides")
    return {
        "illegal": "return one of seen.moves, or its number",
        "wrong_type": "return one of seen.moves, or its number; None comes of a branch of act without return",
        "start": "what __init__ and the file's top level do must work with (game, seat, rng) alone",
        "time": "decide faster, or look at seen.clock; if it used no CPU, do not sleep or wait for anything",
        "memory": "keep less; the limit is a seat's, from start to end",
    }.get(kind, "mend that place; docs/bots.md has how to play it under a debugger")
