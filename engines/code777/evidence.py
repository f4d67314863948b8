"""What a view proves of the racks that its seat has not been shown: eras and epochs, compiled.

An *era* is the time during which one content of the own rack stood; only eras whose tiles the seat was
never shown are kept. An *epoch* is the time from one refresh of the draw pile to the next. Within an
epoch no tile is in two places: what has left the pile stays out of it, on a rack or out of play.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.code777.questions import FEATURES, answer, counts_of
from engines.code777.record import ANNOUNCED, ASKED, REFILLED
from engines.code777.tiles import NUMBER_INDEX, RACK_INDEX, RACKS
from engines.code777.view import Code777View

_HIGH: Final[i64] = 0x88888888888
"""The top bit of each of the 11 counts: they are at most 4, so differences show there."""


def fits(counts: i64, room: i64) -> bool:
    """Whether `counts` has of no tile type more than `room`."""
    return ((room + _HIGH) - counts) & _HIGH == _HIGH


@final
class Era:
    """One content of the own rack that its owner was not shown, and what was learnt of it."""

    def __init__(self, room: i64) -> None:
        self.room: i64 = room
        """Counts of the tiles it can come from: those unseen in every epoch in which it stood."""
        self.refuted: i64 = -1
        """The announcement that was wrong, by its place among all; -1 for none."""
        # For each answer by another reader: question, answer, and what that reader saw on other racks.
        self.questions: list[int] = []
        self.answers: list[int] = []
        self.counts: list[int] = []
        self.features: list[int] = []

    def hear(self, question: i64, given: i64, counts: i64, features: i64) -> None:
        """Add an answer; `counts` and `features` are of the racks that owner and reader both see."""
        self.questions.append(question)
        self.answers.append(given)
        self.counts.append(counts)
        self.features.append(features)

    def candidates(self, colours: bool, at_least: bool) -> list[int]:
        """The codes of all racks that agree with everything learnt, in list order."""
        found: list[int] = []
        index: list[int] = RACK_INDEX if colours else NUMBER_INDEX
        heard: i64 = len(self.questions)
        for code in RACKS:
            counts: i64 = counts_of(code)
            if not fits(counts, self.room) or index[code] == self.refuted:
                continue
            features: i64 = FEATURES[code]
            place: i64 = 0
            while place < heard:
                both: i64 = self.counts[place]
                more: i64 = self.features[place]
                if (
                    answer(self.questions[place], both + counts, more + features, at_least)
                    != (self.answers[place])
                ):
                    break
                place += 1
            if place == heard:
                found.append(code)
        return found


@final
class Epoch:
    """What left the draw pile between two refreshes."""

    def __init__(self, pile: i64) -> None:
        self.pile: i64 = pile
        """Counts at the start of all tiles but those on racks that the seat saw or was shown."""
        self.unseen: i64 = pile
        """Counts of what is left of `pile` without the tiles drawn later that the seat saw."""
        self.eras: list[int] = []
        """The eras of this epoch, by number, in order."""
        self.carried: bool = False
        """Whether the first of them began before this epoch's refresh was complete."""
        self.kept: bool = False
        """Whether the last of them goes on into the next epoch, or to the present."""
        self.split: i64 = 0
        """How many tiles of the refilled rack were drawn before the refresh that ends the epoch."""
        self.split_code: i64 = 0
        """The rack so refilled; 0 if it is the own one and its tiles unknown."""


@final
class Evidence:
    """All eras and epochs of a view."""

    def __init__(self, view: Code777View) -> None:
        self.seat: i64 = view.seat
        self.tiles: i64 = view.tiles
        self.refresh: i64 = view.refresh
        self.colours: bool = view.colours
        self.at_least: bool = view.at_least
        self.eras: list[Era] = []
        self.epochs: list[Epoch] = []
        self.contents: list[int] = []
        # The racks before the first word, and what each refill put on its rack: found walking back.
        self.racks: list[int] = list(view.racks)
        record: tuple[int, ...] = view.record
        contents: list[int] = []
        for word in reversed(record):
            if word & 3 == REFILLED:
                place: i64 = (word >> 2) & 7
                contents.append(self.racks[place])
                self.racks[place] = word >> 11
        contents.reverse()
        self.contents = contents
        self.begin_epoch(-1)
        if self.racks[self.seat] == 0:
            self.begin_era()
        self.follow(view, unrecorded_place(view))
        if self.racks[self.seat] == 0:
            self.epochs[-1].kept = True

    def begin_epoch(self, emptied: i64) -> None:
        """Start an epoch with all racks standing but `emptied`; the first one starts before the deal."""
        pile: i64 = self.tiles
        place: i64 = 0
        while place < len(self.racks):
            if place != emptied and self.racks[place]:
                pile -= counts_of(self.racks[place])
            place += 1
        self.epochs.append(Epoch(pile))

    def begin_era(self) -> None:
        """Tiles that the owner is not shown come to stand on the own rack."""
        self.epochs[-1].eras.append(len(self.eras))
        self.eras.append(Era(self.tiles))

    def follow(self, view: Code777View, opened: i64) -> None:
        """Walk through the record, oldest word first; before word `opened` the open question was asked."""
        out_of_racks: i64 = view.draw + view.away
        refilled: i64 = 0
        pile: i64 = -1
        record: tuple[int, ...] = view.record
        for place, word in enumerate(record):
            if place == opened:
                self.hear(view.question, view.reader, view.answer)
            kind: i64 = word & 3
            if kind == ASKED:
                self.hear((word >> 2) & 31, (word >> 7) & 7, word >> 10)
            elif kind == ANNOUNCED:
                if (word >> 2) & 7 == self.seat and not word & 32 and self.racks[self.seat] == 0:
                    self.eras[-1].refuted = word >> 6
            else:
                content: i64 = self.contents[refilled]
                refilled += 1
                if word & 32:
                    self.refreshed((word >> 2) & 7, content, self.drawn_before(pile, out_of_racks))
                else:
                    self.refilled((word >> 2) & 7, content)
                pile = (word >> 6) & 31
        if opened == len(record):
            self.hear(view.question, view.reader, view.answer)
        self.see_rooms()

    def drawn_before(self, pile: i64, out_of_racks: i64) -> i64:
        """How many tiles a refill with a refresh draws before it (CO-16), `pile` being what was there.

        Where the record does not tell (-1) it is what remains when threes are drawn from a full pile.
        """
        if pile < 0:
            pile = out_of_racks % 3
        return pile if self.refresh < pile < 3 else 0

    def refilled(self, place: i64, content: i64) -> None:
        """A rack was emptied and filled from the pile."""
        self.racks[place] = content
        if content:
            self.epochs[-1].unseen -= counts_of(content)
        else:
            self.begin_era()

    def refreshed(self, place: i64, content: i64, before: i64) -> None:
        """A rack was emptied and filled after the tiles out of play came back."""
        own: bool = place == self.seat
        hidden: bool = self.racks[self.seat] == 0
        last = self.epochs[-1]
        last.split = before
        last.split_code = content
        self.begin_epoch(place)
        epoch = self.epochs[-1]
        self.racks[place] = content
        if content:
            epoch.unseen -= counts_of(content)
        else:
            self.begin_era()
            epoch.carried = before > 0
        if hidden and not own:
            last.kept = True
            epoch.carried = True
            epoch.eras.append(len(self.eras) - 1)

    def hear(self, question: i64, reader: i64, given: i64) -> None:
        """An answer, given while the racks stood as they do now."""
        if reader == self.seat or self.racks[self.seat]:
            return
        counts: i64 = 0
        features: i64 = 0
        place: i64 = 0
        while place < len(self.racks):
            if place != reader and place != self.seat:  # noqa: PLR1714 - a tuple would box native ints
                code: i64 = self.racks[place]
                counts += counts_of(code)
                features += FEATURES[code]
            place += 1
        self.eras[-1].hear(question, given, counts, features)

    def see_rooms(self) -> None:
        """No era can hold what its owner saw elsewhere while it stood."""
        for epoch in self.epochs:
            for number in epoch.eras:
                era = self.eras[number]
                era.room = smaller(era.room, epoch.unseen)


def unrecorded_place(view: Code777View) -> i64:
    """Where in a view's record the entry of the open question is missing; -1 where it is not, or unknown.

    When the game is over nobody knows who announced last; but racks that never changed are those asked of.
    """
    if view.question == 0:
        return -1
    if view.turn >= 0:
        return window_start(view.record, view.done)
    for word in view.record:
        if word & 3 == ASKED:
            return -1
    return -1 if any(view.refills) else 0


def window_start(record: tuple[int, ...], done: tuple[int, ...]) -> i64:
    """Where in the record the open window begins, if the question before it is not on record; else -1.

    A game from a position may lack the entry of the question that is open there. Those in `done` have
    announced since, in that order.
    """
    left: i64 = len(done)
    place: i64 = len(record)
    while place > 0 and left > 0:
        place -= 1
        word: i64 = record[place]
        if word & 3 == ASKED:
            return -1
        if word & 3 == ANNOUNCED:
            left -= 1
            if (word >> 2) & 7 != done[left]:
                return -1
    if left > 0 or (place > 0 and record[place - 1] & 3 == ASKED):
        return -1
    return place


def smaller(one: i64, other: i64) -> i64:
    """The smaller of each two counts."""
    result: i64 = 0
    shift: i64 = 0
    while shift < 44:
        a: i64 = (one >> shift) & 15
        b: i64 = (other >> shift) & 15
        result |= (min(b, a)) << shift
        shift += 4
    return result
