"""Everybody meets everybody: every set of as many different bots as a game has sides, on the same deals.

Where there are fewer bots than sides, every two of them meet in all mixed seatings.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Generator, Iterable, Iterator

from engines.core.rules import Rules, option
from harness.formats import MAX_SETS, DealSet, Extent, RoundResults, Table, Unservable
from harness.seating import DESIGNS, Seating, pairing, sides_of

FIRST_ROUND = 256
"""Matches at which the first round ends; each round is twice the one before, up to LAST_ROUND."""
LAST_ROUND = 65_536


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of a round robin."""

    deals: int = option(100, "deal sets for every line-up: deals 0 … deals-1 of the game", least=1)
    seating: str = option(
        "rotations",
        "how a line-up of different bots sits at each deal: moved round, or in every order",
        choices=tuple(DESIGNS),
    )


def rounds(table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
    """Blocks of whole deals: after each, and after each deal within, every line-up has played as much."""
    per_deal = count_line_ups(table) * len(seatings(table))
    first, size = 0, FIRST_ROUND
    while first < table.options.deals:
        last = min(table.options.deals, first + max(1, math.ceil(size / per_deal)))
        yield block(table, range(first, last))
        first, size = last, min(2 * size, LAST_ROUND)


def block(table: Table, deals: Iterable[int]) -> Iterator[DealSet]:
    """Every line-up on each of `deals`, deal by deal."""
    design = seatings(table)
    for deal in deals:
        for number, bots in enumerate(itertools.combinations(table.bots, meeting(table)), start=1):
            yield DealSet(number, bots, deal, design)


def plan(table: Table) -> Extent:
    """Counts, in closed form."""
    if len(table.bots) < 2:
        here = ", ".join(ref.name for ref in table.bots) or "none"
        raise Unservable(f"{table.game.name} needs at least two bots that play it, got {here}")
    line_ups = count_line_ups(table)
    if line_ups > MAX_SETS:
        raise Unservable(
            f"{len(table.bots)} bots make {line_ups} line-ups of {table.game.name}; "
            f"a round robin takes at most {MAX_SETS}"
        )
    deals = table.options.deals
    games = math.comb(len(table.bots) - 1, meeting(table) - 1) * deals * len(seatings(table))
    return Extent(
        line_ups=line_ups,
        deals=deals,
        sets=line_ups * deals,
        matches=line_ups * deals * len(seatings(table)),
        per_bot={ref.name: games for ref in table.bots},
    )


def meeting(table: Table) -> int:
    """How many different bots meet at a table: one a side, or two where there are too few for that."""
    sides = len(sides_of(table.sides))
    return sides if len(table.bots) >= sides else 2


def count_line_ups(table: Table) -> int:
    """How many different line-ups there are."""
    return math.comb(len(table.bots), meeting(table))


def seatings(table: Table) -> tuple[Seating, ...]:
    """The seatings of every deal set."""
    if meeting(table) < len(sides_of(table.sides)):
        return pairing(table.sides)
    return DESIGNS[table.options.seating](table.sides)
