"""What the points between two deals are worth: the rest of the match, deal by deal, by how deals end.

A search that stops at the end of a deal needs the value of the match as it then stands. Every side is
taken to be as likely as any other to win a deal, by as much as it is won by in play: 290 deals of four
and 381 of three `seven-collector` (deals of luck 0 … 89).
"""

from __future__ import annotations

from typing import Final

from bots.core.search.rollout import Payoff
from engines.seven_symbols.seven_state import Setup

TEAMS: Final = {2: 86, 3: 68, 4: 59, 5: 69, 6: 8}
"""How often a team won a deal by so many points."""
ALONE: Final = {2: 131, 3: 127, 4: 47, 5: 4}
"""The same with three seats, where the others got nothing (SY-12)."""
SEVENTH: Final = {2: 9, 3: 21, 4: 18, 5: 12, 6: 6, 7: 2, 8: 4}
"""Where a seat took its seventh trick: the right neighbour's points; its left one gets half, rounded up."""


class Outlook:
    """Rewards of the match by the points before the next deal."""

    def __init__(self, setup: Setup, payoff: Payoff) -> None:
        self.setup = setup
        self.payoff = payoff
        self.sides = 2 if setup.seats == 4 else 3
        self.results = _results(self.sides, simple=setup.simple)
        self.known: dict[tuple[int, ...], list[float]] = {}

    def table(self) -> list[list[float]]:
        """By points p of the sides, one entry a seat; (p0, p1, p2) is at p0 + (p1 + p2 * target) * target.

        Empty where the number of deals is fixed.
        """
        target = int(self.setup.target)
        if self.setup.deals:
            return []
        third = range(target) if self.sides == 3 else range(1)
        return [
            self.worth((a, b, c)[: self.sides]) for c in third for b in range(target) for a in range(target)
        ]

    def worth(self, points: tuple[int, ...]) -> list[float]:
        """What the match is worth to every seat with these points of the sides."""
        found = self.known.get(points)
        if found is None:
            if max(points) >= self.setup.target:
                seats = range(self.setup.seats)
                found = self.payoff.of([float(points[seat % self.sides]) for seat in seats])
            else:
                found = [0.0] * self.setup.seats
                for gains, chance in self.results:
                    after = tuple(p + gain for p, gain in zip(points, gains, strict=True))
                    for seat, value in enumerate(self.worth(after)):
                        found[seat] += chance * value
            self.known[points] = found
        return found


def _results(sides: int, *, simple: bool) -> list[tuple[tuple[int, ...], float]]:
    """How a deal may end: the points that each side gets, and how likely."""
    counted: dict[tuple[int, ...], int] = {}
    for winner in range(sides):
        for points, times in (TEAMS if sides == 2 else ALONE).items():
            gains = [0] * sides
            gains[winner] = 1 if simple else points
            counted[tuple(gains)] = counted.get(tuple(gains), 0) + times
        for points, times in (SEVENTH if sides == 3 else {}).items():
            gains = [0] * sides
            gains[winner] = 1 if simple else points
            gains[winner - 1] = 0 if simple else (points + 1) // 2
            counted[tuple(gains)] = counted.get(tuple(gains), 0) + times
    total = sum(counted.values())
    return [(gains, times / total) for gains, times in counted.items()]
