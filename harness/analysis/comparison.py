"""The answer of a comparison of two bots, from the records of its run: as a value, in words and as JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import formats, store
from harness.analysis import reproducible
from harness.analysis.reproducible import FIRST_ROUND, Repeated
from harness.analysis.sequential import EVEN, Finding
from harness.config_values import GameEntry, RunConfig
from harness.formats import Table, compare
from harness.records import BotRef, MatchRecord
from harness.store.reading import steady


@dataclass(frozen=True)
class Comparison:
    """What is known of two bots at one game."""

    game: GameEntry
    bots: tuple[BotRef, BotRef]
    options: compare.Options
    finding: Finding
    matches: int
    deals: int
    """Different starting positions among the deal sets; small games have few."""
    lucks: int
    """Different seeds among them: as many as there are deal sets."""
    scores: tuple[float, float]
    """Mean score a seat of each, in the game's points."""
    points: float
    """The margin as a difference of mean scores."""
    forfeits: tuple[int, int]
    """Matches that each forfeited."""
    repeated: tuple[Repeated, ...] = ()
    """What came of each bot's playing itself."""

    @property
    def known(self) -> bool:
        """Whether the test has come to a verdict."""
        return self.finding.verdict != "open"

    def sentence(self) -> str:
        """The answer."""
        first, second = (bot.name for bot in self.bots)
        found = self.finding
        sets = f"{found.sets:,} deal sets, {self.matches:,} matches"
        if found.verdict == "worse":
            first, second = second, first
            share, low, high = 1 - found.share, 1 - found.high, 1 - found.low
        else:
            share, low, high = found.share, found.low, found.high
        has = f"share is {percent(share)} ({interval(low, high, self.options.error)}; {sets})"
        if found.verdict in {"better", "worse"}:
            return f"{first} is better than {second}: its {has}."
        if found.verdict == "equal":
            least, most = EVEN - self.options.margin, EVEN + self.options.margin
            return (
                f"{first} and {second} cannot be told apart within the margin: the share of {first} is "
                f"{percent(share)}, and it is above {percent(least)} and below {percent(most)} "
                f"(each at {percent(1 - self.options.error)} confidence; {sets})."
            )
        if found.sets < self.options.deals:
            return f"not finished: whether {first} or {second} is better is open; {first}'s {has}."
        return (
            f"undecided after the most deals allowed: {first} may be better or worse than {second}; "
            f"its {has}."
        )

    def lines(self) -> list[str]:
        """What the answer rests on, one line each."""
        found, options = self.finding, self.options
        first, second = (bot.name for bot in self.bots)
        low, high = percent(EVEN - options.margin), percent(EVEN + options.margin)
        each = f"{first} {ratio(found.better)}, {second} {ratio(found.worse)}"
        sides = f"above {low} {ratio(found.above)}, below {high} {ratio(found.below)}"
        points = f"{self.points:.3g} points a match" if options.measure == "score" else "of places"
        lines = [
            f"deal sets won {found.won:,}, level {found.level:,}, lost {found.lost:,} by {first}",
            f"{self.deals:,} different deals among {found.sets:,}",
            f"mean score a seat: {self.scores[0]:.4g} to {self.scores[1]:.4g}",
            f"likelihood ratio of being better: {each}; {found.needed:g} decides",
            f"likelihood ratio of a share {sides}; {found.needed_each:g} for both decides",
            f"margin {options.margin:g} ({points}), error {percent(options.error)}",
            f"looked at after whole rounds, {options.deals:,} deal sets at most",
        ]
        if self.lucks < found.sets:
            lines.append(f"Note: {found.sets - self.lucks:,} deals were played before, under other numbers")
        for bot, count in zip(self.bots, self.forfeits, strict=True):
            if count:
                lines.append(f"Note: {bot.name} forfeited {count:,} of {self.matches:,} matches")
        return lines + [f"{'' if one.first is None else 'Note: '}{one}" for one in self.repeated]

    def table(self) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Columns and a row for each bot."""
        found = self.finding
        sides = [
            (found.share, found.low, found.high, found.won, found.lost),
            (1 - found.share, 1 - found.high, 1 - found.low, found.lost, found.won),
        ]
        rows = [
            (bot.name, number(share), bounds(low, high), f"{won}/{found.level}/{lost}")
            for bot, (share, low, high, won, lost) in zip(self.bots, sides, strict=True)
        ]
        return ("Bot", "Share %", f"{percent(1 - self.options.error)} interval", "Sets W/D/L"), tuple(rows)

    def data(self) -> dict[str, Any]:
        """Everything, as JSON values."""
        return {
            "game": self.game.name,
            "rules": json.loads(self.game.rules),
            "bots": [bot._asdict() | {"options": json.loads(bot.options)} for bot in self.bots],
            "known": self.known,
            "sentence": self.sentence(),
            **dataclasses.asdict(self.finding),
            "test": dataclasses.asdict(self.options),
            "margin_points": self.points if self.options.measure == "score" else None,
            "matches": self.matches,
            "different_deals": self.deals,
            "mean_scores": list(self.scores),
            "forfeits": list(self.forfeits),
            "self_play": [one.data() for one in self.repeated],
        }


def of_run(config: RunConfig, folder: Path) -> list[Comparison]:
    """What the stored records of a run in the format `compare` say, a game each."""

    def found() -> list[Comparison]:
        repeated, run = reproducible.of_run(folder), store.open(folder)
        return [of_table(table, run.records(FIRST_ROUND), repeated) for table in _tables(config)]

    return steady(found)


def of_table(table: Table, records: Iterable[MatchRecord], repeated: Iterable[Repeated] = ()) -> Comparison:
    """The comparison at one game, from records that are in schedule order."""
    seen = compare.pairing_of(table)
    seen.add(record for record in records if (record.spec.game, record.spec.rules) == table.game)
    game = seen.game
    return Comparison(
        game=table.game,
        bots=seen.bots,
        options=table.options,
        finding=table.options.test.finding(seen.shares),
        matches=seen.matches,
        deals=reproducible.distinct_deals(game, (meeting.spec for meeting in seen.meetings)),
        lucks=len({(meeting.spec.luck, meeting.spec.position) for meeting in seen.meetings}),
        scores=(seen.mean_score(seen.bots[0]), seen.mean_score(seen.bots[1])),
        points=2 * table.options.margin * (game.highest - game.stakes[0]),
        forfeits=(seen.forfeits[seen.bots[0]], seen.forfeits[seen.bots[1]]),
        repeated=tuple(one for one in repeated if (one.game, one.rules) == table.game),
    )


def _tables(config: RunConfig) -> list[Table]:
    if config.format != "compare":
        raise ValueError(f"expected a run in the format compare, got {config.format}")
    return formats.tables(config)


def percent(share: float) -> str:
    """`52.5 %`."""
    return f"{number(share)} %"


def number(share: float) -> str:
    """A share as per cent, to a tenth."""
    return f"{100 * share:.1f}".removesuffix(".0")


def interval(low: float, high: float, error: float) -> str:
    """`95 % interval 50.2 to 53.1 %`."""
    return f"{percent(1 - error)} interval {bounds(low, high)} %"


def bounds(low: float, high: float) -> str:
    """`50.2 to 53.1`; a bound that rounding would put on one half says on which side of it it is."""
    least, most = number(low), number(high)
    half = number(EVEN)
    least = f"above {half}" if least == half and low > EVEN else least
    most = f"below {half}" if most == half and high < EVEN else most
    return f"{least} to {most}"


def ratio(value: float) -> str:
    """A likelihood ratio in few digits."""
    return f"{value:,.0f}" if 100 <= value < 1e6 else f"{value:.3g}"
