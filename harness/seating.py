"""Who sits where: the seatings by which a deal set plays one deal.

A seating has one entry a seat, the number of the bot within its line-up. Seats of one side get the
same bot (copies of it), save where partners are mixed. Everything is decided by side, so that one text serves
games in which each plays alone and games in teams.
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


def has_partners(sides: Sequence[int]) -> bool:
    """Whether the seats make up teams of the same size, two or more each."""
    sizes = {sides.count(side) for side in sides}
    return len(sizes) == 1 and sizes != {1}


def mixed(sides: Sequence[int]) -> tuple[Seating, ...]:
    """As many different bots as seats, in all partnerings; each of these with all in every seat once.

    Two teams of two: three partnerings, four seatings each. Everybody has everybody as a partner equally
    often, and as an opponent. Raises ValueError where the seats do not make up teams of one size.
    """
    if not has_partners(sides):
        raise ValueError(f"expected teams of two or more and of the same size, got sides {tuple(sides)}")
    seats = [[seat for seat, side in enumerate(sides) if side == team] for team in sides_of(sides)]
    size = len(seats[0])
    found = []
    for teams in _partnerings(tuple(range(len(sides))), size):
        for turn in range(len(seats)):
            for shift in range(size):
                seating = [0] * len(sides)
                for number, team in enumerate(teams):
                    for member, bot in enumerate(team):
                        seating[seats[(number + turn) % len(seats)][(member + shift) % size]] = bot
                found.append(tuple(seating))
    return tuple(found)


def _partnerings(bots: tuple[int, ...], size: int) -> Iterable[tuple[tuple[int, ...], ...]]:
    """All ways in which bots can be put into teams of `size`."""
    if not bots:
        yield ()
        return
    first, rest = bots[0], bots[1:]
    for partners in itertools.combinations(rest, size - 1):
        left = tuple(bot for bot in rest if bot not in partners)
        for others in _partnerings(left, size):
            yield ((first, *partners), *others)


DESIGNS = {"rotations": rotations, "all": orders}
"""Seatings of a line-up of different bots, by their names in a config."""


def _seated(sides: Sequence[int], by_side: Iterable[Sequence[int]]) -> tuple[Seating, ...]:
    """Seatings from the bots of each side."""
    place = {side: index for index, side in enumerate(sides_of(sides))}
    return tuple(tuple(bots[place[side]] for side in sides) for bots in by_side)
