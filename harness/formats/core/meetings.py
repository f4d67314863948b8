"""Who meets on which deals: blocks of deals in rounds of growing size, and pairings of two bots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from harness.formats.core.format import MAX_SETS, DealSet, Table, Unservable
from harness.seating import pairing

FIRST_ROUND = 256
"""Matches at which the first round of a fixed schedule ends; each is twice as long, up to LAST_ROUND."""
LAST_ROUND = 65_536


def deal_blocks(deals: int, per_deal: int) -> Iterator[range]:
    """Deals 0 … deals-1 in blocks, for a schedule that plays `per_deal` matches of each.

    A run can be looked at after every block, and one that asks for more deals goes on with the same ids.
    """
    first, size = 0, FIRST_ROUND
    while first < deals:
        last = min(deals, first + max(1, math.ceil(size / per_deal)))
        yield range(first, last)
        first, size = last, min(2 * size, LAST_ROUND)


def need_two(table: Table) -> None:
    """Raise Unservable where there are not two bots to meet."""
    if len(table.bots) < 2:
        here = ", ".join(ref.name for ref in table.bots) or "none"
        raise Unservable(f"{table.game.name} needs at least two bots that play it, got {here}")


def check_size(sets: int, what: str) -> None:
    """Raise Unservable where a round has more deal sets than match ids have room for."""
    if sets > MAX_SETS:
        raise Unservable(f"{what} make {sets:,} deal sets in one round; there is room for {MAX_SETS:,}")


def between(found: tuple[int, int]) -> str:
    """`3` or `3 to 4`."""
    return f"{found[0]}" if found[0] == found[1] else f"{found[0]} to {found[1]}"


def pair_number(one: int, other: int, bots: int) -> int:
    """The number of the line-up of two bots, from 1, in the order of all pairs."""
    low, high = pair_key(one, other)
    return low * (2 * bots - low - 1) // 2 + high - low


def pair_key(one: int, other: int) -> tuple[int, int]:
    """Two bots whichever comes first."""
    return (one, other) if one < other else (other, one)


def pair_sets(table: Table, pairs: Iterable[tuple[int, int]], deals: Iterable[int]) -> list[DealSet]:
    """Pairings of two bots on the same deals, deal by deal; bots by their numbers at the table."""
    met = [pair_key(*pair) for pair in pairs]
    design = pairing(table.sides)
    return [
        DealSet(pair_number(one, other, len(table.bots)), (table.bots[one], table.bots[other]), deal, design)
        for deal in deals
        for one, other in met
    ]
