"""Adaptive: deal sets go where the order is still in doubt, until it is settled or the budget is gone.

First every two bots meet on the same deals. Then only neighbours in the order meet, and of those only such
as are neither told apart yet nor shown to be equal within the margin.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Generator, Iterable, Sequence
from statistics import NormalDist
from typing import Any, Final

from engines.core.errors import BadRules
from engines.core.rules import Rules, option
from harness.analysis.sets import mean, set_scores
from harness.formats import DealSet, Extent, RoundResults, Summary, Table, Unservable
from harness.formats.core import (
    Contest,
    check_size,
    followed,
    need_two,
    pair_key,
    pair_number,
    pair_sets,
    played_out,
)
from harness.records import MatchRecord
from harness.seating import pairing

_GROWTH: Final = 0.5
"""By how much of what two in doubt have played they play on, so that they are not looked at too often."""


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of an adaptive tournament."""

    deals: int = option(20, "deals on which every two bots meet to begin with", least=2)
    budget: int = option(5_000, "deal sets in all", least=1)
    margin: float = option(0.02, "two bots are equal if their shares of wins differ by less than this")
    confidence: float = option(0.95, "how sure each verdict on two bots is to be, over all looks at them")

    def check(self, field: dataclasses.Field[Any], value: Any) -> None:
        """Margin and confidence are shares."""
        if field.name in {"margin", "confidence"} and not (isinstance(value, float) and 0 < value < 1):
            raise BadRules(f"{field.name}: expected a number between 0 and 1, got {value!r}")
        super().check(field, value)


def rounds(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    """First everybody, then the neighbours that are in doubt."""
    return played_out(Adaptive(table))


def summary(table: Table, records: Iterable[MatchRecord]) -> Summary:
    """The order and its verdicts after the rounds that are whole."""
    return followed(Adaptive(table), records)


def plan(table: Table) -> Extent:
    """The most that it can be: the budget."""
    need_two(table)
    bots, options = len(table.bots), table.options
    pairs, seatings = math.comb(bots, 2), len(pairing(table.sides))
    if pairs * options.deals > options.budget:
        raise Unservable(
            f"{bots} bots that all meet on {options.deals} deals of {table.game.name} take "
            f"{pairs * options.deals:,} deal sets; the budget is {options.budget:,}",
            "format.budget",
        )
    check_size(options.budget, "a budget of so many")
    spare = options.budget - pairs * options.deals
    each = ((bots - 1) * options.deals + spare) * seatings
    return Extent(
        line_ups=pairs,
        deals=options.deals + spare,
        sets=options.budget,
        matches=options.budget * seatings,
        per_bot=dict.fromkeys((ref.name for ref in table.bots), each),
        at_most=True,
    )


class Duel:
    """What is known of two bots: the first one's share of wins in every deal set of theirs."""

    def __init__(self) -> None:
        self.shares: list[float] = []
        self.looks = 0
        self.verdict = ""
        """`better`, `worse` or `equal`, of the first; stays once it is there. Empty: in doubt."""

    @property
    def share(self) -> float:
        """The first one's share, from 0 to 1."""
        return mean(self.shares)

    def interval(self, level: float) -> tuple[float, float]:
        """Where the share is, with `level` sure: Student's, with a won and a lost set added.

        Those two keep a few sets that all went alike from being taken for certainty (Agresti and Coull).
        """
        shares = [*self.shares, 0.0, 1.0]
        count, centre = len(shares), mean(shares)
        error = math.sqrt(math.fsum((share - centre) ** 2 for share in shares) / (count - 1) / count)
        reach = student(1 - (1 - level) / 2, count - 1) * error
        return centre - reach, centre + reach

    def look(self, margin: float, confidence: float) -> None:
        """Come to a verdict if that can be done: the k-th look may err with (1 - confidence) / k(k + 1)."""
        self.looks += 1
        low, high = self.interval(1 - (1 - confidence) / (self.looks * (self.looks + 1)))
        if self.verdict:
            return
        if low > 0.5:
            self.verdict = "better"
        elif high < 0.5:
            self.verdict = "worse"
        elif high - 0.5 < margin / 2 and 0.5 - low < margin / 2:
            self.verdict = "equal"  # shares add up to one, so they differ by twice what one is off by


class Adaptive(Contest):
    """What is known of every two bots."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.duels = {pair: Duel() for pair in itertools.combinations(range(len(table.bots)), 2)}
        self.spent = 0

    def deal_sets(self) -> Sequence[DealSet]:
        options = self.table.options
        if not self.spent:
            self.spent = len(self.duels) * options.deals
            return pair_sets(self.table, self.duels, range(options.deals))
        doubtful = self.doubtful()
        wants = [max(1, round(_GROWTH * len(self.duels[pair].shares))) for pair in doubtful]
        left = options.budget - self.spent
        if sum(wants) > left:
            wants = [left // len(wants) + (place < left % len(wants)) for place in range(len(wants))]
        found: list[DealSet] = []
        for pair, want in zip(doubtful, wants, strict=True):
            first = len(self.duels[pair].shares)
            found += pair_sets(self.table, [pair], range(first, first + want))
        self.spent += len(found)
        return found

    def take(self, records: Iterable[MatchRecord]) -> None:
        new: dict[int, list[float]] = {}
        first = {pair_number(*pair, len(self.names)): self.names[pair[0]] for pair in self.duels}
        for found in set_scores(records):
            new.setdefault(found.line_up, []).append(found.share(first[found.line_up]))
        for pair, duel in self.duels.items():
            if shares := new.get(pair_number(*pair, len(self.names))):
                duel.shares += shares
                duel.look(self.table.options.margin, self.table.options.confidence)

    def strength(self, bot: int) -> float:
        """The mean share of wins, every opponent counting the same."""
        return mean(
            [
                duel.share if pair[0] == bot else 1 - duel.share
                for pair, duel in self.duels.items()
                if bot in pair and duel.shares
            ]
        )

    def order(self) -> list[int]:
        """All bots, the strongest first; equals in the order of the config."""
        return sorted(range(len(self.names)), key=lambda bot: (-self.strength(bot), bot))

    def doubtful(self) -> list[tuple[int, int]]:
        """Neighbours in the order without a verdict."""
        pairs = [pair_key(*pair) for pair in itertools.pairwise(self.order())]
        return [pair for pair in pairs if not self.duels[pair].verdict]

    def summary(self) -> Summary:
        order = self.order() if self.spent else list(range(len(self.names)))
        rows = []
        for place, bot in enumerate(order):
            row = [str(place + 1), self.names[bot], f"{100 * self.strength(bot):.1f}"]
            row += self._against(bot, order[place + 1]) if place + 1 < len(order) else ["", "", ""]
            rows.append(tuple(row))
        options = self.table.options
        doubts = len(self.doubtful())
        state = "every place is settled" if not doubts else f"{doubts} of {len(order) - 1} still in doubt"
        return Summary(
            f"Order after {self.spent:,} of {options.budget:,} deal sets: {state}",
            ("Place", "Bot", "Score %", "Next", "Sets", "Share of wins"),
            tuple(rows),
            (
                "Score %: mean share of wins, every opponent counting the same. Next: than the bot below.",
                f"Each verdict is {100 * options.confidence:g} % sure over all looks; "
                f"equal: shares within {options.margin:g}.",
            ),
        )

    def _against(self, bot: int, other: int) -> list[str]:
        """Verdict, deal sets and share with its interval, as the bot above sees it."""
        pair = pair_key(bot, other)
        duel = self.duels[pair]
        if not duel.shares:
            return ["", "", ""]
        words = {"better": "better", "worse": "worse", "equal": "equal", "": "in doubt"}
        turned = pair[0] != bot
        verdict = (
            {"better": "worse", "worse": "better"}.get(duel.verdict, duel.verdict) if turned else duel.verdict
        )
        level = self.table.options.confidence
        low, high = duel.interval(1 - (1 - level) / (duel.looks * (duel.looks + 1)))
        share = 1 - duel.share if turned else duel.share
        low, high = (1 - high, 1 - low) if turned else (low, high)
        return [words[verdict], str(len(duel.shares)), f"{share:.3f} ({low:.3f} to {high:.3f})"]


def student(p: float, freedom: int) -> float:
    """The p-quantile of Student's t from about 10 degrees of freedom on (Hill's expansion in 1/freedom)."""
    z = NormalDist().inv_cdf(p)
    n = float(freedom)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
