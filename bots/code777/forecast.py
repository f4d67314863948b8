"""How sure of its own rack a seat will be after each of the next questions, by drawing them.

A path is one true rack, drawn by the posterior, and questions in an order that the rest of the stack
allows, read by the seats in turn; along it the seat learns as it will in play. Other racks are taken to
stand as they do now.
"""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import Final

from engines.code777.posterior import solved
from engines.code777.questions import answer_for
from engines.code777.tiles import NUMBER_INDEX, RACK_INDEX
from engines.code777.view import Code777View

AHEAD: Final = 14
"""Questions that a path looks ahead."""


class Forecast:
    """What a seat may learn from one view on."""

    def __init__(self, view: Code777View) -> None:
        self.view = view
        histories = solved(view)
        present = [(code, p) for code, p in zip(histories.codes[-1], histories.present, strict=True) if p > 0]
        self.racks = [code for code, _ in present]
        self.chances = [chance for _, chance in present]
        index = RACK_INDEX if view.colours else NUMBER_INDEX
        self.names = [index[code] for code in self.racks]
        self.seats = len(view.scores)
        self._running = list(accumulate(self.chances))
        self._heard: dict[tuple[int, int], list[int]] = {}

    def path(self, rng: Random) -> list[float]:
        """The chance of the likeliest announcement after 1, 2, … AHEAD more questions."""
        true = rng.choices(range(len(self.racks)), cum_weights=self._running)[0]
        view = self.view
        every = [card for card in range(1, 24) if view.cards >> card & 1]
        stack = [card for card in every if card not in view.asked]
        rng.shuffle(stack)
        reader = view.reader if view.question else view.reader - 1
        alive = list(range(len(self.racks)))
        found: list[float] = []
        best = self.best(alive)
        for _ in range(AHEAD):
            if not stack:
                stack = rng.sample(every, len(every))
            question = stack.pop()
            reader = (reader + 1) % self.seats
            if reader != view.seat and best < 1:
                heard = self.heard(question, reader)
                alive = [i for i in alive if heard[i] == heard[true]]
                best = self.best(alive)
            found.append(best)
        return found

    def best(self, alive: list[int]) -> float:
        """The chance of the likeliest announcement while only these racks are possible."""
        sums: dict[int, float] = {}
        for i in alive:
            sums[self.names[i]] = sums.get(self.names[i], 0.0) + self.chances[i]
        return min(1.0, max(sums.values()) / sum(sums.values()))

    def heard(self, question: int, reader: int) -> list[int]:
        """The answer to `question` by `reader`, for every rack that the seat may have."""
        found = self._heard.get((question, reader))
        if found is None:
            racks = list(self.view.racks)
            found = []
            for code in self.racks:
                racks[self.view.seat] = code
                found.append(answer_for(question, racks, reader, self.view.at_least))
            self._heard[question, reader] = found
        return found
