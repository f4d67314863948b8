"""Keeps what the play of all rivals tells of the own rack, from one decision to the next."""

from __future__ import annotations

from random import Random
from typing import Final

from bots.code777.outlook import Outlook
from bots.code777.tells import Tells
from bots.core.search.budget import Budget
from engines.code777 import Code777View
from engines.code777.posterior import solved
from engines.code777.record import ANNOUNCED, REFILLED
from engines.code777.tiles import RACK_INDEX

LEAST_HEARD: Final = 2
"""Answers before which nobody can know enough to be worth looking at."""
DEAF: Final = 0.9
"""How surely a rival announces at random when nothing it does is looked at any more."""


class Listener:
    """One seat's ears. Call `hear` and then `look` at every decision in a window."""

    def __init__(self, seats: int, seat: int, announcements: int, rng: Random) -> None:
        self.seat = seat
        self.rng = rng
        self.tells = {rival: Tells(announcements) for rival in range(seats) if rival != seat}
        self.codes: list[int] = []
        """The racks that the seat may have."""
        self.chances: list[float] = []
        """How likely each of them is."""
        self._racks: list[int] = []
        self._asked: list[int] = []
        self._heard = 0
        self._refills = (0,) * max(4, seats)

    def hear(self, view: Code777View) -> None:
        """Take in what happened since the last decision; `codes` and `chances` are then of now."""
        news, self._heard = view.record[self._heard :], len(view.record)
        if view.refills[self.seat] != self._refills[self.seat]:
            self._close(news)
        else:
            self._weigh_choices(news)
        for rival, tells in self.tells.items():
            if view.refills[rival] != self._refills[rival]:
                tells.renew()
        self._refills = view.refills
        self._asked = []
        histories = solved(view)
        present = [(c, p) for c, p in zip(histories.codes[-1], histories.present, strict=True) if p > 0]
        self.codes = [code for code, _ in present]
        self._racks = [RACK_INDEX[code] for code in self.codes]
        weights = [p for _, p in present]
        for tells in self.tells.values():
            weights = [w * t for w, t in zip(weights, tells.weights(self._racks), strict=True)]
        total = sum(weights)
        self.chances = [weight / total for weight in weights]

    def look(self, view: Code777View, budget: Budget) -> None:
        """Work out what the rivals that are asked now may know, for the likeliest own racks first."""
        self._asked = [rival for rival in self.tells if rival not in view.done]
        for rival in self._asked:
            self.tells[rival].look()
        outlook = Outlook(view, self.rng)
        worth = [r for r in self._asked if outlook.heard(r) >= LEAST_HEARD and self._random(r) < DEAF]
        places = {code: place for place, code in enumerate(outlook.codes)}
        order = sorted(range(len(self.codes)), key=lambda i: (-self.chances[i], i))
        for at, rival in ((at, rival) for at in order for rival in worth):
            if not budget.more():
                break
            found = outlook.of(rival, places[self.codes[at]])
            self.tells[rival].suppose(self._racks[at], found.chance, found.place)
        for rival in self._asked:
            self.tells[rival].complete(self._racks)

    def sure(self) -> list[float]:
        """By seat: how sure of its rack each rival that was looked at is, on average; 0 for others."""
        found = [0.0] * (len(self.tells) + 1)
        for rival in self._asked:
            found[rival] = self.tells[rival].mean(self._racks, self.chances)
        return found

    def _weigh_choices(self, news: tuple[int, ...]) -> None:
        said = {word >> 2 & 7: word >> 6 for word in news if word & 3 == ANNOUNCED}
        for rival in self._asked:
            if rival in said:
                self.tells[rival].announced(self._racks, said[rival])
            else:
                self.tells[rival].passed(self._racks)

    def _close(self, news: tuple[int, ...]) -> None:
        """The own rack is a new one. Where the old one was shown, rivals are judged by that alone."""
        own = REFILLED | self.seat << 2
        shown = [word >> 11 for word in news if word & 31 == own and word >> 11]
        racks, chances = self._racks, self.chances
        if shown and shown[0] in self.codes:
            racks, chances = [RACK_INDEX[shown[0]]], [1.0]
        for tells in self.tells.values():
            tells.close(racks, chances)

    def _random(self, rival: int) -> float:
        return self.tells[rival].random(self._racks, self.chances)
