"""Announce now, or wait until surer? Both valued in expected points, by drawn futures; compiled.

A future draws one true rack by the odds it is given and questions in an order that the rest of the stack
allows; along it the seat learns as it will in play (other racks stand as they do now). It also draws when
the match ends: a rival's time to an announcement falls from that of a fresh rack to nothing as it becomes
sure enough, and some announcements are right.

Whenever the seat announces, it begins anew with a fresh rack, which will be ready and right as often as
its rivals' are taken to be, until the match ends or the seat has all it needs. So waiting costs what later
racks would have brought.
"""

from __future__ import annotations

import math
from typing import Final, final

from mypy_extensions import i64

from engines.code777.questions import FEATURES, answer, counts_of
from engines.code777.tiles import NUMBER_INDEX, RACK_INDEX
from engines.code777.view import Code777View
from engines.core.chance import Stream, event_code

FUTURE: Final = event_code("code777 future")
AHEAD: Final[i64] = 14
"""Questions that a future looks ahead."""
PLANS: Final[list[float]] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99]
"""The plans of waiting that are compared: until so sure."""
FRESH: Final = 6.0
"""Answers heard until a fresh rack is known well enough, on average; a reader hears none of its own."""
AGAIN: Final = 11.0
"""The same for the own next racks, chosen by matches: with less it announces too soon."""
ENOUGH: Final = 0.65
"""How sure a seat is then."""
RIGHT: Final = 0.72
"""How often it is right then."""
LEAST: Final = 0.35
"""The part of that time that no luck shortens."""
FAR: Final = 60.0
"""Questions beyond which no end is looked for."""


def gains_of(seats: i64, target: i64) -> list[list[float]]:
    """The expected points of a fresh rack and its successors, by points that count and questions left."""
    again: float = AGAIN * float(seats) / float(seats - 1)
    likely: list[float] = [0.0]
    before: float = 0.0
    time: float = 1.0
    while time <= FAR:
        late: float = max(0.0, time / again - LEAST) / (1.0 - LEAST)
        until: float = 1.0 - math.exp(-late)
        likely.append(until - before)
        before = until
        time += 1.0
    length: i64 = len(likely)
    gains: list[list[float]] = [[0.0] * length]
    missing: i64 = 1
    while missing <= target:
        fewer = gains[missing - 1]
        row: list[float] = [0.0] * length
        rest: i64 = 1
        while rest < length:
            total: float = 0.0
            spent: i64 = 1
            while spent <= rest:
                right: float = RIGHT * (1.0 + fewer[rest - spent]) + (1.0 - RIGHT) * row[rest - spent]
                total += likely[spent] * right
                spent += 1
            row[rest] = total
            rest += 1
        gains.append(row)
        missing += 1
    return gains


@final
class Waiting:
    """One decision: the own racks that may be, with their odds, and what rivals know of theirs."""

    def __init__(
        self,
        view: Code777View,
        codes: list[int],
        chances: list[float],
        sure: list[float],
        gains: list[list[float]],
    ) -> None:
        self.view: Code777View = view
        self.codes: list[int] = codes
        self.chances: list[float] = chances
        self.sure: list[float] = sure
        """By seat: how sure it is of its rack; not looked at for the own one."""
        self.target: i64 = len(gains) - 1
        self.seats: i64 = len(view.scores)
        self.fresh: float = FRESH * float(self.seats) / float(self.seats - 1)
        self.gains: list[list[float]] = gains
        index = RACK_INDEX if view.colours else NUMBER_INDEX
        self.names: list[int] = [index[code] for code in codes]
        self.cards: list[int] = [card for card in range(1, 24) if view.cards >> card & 1]
        self.left: list[int] = [card for card in self.cards if card not in view.asked]
        self.heard: dict[int, list[int]] = {}
        self.found: list[float] = [0.0] * AHEAD
        self.sums: list[float] = [0.0] * 251
        self.everyone: list[int] = list(range(len(codes)))
        self.chance: float = self.best(self.everyone)
        """How likely the likeliest announcement is now."""
        self.likeliest: int = self.first_of_best()
        """The place of that among all announcements."""
        self.futures: i64 = 0
        self.points: list[float] = [0.0] * (len(PLANS) + 1)
        """The summed points of announcing now, then of each plan, over all futures drawn."""

    def draw(self, luck: i64) -> None:
        """Draw one more future, and value all plans in it."""
        stream = Stream(luck, FUTURE, self.futures)
        self.futures += 1
        self.learn(stream)
        missing: i64 = self.target - self.view.scores[self.view.seat]
        end: float = self.end(stream)
        self.points[0] += self.worth(self.chance, missing, end)
        plan: i64 = 0
        while plan < len(PLANS):
            level: float = PLANS[plan]
            at: i64 = 0
            while at < AHEAD - 1 and self.found[at] < level:
                at += 1
            rest: float = end - float(at + 1)
            if rest > 0.0:
                self.points[plan + 1] += self.worth(self.found[at], missing, rest)
            plan += 1

    def better_now(self) -> bool:
        """Whether announcing now is worth at least as much as every plan of waiting."""
        return self.points[0] >= max(self.points[1:])

    def worth(self, chance: float, missing: i64, rest: float) -> float:
        """The expected points from an announcement on, `rest` questions before the end."""
        right: float = 1.0 + self.later(missing - 1, rest)
        return chance * right + (1.0 - chance) * self.later(missing, rest)

    def later(self, missing: i64, rest: float) -> float:
        """Points of a fresh rack and its successors in so many questions, of which `missing` count."""
        if missing <= 0 or rest <= 0.0:
            return 0.0
        gains = self.gains[missing]
        whole: i64 = int(rest)
        if whole >= len(gains) - 1:
            return gains[-1]
        part: float = rest - float(whole)
        return gains[whole] * (1.0 - part) + gains[whole + 1] * part

    def first_of_best(self) -> int:
        """The likeliest announcement; of equals the first."""
        sums: dict[int, float] = {}
        for name, chance in zip(self.names, self.chances, strict=True):
            sums[name] = sums.get(name, 0.0) + chance
        best = min(sums)
        for name in sorted(sums):
            if sums[name] > sums[best]:
                best = name
        return best

    # --- what a future brings

    def learn(self, stream: Stream) -> None:
        """How likely the likeliest announcement will be after 1, 2, … AHEAD more questions."""
        true: i64 = self.truth(stream)
        stack = self.left[:]
        stream.shuffle(stack)
        view = self.view
        reader: i64 = view.reader if view.question else view.reader - 1
        alive = self.everyone
        best: float = -1.0
        step: i64 = 0
        while step < AHEAD:
            if not stack:
                stack = self.cards[:]
                stream.shuffle(stack)
            question: i64 = stack.pop()
            reader = reader + 1 if reader + 1 < self.seats else 0
            if reader != view.seat and best < 1.0:
                heard = self.answers(question, reader)
                told: i64 = heard[true]
                rest: list[int] = []
                for place in alive:
                    if heard[place] == told:
                        rest.append(place)
                alive = rest
                best = self.best(alive)
            elif best < 0.0:
                best = self.best(alive)
            self.found[step] = best
            step += 1

    def truth(self, stream: Stream) -> i64:
        """The place of the rack that this future has on the own stand."""
        left: float = float(stream.word()) / 4294967296.0
        place: i64 = 0
        last: i64 = len(self.chances) - 1
        while place < last:
            left -= self.chances[place]
            if left < 0.0:
                break
            place += 1
        return place

    def best(self, alive: list[int]) -> float:
        """The chance of the likeliest announcement while only these racks are possible."""
        sums = self.sums
        total: float = 0.0
        for place in alive:
            chance: float = self.chances[place]
            sums[self.names[place]] += chance
            total += chance
        highest: float = 0.0
        for place in alive:
            name: i64 = self.names[place]
            highest = max(highest, sums[name])
            sums[name] = 0.0
        return min(1.0, highest / total) if total > 0.0 else 0.0

    def answers(self, question: i64, reader: i64) -> list[int]:
        """The answer to `question` by `reader`, for every rack that the seat may have."""
        key: i64 = question * 8 + reader
        found = self.heard.get(key)
        if found is not None:
            return found
        view = self.view
        counts: i64 = 0
        features: i64 = 0
        for place, code in enumerate(view.racks):
            if place != reader and place != view.seat:  # noqa: PLR1714 - a tuple would box native ints
                counts += counts_of(code)
                features += FEATURES[code]
        found = []
        for code in self.codes:
            more: i64 = features + FEATURES[code]
            found.append(answer(question, counts + counts_of(code), more, view.at_least))
        self.heard[key] = found
        return found

    def end(self, stream: Stream) -> float:
        """A draw of the questions until some rival has all its points."""
        view = self.view
        first: float = FAR
        seat: i64 = 0
        while seat < self.seats:
            if seat != view.seat:
                missing: i64 = self.target - view.scores[seat]
                left: float = max(0.0, 1.0 - self.sure[seat] / ENOUGH)
                time: float = 0.0
                while missing > 0 and time < first:
                    uniform: float = float(stream.word()) / 4294967296.0
                    time += self.fresh * left * (LEAST - (1.0 - LEAST) * math.log(1.0 - uniform))
                    if float(stream.word()) < RIGHT * 4294967296.0:
                        missing -= 1
                    left = 1.0
                first = min(first, time)
            seat += 1
        return first
