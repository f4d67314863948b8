"""What a rival can know of its own rack, for every rack that the own seat may have; compiled.

In Code 777 each seat sees all racks but its own. So once the own racks are supposed, the present one and
those that left unseen, nothing that a rival sees is hidden any more: its view follows, and from it the
exact odds of its rack.
"""

from __future__ import annotations

from random import Random
from typing import final

from mypy_extensions import i64

from engines.code777.evidence import Evidence
from engines.code777.histories import Histories
from engines.code777.posterior import solved
from engines.code777.record import ASKED, REFILLED, hide_own
from engines.code777.tiles import NUMBER_INDEX, RACK_INDEX
from engines.code777.view import Code777View


@final
class Likeliest:
    """A seat's likeliest announcement and how likely it is to that seat."""

    def __init__(self, place: i64, chance: float) -> None:
        self.place: i64 = place
        """Its place among all announcements."""
        self.chance: float = chance


@final
class Outlook:
    """One view, and what rivals can know at its moment."""

    def __init__(self, view: Code777View, rng: Random) -> None:
        self.view: Code777View = view
        self.rng: Random = rng
        self.histories: Histories = solved(view)
        self.codes: list[int] = self.histories.codes[-1]
        """The racks that the own seat may have."""
        self.chances: list[float] = self.histories.present
        """How likely each of them is by all that the view proves."""
        self.record: tuple[int, ...] = view.record
        self.index: list[int] = RACK_INDEX if view.colours else NUMBER_INDEX

    def heard(self, rival: i64) -> int:
        """How many answers by others a rival has heard since its rack was filled."""
        count = 0
        for word in reversed(self.record):
            if word & 3 == ASKED:
                if (word >> 7) & 7 != rival:
                    count += 1
            elif word & 3 == REFILLED and (word >> 2) & 7 == rival:
                break
        return count

    def of(self, rival: i64, place: i64) -> Likeliest:
        """What `rival` finds likeliest if the own rack is that at `place` of `codes`.

        Own former racks that were never shown are drawn by their law.
        """
        histories = Histories(Evidence(self.seen_by(rival, place)))
        return likeliest(histories.codes[-1], histories.present, self.index)

    def seen_by(self, rival: i64, place: i64) -> Code777View:
        """The view of `rival` if the own rack is that at `place` of `codes`."""
        view = self.view
        words: list[int] = list(self.record)
        if len(self.histories.codes) > 1:
            former = self.histories.draw(self.rng, place)
            own: i64 = REFILLED | view.seat << 2
            era: i64 = 0
            at: i64 = 0
            while at < len(words):
                word: i64 = words[at]
                if word & 31 == own and word >> 11 == 0:
                    words[at] = word | former[era] << 11
                    era += 1
                at += 1
        hide_own(words, 0, rival)
        racks: list[int] = list(view.racks)
        racks[view.seat] = self.codes[place]
        racks[rival] = 0
        return Code777View(
            int(rival),
            view.turn,
            view.phase,
            tuple(racks),
            view.draw,
            view.away,
            view.refills,
            view.stack,
            view.asked,
            view.reader,
            view.done,
            (),
            -1,
            view.question,
            view.answer,
            view.scores,
            view.asked_total,
            (tuple(words),),
            view.tiles,
            view.cards,
            view.refresh,
            view.colours,
            view.at_least,
        )


def likeliest(codes: list[int], chances: list[float], index: list[int]) -> Likeliest:
    """The likeliest announcement where racks have these chances; of equals the first."""
    sums: list[float] = [0.0] * 251
    best: i64 = 0
    place: i64 = 0
    while place < len(codes):
        name: i64 = index[codes[place]]
        total: float = sums[name] + chances[place]
        sums[name] = total
        highest: float = sums[best]
        if total > highest or (total == highest and name < best):
            best = name
        place += 1
    return Likeliest(best, min(1.0, sums[best]))
