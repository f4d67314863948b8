"""The search for block designs: line-ups in which everybody meets everybody equally often.

Simulated annealing on the sum of squared meetings, which is least where all counts are within one. It
uses nothing but `Random.random`, which is promised to stay the same in every version of Python, and
counts steps instead of seconds: a design is the same wherever it is made.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from random import Random
from typing import Final

LineUp = tuple[int, ...]
"""Numbers of the bots that meet, ascending."""

_STEPS: Final = 30_000
"""Changes that a search tries before it is content with what it has."""


class Search(ABC):
    """A set of line-ups that gets more even."""

    uneven: int
    """How far the squared meetings are above the least possible; 0: all counts are within one."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def run(self) -> None:
        """Search until everything is even or the steps are used up."""
        for step in range(_STEPS):
            if self.uneven == 0:
                return
            self.step(2.0 * (1 - step / _STEPS) + 0.05)

    @abstractmethod
    def step(self, heat: float) -> None:
        """Try one change; the hotter, the more is put up with."""

    @abstractmethod
    def line_ups(self) -> list[LineUp]:
        """What there is now."""

    def accepts(self, change: int, heat: float) -> bool:
        """Whether to go on with what makes things less even by `change`."""
        return change <= 0 or self._rng.random() < math.exp(-change / heat)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return int(self._rng.random() * n)


def least_squares(bots: int, size: int, number: int) -> int:
    """The least sum over all pairs of bots of their squared meetings."""
    pairs = math.comb(bots, 2)
    low, more = divmod(number * math.comb(size, 2), pairs)
    return (pairs - more) * low**2 + more * (low + 1) ** 2


class Exchanges(Search):
    """Any number of line-ups, as bit masks: two of them exchange a bot each."""

    def __init__(self, bots: int, size: int, number: int, rng: Random) -> None:
        super().__init__(rng)
        self._masks = self._dealt(bots, size, number)
        self._taken = set(self._masks)
        self._met = [[0] * bots for _ in range(bots)]
        for mask in self._masks:
            for one, other in itertools.permutations(members(mask), 2):
                self._met[one][other] += 1
        squares = sum(n * n for row in self._met for n in row) // 2
        self.uneven = squares - least_squares(bots, size, number)

    def line_ups(self) -> list[LineUp]:
        return [members(mask) for mask in self._masks]

    def step(self, heat: float) -> None:
        one, other = self.below(len(self._masks)), self.below(len(self._masks))
        first, second = self._masks[one], self._masks[other]
        mine, theirs = members(first & ~second), members(second & ~first)
        if len(mine) < 2:
            return  # an exchange would change nothing
        x, y = mine[self.below(len(mine))], theirs[self.below(len(theirs))]
        swap = 1 << x | 1 << y
        if first ^ swap in self._taken or second ^ swap in self._taken:
            return
        # Those whom both line-ups have meet x and y as often as before.
        stay, gain = [bot for bot in mine if bot != x], [bot for bot in theirs if bot != y]
        with_x, with_y = self._met[x], self._met[y]
        change = 2 * (
            sum(with_y[bot] - with_x[bot] + 1 for bot in stay)
            + sum(with_x[bot] - with_y[bot] + 1 for bot in gain)
        )
        if not self.accepts(change, heat):
            return
        self.uneven += change
        self._taken -= {first, second}
        self._masks[one], self._masks[other] = first ^ swap, second ^ swap
        self._taken |= {first ^ swap, second ^ swap}
        for group, sign in ((stay, 1), (gain, -1)):
            for bot in group:
                with_y[bot] += sign
                with_x[bot] -= sign
                self._met[bot][y] += sign
                self._met[bot][x] -= sign

    def _dealt(self, bots: int, size: int, number: int) -> list[int]:
        """Different line-ups with everybody in as many, within one."""
        taken: dict[int, None] = {}
        games = [0] * bots
        while len(taken) < number:
            order = sorted(range(bots), key=lambda _: self._rng.random())
            mask = sum(1 << bot for bot in order[:size])
            if mask not in taken:
                taken[mask] = None
                for bot in order[:size]:
                    games[bot] += 1
        masks = list(taken)
        while max(games) - min(games) > 1:
            most, least = games.index(max(games)), games.index(min(games))
            swap = 1 << most | 1 << least
            at = self.below(number)
            # `most` is in more line-ups than `least`, so in one whose change is not there yet.
            while masks[at] & swap != 1 << most or masks[at] ^ swap in taken:
                at = (at + 1) % number
            del taken[masks[at]]
            masks[at] ^= swap
            taken[masks[at]] = None
            games[most] -= 1
            games[least] += 1
        return masks


class Turns(Search):
    """A multiple of as many line-ups as there are bots: some are chosen, and all are turned round.

    Everybody is then in equally many, and how often two meet depends on their distance alone.
    """

    def __init__(self, bots: int, size: int, number: int, rng: Random) -> None:
        super().__init__(rng)
        self._bots = bots
        self._bases: list[LineUp] = []
        self._taken: set[LineUp] = set()
        while len(self._bases) < number // bots:
            order = sorted(range(bots), key=lambda _: self._rng.random())
            base = self._first(order[:size])
            if base is not None and base not in self._taken:
                self._bases.append(base)
                self._taken.add(base)
        self._least = least_squares(bots, size, number)
        self._at = [0] * (bots // 2 + 1)
        """For every distance, how often two at that distance meet."""
        for base in self._bases:
            self._count(base, 1)
        self.uneven = self._squares() - self._least

    @staticmethod
    def can(bots: int, size: int, number: int) -> bool:
        """Whether so many line-ups can be had by turning; of at most half of all there are enough."""
        return number % bots == 0 and 2 * number <= math.comb(bots, size)

    def line_ups(self) -> list[LineUp]:
        return [
            tuple(sorted((bot + turn) % self._bots for bot in base))
            for base in self._bases
            for turn in range(self._bots)
        ]

    def step(self, heat: float) -> None:
        at = self.below(len(self._bases))
        old = self._bases[at]
        changed = list(old)
        changed[self.below(len(old))] = self.below(self._bots)
        new = self._first(changed)
        if new is None or new in self._taken:
            return
        self._count(old, -1)
        self._count(new, 1)
        uneven = self._squares() - self._least
        if not self.accepts((uneven - self.uneven) // self._bots, heat):
            self._count(new, -1)
            self._count(old, 1)
            return
        self.uneven = uneven
        self._bases[at] = new
        self._taken.remove(old)
        self._taken.add(new)

    def _first(self, bots: list[int]) -> LineUp | None:
        """The smallest of all turns of a line-up; None where two bots or two turns are the same."""
        turns = [tuple(sorted((bot - base) % self._bots for bot in bots)) for base in bots]
        return min(turns) if len(set(turns)) == len(set(bots)) == len(turns) else None

    def _count(self, base: LineUp, sign: int) -> None:
        for one, other in itertools.combinations(base, 2):
            distance = min(other - one, self._bots - other + one)
            # Of those opposite one another there are half as many pairs.
            self._at[distance] += sign * (2 if 2 * distance == self._bots else 1)

    def _squares(self) -> int:
        whole = self._bots * sum(n * n for n in self._at)
        return whole - self._bots // 2 * self._at[-1] ** 2 if self._bots % 2 == 0 else whole


def members(mask: int) -> LineUp:
    """The bots of a bit mask."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)
