"""Is one of two bots better? Deal sets in growing rounds, until the test knows or the budget is spent.

The test is `analysis.sequential`: it is looked at after whole rounds, in schedule order, so the verdict
depends on neither the number of workers nor on which match ended first. More than one game: each by itself.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from engines.core.errors import BadRules
from engines.core.rules import Rules, option, show
from harness.analysis.pairing import MEASURES, Pairing
from harness.analysis.sequential import Test
from harness.formats import MAX_SETS, DealSet, Extent, OneGame, Summary, Table, Unservable
from harness.records import MatchRecord
from harness.seating import pairing

MAY_GROW = ("deals",)
"""A comparison that was left open goes on with more deals, and may: the test allows any number of looks."""
TIMED = "deals"
"""What `--time` chooses."""
SUSPENDS = False
"""With one of two suspended there is nothing left to compare; a forfeit counts in the test as a loss does."""
GROWTH = 1.25
"""What has been played grows by this factor from look to look: few waits, little too much."""


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of a comparison."""

    deals: int = option(10_000, "the most deal sets; the test stops earlier where it knows", least=1)
    margin: float = option(0.02, "how far from a half the share may be when two bots count as equal")
    error: float = option(0.05, "the chance of a false verdict of each kind")
    measure: str = option("score", "what is shared: score, or places", choices=MEASURES)
    first: int = option(20, "deal sets before the first look", least=1)

    def check(self, field: dataclasses.Field[Any], value: Any) -> None:
        """A margin is below a half, an error below 1."""
        super().check(field, value)
        limit = {"margin": 0.5, "error": 1.0}.get(field.name)
        if limit is not None and not (type(value) is float and 0 < value < limit):
            raise BadRules(f"{field.name}: expected a number above 0 and below {limit:g}, got {show(value)}")

    @property
    def test(self) -> Test:
        """The test that these options ask for."""
        return Test(self.margin, self.error)


def rounds(table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
    """A round for every look."""
    seen = pairing_of(table)
    first = 0
    for last in looks(table.options):
        seen.add((yield block(table, range(first, last))))
        if table.options.test.verdict(seen.shares) != "open":
            return
        first = last


def looks(options: Options) -> Iterator[int]:
    """After how many deal sets the test is looked at."""
    last = min(options.first, options.deals)
    while last < options.deals:
        yield last
        last = min(options.deals, math.ceil(GROWTH * last))
    yield options.deals


def block(table: Table, deals: Iterable[int]) -> Iterator[DealSet]:
    """The two bots on each of `deals`."""
    design = pairing(table.sides)
    for deal in deals:
        yield DealSet(1, table.bots, deal, design)


def pairing_of(table: Table) -> Pairing:
    """What takes in the records of this table."""
    first, second = table.bots
    return Pairing(table.game.load(), (first, second), len(pairing(table.sides)), table.options.measure)


def summary(table: Table, records: Iterable[MatchRecord]) -> Summary:
    """The answer as it stands."""
    from harness.analysis import comparison

    found = comparison.of_table(table, records)
    return Summary("Comparison", *found.table(), notes=(found.sentence(), *found.lines()))


def plan(table: Table) -> Extent:
    """The most that will be played."""
    if len(table.bots) != 2:
        here = ", ".join(ref.name for ref in table.bots) or "none"
        raise Unservable(f"compare takes two bots that play {table.game.name}, got {here}")
    deals = table.options.deals
    if deals > MAX_SETS:
        raise Unservable(f"compare takes at most {MAX_SETS:,} deals, got {deals:,}", "format.deals")
    games = deals * len(pairing(table.sides))
    return Extent(1, deals, deals, games, {ref.name: games for ref in table.bots}, at_most=True)
