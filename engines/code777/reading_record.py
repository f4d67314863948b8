"""How the keys of a position fit its log: counters, piles, points, and the open window.

A log may lack entries, so only what it proves is held against the other keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engines.code777.evidence import fits, window_start
from engines.code777.questions import answer_for, answer_name, counts_of
from engines.code777.record import ANNOUNCED, ASKED, REFILLED
from engines.code777.tiles import FULL, expanded, names_of

if TYPE_CHECKING:
    from engines.code777.reading import Reading


class RecordChecks:
    """The checks of one position; each raises BadPosition with the key that does not fit."""

    def __init__(self, reading: Reading) -> None:
        self.it = reading
        self.fail = reading.fail
        self.words: list[int] = reading.words
        self.asked = [place for place, word in enumerate(self.words) if word & 3 == ASKED]
        last = self.asked[-1] if self.asked else -1
        self.since = self.words[last + 1 :]
        """The words after the last question of the log."""
        self.tail = [word >> 2 & 7 for word in self.since if word & 3 == ANNOUNCED]
        """Who announced there."""
        self.has_open = last >= 0 and self.is_open(self.words[last])
        """Whether the log's last question is certainly the open one."""

    def is_open(self, word: int) -> bool:
        """Whether a question's entry is that of the open one; an earlier pass may have asked it too."""
        it = self.it
        if word >> 2 & 31 != it.question:
            return False
        own = (it.reader_seat, it.answer) == (word >> 7 & 7, word >> 10)
        return own or it.asked_total in (len(it.asked), len(self.asked))

    def check(self) -> None:
        """Everything but the window."""
        self.counters()
        self.piles()
        if self.has_open:
            self.open_entry(self.words[self.asked[-1]])
        elif self.asked and len(self.asked) == self.it.asked_total:
            self.fail("log", f"has all {len(self.asked)} questions, but its last one is not the open one")

    def counters(self) -> None:
        """Counters are not less than what the log tells."""
        it = self.it
        if len(self.asked) > it.asked_total:
            self.fail(
                "asked_total",
                f"expected at least {len(self.asked)}, as many as the log has, got {it.asked_total}",
            )
        for rack, times in enumerate(it.refills):
            logged = sum(word & 31 == REFILLED | rack << 2 for word in self.words)
            if logged > times:
                self.fail(
                    f"refills[{rack}]", f"expected at least {logged}, as many as the log has, got {times}"
                )
        for seat, points in enumerate(it.scores):
            right = sum(word & 63 == ANNOUNCED | seat << 2 | 32 for word in self.words)
            if right > points:
                self.fail(
                    f"scores[{seat}]",
                    f"expected at least {right}, as many right announcements as the log has, got {points}",
                )

    def piles(self) -> None:
        """The last refill left the draw pile as it is; what left racks since the refresh is out of play."""
        it = self.it
        draw, away = len(expanded(it.draw)), len(expanded(it.away))
        gone, pile, refreshed = 0, draw, False
        for word in self.words:
            if word & 3 == REFILLED:
                pile = word >> 6 & 31
                if word & 32:
                    gone, refreshed = 0, True
                    if pile != draw + away:
                        self.fail("log", f"a refresh leaves {draw + away} tiles in the pile here, got {pile}")
                else:
                    gone += counts_of(word >> 11)
        if pile != draw:
            self.fail("draw", f"expected {pile} tiles, as the last refill of the log left, got {draw}")
        if not fits(gone, it.away) or (refreshed and gone != it.away):
            names = ", ".join(names_of(expanded(gone)))
            self.fail("away", f"expected {names or 'no tiles'}, which left racks since the refresh")
        if draw % 3 != 1 and it.draw + it.away + sum(map(counts_of, it.racks)) == FULL:
            self.fail("draw", f"with all 28 tiles it has one more than a multiple of three, got {draw}")

    def open_entry(self, word: int) -> None:
        """The open question is what its entry says."""
        it = self.it
        if it.reader_seat != word >> 7 & 7:
            self.fail("reader", f"expected {word >> 7 & 7}, who read it by the log, got {it.reader_seat}")
        if it.answer != word >> 10:
            self.false_answer(word >> 10)

    def false_answer(self, true: int) -> None:
        """Refuse the answer."""
        question = self.it.question
        said = [answer_name(question, value) for value in (true, self.it.answer)]
        self.fail("answer", f"question {question} is answered {said[0]!r} here, got {said[1]!r}")

    def window(self, done: Sequence[int], *, rack: bool) -> int:
        """The open window; where in the record its question is missing, -1 if it is not, or unknown."""
        self.announcers(list(done))
        if self.it.seats == 2:
            self.phase(rack=rack)
        if not self.it.question:
            return -1
        if not done:
            self.true_answer(self.it.racks)
            self.ends_with_open()
        start = window_start(tuple(self.words), tuple(done))
        if start >= 0:
            self.true_answer(self.racks_before(start))
        return start

    def announcers(self, done: list[int]) -> None:
        """Those who announced since the open question are done; all did, if there was none before it."""
        logged = self.tail
        if self.has_open:
            agree = done == logged
        elif self.asked or self.it.asked_total > (0 if self.it.setup.pre_window else 1):
            return  # the log tells of older windows too
        else:
            agree = len(logged) <= len(done) and done[len(done) - len(logged) :] == logged
        if not agree:
            self.fail("done", f"expected {logged}, who announced in this window by the log, got {done}")

    def phase(self, *, rack: bool) -> None:
        """With two seats a choice is open after a right announcement's first refill, only then (CO-14)."""
        if not self.tail:
            return
        right = len(self.since) > 1 and self.since[-2] & 35 == ANNOUNCED | 32
        if rack != right:
            told = "has" if right else "has not"
            self.fail("phase", f"by the log the reader {told} to choose a rack after an announcement")

    def ends_with_open(self) -> None:
        """While nobody has announced, a log that ends with a question ends with the open one."""
        it = self.it
        if self.asked and not self.since:
            word = ASKED | it.question << 2 | it.reader_seat << 7 | it.answer << 10
            if self.words[-1] != word:
                self.fail("log", "its last question is not the open one, though nobody has announced since")

    def finished(self) -> None:
        """The answer is true also when the game is over, where no rack has been refilled since."""
        refilled = any(word & 3 == REFILLED for word in self.since) if self.asked else any(self.it.refills)
        if self.it.question and not refilled:
            self.true_answer(self.it.racks)

    def true_answer(self, racks: list[int]) -> None:
        """The open question's answer is the true one for these racks."""
        it = self.it
        true = answer_for(it.question, racks, it.reader_seat, it.setup.at_least)
        if it.answer != true:
            self.false_answer(true)

    def racks_before(self, start: int) -> list[int]:
        """The racks as they stood before word `start`."""
        racks = list(self.it.racks)
        for word in reversed(self.words[start:]):
            if word & 3 == REFILLED:
                racks[word >> 2 & 7] = word >> 11
        return racks
