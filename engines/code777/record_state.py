"""The first layer of a state: the record of what has happened, and what each seat has been shown of it.

The words are those of record.py. The newest ones are kept by the state itself, so that a word costs a chain
entry only every fourth time; what a seat has been shown stands in pages, which the views share.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.code777.record import Entry, add_older, hide_own
from engines.core.state import State

Pages = tuple[tuple[int, ...], ...]
NOTHING_SHOWN: Final[tuple[Pages, ...]] = ((), (), (), (), ())
_PAGE: Final = 64
"""Words on a page."""


class RecordState(State):
    """A game's record; it does not know what the words mean."""

    def __init__(self) -> None:
        # A chain of four words each, and up to four newer ones.
        self.entries: Entry | None = None
        self.word0: i64 = 0
        self.word1: i64 = 0
        self.word2: i64 = 0
        self.word3: i64 = 0
        self.recent: i64 = 0
        # The record as each seat has been shown it so far, in pages: views share them.
        self.shown: tuple[Pages, ...] = NOTHING_SHOWN

    @final
    def note(self, word: i64) -> None:
        """Add a word to the record."""
        place: i64 = self.recent
        if place == 4:
            self.entries = Entry(self.word0, self.word1, self.word2, self.word3, self.entries)
            place = 0
        if place == 0:
            self.word0 = word
        elif place == 1:
            self.word1 = word
        elif place == 2:
            self.word2 = word
        else:
            self.word3 = word
        self.recent = place + 1

    @final
    def note_earlier(self, place: i64, word: i64) -> None:
        """Add a word in the midst of the record, before the word at `place`; all seats are shown it anew."""
        words = self.words(0)
        words.insert(place, word)
        self.entries = None
        self.recent = 0
        for each in words:
            self.note(each)
        self.shown = NOTHING_SHOWN

    @final
    def words(self, already: i64) -> list[int]:
        """The words of the record, oldest first, without the first `already`."""
        older: i64 = 0 if self.entries is None else self.entries.count
        found: list[int] = []
        place: i64 = self.recent - 1
        while place >= 0 and older + place >= already:
            if place == 0:
                found.append(self.word0)
            elif place == 1:
                found.append(self.word1)
            elif place == 2:
                found.append(self.word2)
            else:
                found.append(self.word3)
            place -= 1
        add_older(found, self.entries, already)
        found.reverse()
        return found

    @final
    def seen_by(self, seat: i64) -> Pages:
        """The record as `seat` may know it, in pages; those it has been shown before are not made again."""
        known = self.shown[seat]
        already: i64 = 0
        before: i64 = 0
        if known:
            last = known[-1]
            already = _PAGE * (len(known) - 1) + len(last)
            before = last[-1]
        words = self.words(already)
        if words:
            hide_own(words, before, seat)
            if already % _PAGE:
                words = list(known[-1]) + words
                known = known[:-1]
            while words:
                known += (tuple(words[:_PAGE]),)
                words = words[_PAGE:]
            shown = list(self.shown)
            shown[seat] = known
            self.shown = tuple(shown)
        return known

    @final
    def copy_record(self, new: RecordState) -> None:
        """Let `new` have this layer's values."""
        new.entries = self.entries
        new.word0 = self.word0
        new.word1 = self.word1
        new.word2 = self.word2
        new.word3 = self.word3
        new.recent = self.recent
        new.shown = self.shown
