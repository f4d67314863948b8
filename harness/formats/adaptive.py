"""Adaptive: deal sets go where the order is still in doubt, until it is settled or the budget is gone.

First every two bots meet on the same deals. Then only neighbours in the order meet, and of those only such
as are neither told apart yet nor shown to be equal within the margin. Where deals are the positions of a
file no two meet on one twice: it would be no new evidence, and the test would take it for such.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Generator, Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from engines.core.errors import BadRules
from engines.core.rules import Rules, option, show
from harness.analysis.pairing import MEASURES, Pairing
from harness.analysis.sequential import Test
from harness.analysis.sets import mean
from harness.formats import DealSet, Extent, OneGame, Summary, Table, Unservable
from harness.formats.core.contest import Contest, followed, played_out
from harness.formats.core.meetings import check_size, need_two, pair_key, pair_number, pair_sets
from harness.records import MatchRecord
from harness.seating import pairing

TIMED = "budget"
"""What `--time` chooses."""
MAY_GROW = ("budget",)
"""A run goes on with more: the round that a budget cuts off is the beginning of what a larger one has."""
STEERS = {
    "deals": "the first order rests on so many deals, and from the order follows who meets next",
    **dict.fromkeys(
        ("margin", "error", "measure"), "from it follows which places are in doubt, and so who meets next"
    ),
}
"""Why a run cannot go on with another value."""
GROWTH: Final = 0.25
"""Two in doubt play on by this part of what they have played: few waits, little too much."""


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of an adaptive tournament."""

    deals: int = option(20, "deals on which every two bots meet to begin with", least=1)
    budget: int = option(5_000, "deal sets in all", least=1)
    margin: float = option(0.02, "how far from a half the share may be when two bots count as equal")
    error: float = option(0.05, "the chance of a false verdict of each kind, for each two bots")
    measure: str = option("score", "what is shared: score, or places", choices=MEASURES)

    def check(self, field: dataclasses.Field[Any], value: Any) -> None:
        """A margin is below a half, an error below 1."""
        super().check(field, value)
        limit = {"margin": 0.5, "error": 1.0}.get(field.name)
        if limit is not None and not (type(value) is float and 0 < value < limit):
            raise BadRules(f"{field.name}: expected a number above 0 and below {limit:g}, got {show(value)}")

    @property
    def test(self) -> Test:
        """The test of every two bots."""
        return Test(self.margin, self.error)


def rounds(table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
    """First everybody, then the neighbours that are in doubt."""
    return played_out(Adaptive(table))


def summary(table: Table, records: Iterable[MatchRecord]) -> Summary:
    """The order and its verdicts after the rounds that are whole."""
    return followed(Adaptive(table), records)


def first_deals(table: Table) -> int:
    """On how many deals every two meet to begin with; of a file's positions on as many as by default."""
    deals: int = table.options.deals
    return deals if table.positions is None else min(Options().deals, table.positions)


def plan(table: Table) -> Extent:
    """The most that it can be: the budget, or every two on every position."""
    need_two(table)
    bots, budget = len(table.bots), table.options.budget
    pairs, seatings, first = math.comb(bots, 2), len(pairing(table.sides)), first_deals(table)
    if pairs * first > budget:
        raise Unservable(
            f"{bots} bots that all meet on {first} deals of {table.game.name} take "
            f"{pairs * first:,} deal sets; the budget is {budget:,}",
            "format.budget",
        )
    check_size(budget, "a budget of so many")
    most = budget if table.positions is None else table.positions
    sets = min(budget, pairs * most)
    spare = sets - pairs * first
    each = min((bots - 1) * first + spare, (bots - 1) * most) * seatings
    return Extent(
        line_ups=pairs,
        deals=min(first + spare, most),
        sets=sets,
        matches=sets * seatings,
        per_bot=dict.fromkeys((ref.name for ref in table.bots), each),
        at_most=True,
        notes=() if table.positions is None else ("no two bots meet on a position twice",),
    )


class Adaptive(Contest):
    """What is known of every two bots."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        game, size = table.game.load(), len(pairing(table.sides))
        self.duels = {
            (one, other): Pairing(game, (table.bots[one], table.bots[other]), size, table.options.measure)
            for one, other in itertools.combinations(range(len(table.bots)), 2)
        }
        self.verdicts = dict.fromkeys(self.duels, "open")
        """`better`, `worse` or `equal`, of the first; what is not open stays."""
        self.planned = dict.fromkeys(self.duels, 0)
        """Deal sets of every two so far."""

    @property
    def spent(self) -> int:
        """Deal sets of the budget that are gone."""
        return sum(self.planned.values())

    def deal_sets(self) -> Sequence[DealSet]:
        if not self.spent:
            first = first_deals(self.table)
            self.planned = dict.fromkeys(self.duels, first)
            return pair_sets(self.table, self.duels, range(first))
        wants = {
            pair: min(math.ceil(GROWTH * self.planned[pair]), self.left(pair)) for pair in self.doubtful()
        }
        # In turn: a round that the budget cuts off is the beginning of the one that a larger budget has.
        turns = ((turn, pair) for turn in range(max(wants.values(), default=0)) for pair in wants)
        wanted = (pair for turn, pair in turns if turn < wants[pair])
        found: list[DealSet] = []
        for pair in itertools.islice(wanted, self.table.options.budget - self.spent):
            found += pair_sets(self.table, [pair], [self.planned[pair]])
            self.planned[pair] += 1
        return found

    def left(self, pair: tuple[int, int]) -> int:
        """How many deals there are for two on which they have not met."""
        most = self.table.options.budget if self.table.positions is None else self.table.positions
        return int(most) - self.planned[pair]

    def take(self, records: Iterable[MatchRecord]) -> None:
        pairs = {pair_number(*pair, len(self.names)): pair for pair in self.duels}
        touched = set()
        for line_up, group in groupby(records, key=lambda record: record.spec.line_up):
            self.duels[pairs[line_up]].add(group)
            touched.add(pairs[line_up])
        for pair in touched:
            if self.verdicts[pair] == "open":
                self.verdicts[pair] = self.table.options.test.verdict(self.duels[pair].shares)

    def strength(self, bot: int) -> float:
        """The mean share, every opponent counting the same, but for suspended ones."""
        shares = [
            duel.shares.mean if pair[0] == bot else 1 - duel.shares.mean
            for pair, duel in self.duels.items()
            if bot in pair and not self.out - {bot} & set(pair)
        ]
        return mean(shares) if shares else 0.5

    def order(self) -> list[int]:
        """All bots, the strongest first, suspended ones last; equals in the order of the config."""
        everybody = range(len(self.names))
        return sorted(everybody, key=lambda bot: (bot in self.out, -self.strength(bot), bot))

    def doubtful(self) -> list[tuple[int, int]]:
        """Neighbours in the order without a verdict."""
        playing = [bot for bot in self.order() if bot not in self.out]
        pairs = [pair_key(*pair) for pair in itertools.pairwise(playing)]
        return [pair for pair in pairs if self.verdicts[pair] == "open"]

    def summary(self) -> Summary:
        order, options = self.order(), self.table.options
        rows = []
        for place, bot in enumerate(order):
            last = place + 1 == len(order)
            row = (str(place + 1), self.shown(bot), f"{100 * self.strength(bot):.1f}")
            rows.append((*row, *(("", "", "") if last else self._against(bot, order[place + 1]))))
        doubts = self.doubtful()
        state = "every place is settled"
        if doubts:
            state = f"{len(doubts)} of {max(0, len(self.playing) - 1)} neighbours still in doubt"
            if not any(map(self.left, doubts)):
                state += ", and they have met on every position"
        return Summary(
            f"Order after {self.spent:,} of at most {options.budget:,} deal sets: {state}",
            ("Place", "Bot", "Share %", "Than the next", "Sets", "Share of the two %"),
            tuple(rows),
            (
                "Share %: of what was played for, every opponent counting the same, suspended ones not.",
                "Than the next: by the sequential test; its interval holds at all looks together.",
                f"Equal: less than {100 * options.margin:g} % from a half. Error of each: {options.error:g}.",
            ),
        )

    def _against(self, bot: int, other: int) -> tuple[str, str, str]:
        """Verdict, deal sets and share with its interval, as the bot above sees them."""
        pair = pair_key(bot, other)
        shares, verdict = self.duels[pair].shares, self.verdicts[pair]
        low, high = self.table.options.test.interval(shares)
        share = shares.mean
        if pair[0] != bot:
            low, share, high = 1 - high, 1 - share, 1 - low
            verdict = {"better": "worse", "worse": "better"}.get(verdict, verdict)
        shown = f"{100 * share:.1f} ({100 * low:.1f} to {100 * high:.1f})"
        return verdict.replace("open", "in doubt"), str(len(shares)), shown
