"""Who sits where: the seatings by which a deal set plays one deal.

A seating has one entry a seat, the number of the bot within its line-up. Seats of one side get the
same bot (copies of it). Everything is decided by side, so that one text serves games in which each
plays alone and games in teams.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

Seating = tuple[int, ...]
"""For every seat the number of a bot in the line-up."""


def sides_of(sides: Sequence[int]) -> list[int]:
    """The sides of a game in the order of their first seats."""
    return list(dict.fromkeys(sides))


def rotations(sides: Sequence[int]) -> tuple[Seating, ...]:
    """As many different bots as sides, moved round by one side each time: all sit everywhere once."""
    n = len(sides_of(sides))
    return _seated(sides, ([(side + turn) % n for side in range(n)] for turn in range(n)))


def orders(sides: Sequence[int]) -> tuple[Seating, ...]:
    """As many different bots as sides, in every order."""
    return _seated(sides, itertools.permutations(range(len(sides_of(sides)))))


def pairing(sides: Sequence[int]) -> tuple[Seating, ...]:
    """Two bots at one table, in all mixed seatings in which each sits in every seat equally often.

    With two sides both ways round. With three 1 v 2 and 2 v 1, with four 1 v 3, 2 v 2 and 3 v 1: every
    mixed seating. With more than four the even splits only (five: 2 v 3 and 3 v 2).
    """
    n = len(sides_of(sides))
    shares = range(1, n) if n <= 4 else sorted({n // 2, n - n // 2})
    return _seated(
        sides,
        (
            [int(side not in first) for side in range(n)]
            for share in shares
            for first in itertools.combinations(range(n), share)
        ),
    )


DESIGNS = {"rotations": rotations, "all": orders}
"""Seatings of a line-up of different bots, by their names in a config."""


def _seated(sides: Sequence[int], by_side: Iterable[Sequence[int]]) -> tuple[Seating, ...]:
    """Seatings from the bots of each side."""
    place = {side: index for index, side in enumerate(sides_of(sides))}
    return tuple(tuple(bots[place[side]] for side in sides) for bots in by_side)
