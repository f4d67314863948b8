"""What a rival's announcements and its silence tell of the own rack; compiled.

A rival announces when it is sure enough, and how sure it can be depends on the racks that it sees, the
own one among them. Each rival is taken to draw, for every rack it gets, how sure it wants to be: logistic
about a level, with a spread, both unknown. While it is silent that was above all it has known so far;
when it announces it was between that and what it knows now. So for every rack that the own seat may have
its play has a likelihood, and Bayes' rule does the rest.

Levels and spreads are learnt as well: a rival is one of KINDS, and its kind is the likelier the better it
explains its play. One of them announces at random whatever it knows, so little is read into the play of
a rival that is better explained by that. SLIP keeps every inference from being final.
"""

from __future__ import annotations

import math
from typing import Final, final

from mypy_extensions import i64

KINDS: Final[list[tuple[float, float]]] = [
    (0.3, 0.04),
    (0.4, 0.04),
    (0.5, 0.04),
    (0.6, 0.04),
    (0.7, 0.04),
    (0.8, 0.04),
    (0.95, 0.02),
    (0.45, 0.12),
    (0.65, 0.12),
    (0.85, 0.12),
    (2.0, 0.1),
]
"""Level and spread; the last never announces."""
SLIP: Final = 0.02
"""The chance that a rival does not play as its kind."""
OTHER: Final = 0.1
"""How often an announcement is not what the rival should find likeliest."""
UNKNOWN: Final = 0.1
"""How often an announcement is what a rival that was not looked at finds likeliest."""
TINY: Final = 1e-9
RACK_COUNT: Final[i64] = 251


def sure_enough(chance: float, level: float, spread: float) -> float:
    """The chance that a seat which knows this much announces, or has announced."""
    if chance <= 0.0:
        return 0.0
    return 1.0 / (1.0 + math.exp((level - chance) / spread))


@final
class Tells:
    """One rival's play while one own rack stands, for each of the 251 racks that may be it."""

    def __init__(self, announcements: int) -> None:
        self.announcements: float = float(announcements)
        self.kinds: list[float] = [1.0 / (len(KINDS) + 1)] * (len(KINDS) + 1)
        """How likely each kind is by play before the own rack came; the last announces at random."""
        self.noise: float = 1.0
        """The likelihood of its play if it is random."""
        self.past: list[list[float]] = []
        """By kind and rack: the likelihood of its play with racks that it has announced."""
        self.before: float = 0.0
        """How sure it was already when the own rack came."""
        self.most: list[float] = []
        """How sure it has been at most with its present rack, by own rack."""
        self.now: list[float] = []
        """How sure it is at present."""
        self.name: list[int] = []
        """What it finds likeliest."""
        self.clear()

    def clear(self) -> None:
        """A new own rack: nothing has been seen since."""
        self.noise = 1.0
        self.past = [[1.0] * RACK_COUNT for _ in KINDS]
        self.most = [0.0] * RACK_COUNT
        self.look()

    def look(self) -> None:
        """Before a choice of the rival: nothing is known yet of what it knows."""
        self.now = [-1.0] * RACK_COUNT
        self.name = [-1] * RACK_COUNT

    def suppose(self, rack: i64, chance: float, name: i64) -> None:
        """With this own rack the rival is so sure of this announcement."""
        self.now[rack] = chance
        self.name[rack] = name

    def complete(self, racks: list[int]) -> None:
        """Racks that were not looked at are taken to be as those that were, on average."""
        total: float = 0.0
        count: float = 0.0
        for rack in racks:
            if self.now[rack] >= 0.0:
                total += self.now[rack]
                count += 1.0
        average: float = total / count if count > 0.0 else 0.0
        for rack in racks:
            if self.now[rack] < 0.0:
                self.now[rack] = average

    def mean(self, racks: list[int], chances: list[float]) -> float:
        """How sure the rival is at present, over all own racks."""
        total: float = 0.0
        place: i64 = 0
        while place < len(racks):
            total += chances[place] * max(0.0, self.now[racks[place]])
            place += 1
        return total

    def passed(self, racks: list[int]) -> None:
        """It chose to say nothing; `racks` are those that the own seat may have."""
        self.noise /= self.announcements + 1.0
        for rack in racks:
            self.most[rack] = max(self.most[rack], self.now[rack])

    def announced(self, racks: list[int], name: i64) -> None:
        """It announced this."""
        self.noise /= self.announcements + 1.0
        kind: i64 = 0
        while kind < len(KINDS):
            level: float = KINDS[kind][0]
            spread: float = KINDS[kind][1]
            past: list[float] = self.past[kind]
            start: float = sure_enough(self.before, level, spread)
            for rack in racks:
                until: float = max(start, sure_enough(self.most[rack], level, spread))
                reached: float = max(until, sure_enough(self.now[rack], level, spread))
                told: float = OTHER / self.announcements
                if self.name[rack] == name:
                    told += 1.0 - OTHER
                elif self.name[rack] < 0:
                    told += (1.0 - OTHER) * UNKNOWN
                likely: float = (reached - until) / (1.0 - start + TINY) * told
                past[rack] *= likely * (1.0 - SLIP) + SLIP / self.announcements
            kind += 1
        self.renew()

    def renew(self) -> None:
        """It has a new rack, of which it knows nothing."""
        self.before = 0.0
        self.most = [0.0] * RACK_COUNT

    def likelihoods(self, racks: list[int], kind: i64) -> list[float]:
        """For each rack how well a kind explains all that the rival has done."""
        if kind == len(KINDS):
            return [self.noise] * len(racks)
        level: float = KINDS[kind][0]
        spread: float = KINDS[kind][1]
        past: list[float] = self.past[kind]
        start: float = sure_enough(self.before, level, spread)
        found: list[float] = []
        for rack in racks:
            until: float = max(start, sure_enough(self.most[rack], level, spread))
            silent: float = (1.0 - until + TINY) / (1.0 - start + TINY)
            found.append(past[rack] * (silent * (1.0 - SLIP) + SLIP))
        return found

    def weights(self, racks: list[int]) -> list[float]:
        """The likelihood of all it has done for each of these own racks, over all kinds."""
        found: list[float] = [0.0] * len(racks)
        kind: i64 = 0
        while kind < len(self.kinds):
            share: float = self.kinds[kind]
            for place, likely in enumerate(self.likelihoods(racks, kind)):
                found[place] += share * likely
            kind += 1
        return found

    def learnt(self, racks: list[int], chances: list[float]) -> list[float]:
        """How likely each kind is, where these own racks have such chances."""
        found: list[float] = []
        kind: i64 = 0
        while kind < len(self.kinds):
            total: float = 0.0
            for place, likely in enumerate(self.likelihoods(racks, kind)):
                total += chances[place] * likely
            found.append(self.kinds[kind] * total)
            kind += 1
        whole: float = sum(found)
        return [one / whole for one in found] if whole > 0.0 else self.kinds

    def random(self, racks: list[int], chances: list[float]) -> float:
        """How likely it is that the rival announces at random."""
        return self.learnt(racks, chances)[-1]

    def close(self, racks: list[int], chances: list[float]) -> None:
        """The own rack is gone, and was each of these with such a chance: keep what kind the rival is."""
        self.kinds = self.learnt(racks, chances)
        sure: float = 0.0
        place: i64 = 0
        while place < len(racks):
            sure += chances[place] * self.most[racks[place]]
            place += 1
        self.before = max(self.before, sure)
        self.clear()
