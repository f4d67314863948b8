"""The third layer of a state: the stack of question cards, who reads, and the question that is open."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.code777.options import Setup
from engines.code777.questions import FEATURES, answer, counts_of
from engines.code777.rack_state import RackState
from engines.code777.record import asked_word
from engines.core.bits import mask_of
from engines.core.chance import Stream, event_code

READER: Final[i64] = event_code("code777 first reader")
QUESTIONS: Final[i64] = event_code("code777 questions")


class QuestionState(RackState):
    """The questions of one game; each goes on record with its answer."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        super().__init__(setup, luck)
        # Question cards of this pass: `order` is replaced, never changed; `turned` of them were asked.
        # `cards` is the mask of all that are in the game.
        self.order: list[int] = []
        self.turned: i64 = 0
        self.cards: i64 = 0
        self.reader: i64 = 0
        self.question: i64 = 0
        self.answer: i64 = 0
        self.asked_total: i64 = 0
        # Where in the record the entry of the open question is missing (a game from a position), else -1.
        self.unrecorded: i64 = -1

    @final
    def stack_questions(self) -> None:
        """All cards on the stack, in this luck's order, and a first reader (CO-4, A51)."""
        self.reader = Stream(self.luck, READER).below(self.setup.seats)
        self.order = list(range(1, 24))
        self.cards = mask_of(self.order)
        self.shuffle_questions()

    @final
    def shuffle_questions(self) -> None:
        """A new stack of all question cards, in the order of this pass (CO-8)."""
        order = sorted(self.order)
        Stream(self.luck, QUESTIONS, self.asked_total // len(order)).shuffle(order)
        self.order = order
        self.turned = 0

    @final
    def turn_up(self) -> None:
        """The reader turns up a question, which is answered (CO-8)."""
        if self.turned == len(self.order):
            self.shuffle_questions()
        self.question = self.order[self.turned]
        self.turned += 1
        self.asked_total += 1
        counts: i64 = 0
        features: i64 = 0
        place: i64 = 0
        while place < self.setup.racks:
            if place != self.reader:
                code: i64 = self.rack(place)
                counts += counts_of(code)
                features += FEATURES[code]
            place += 1
        self.answer = answer(self.question, counts, features, self.setup.at_least)
        self.note(asked_word(self.question, self.reader, self.answer))

    @final
    def record_question(self) -> None:
        """Put the open question on record where a position has left it out: what it proves stays known."""
        if self.unrecorded < 0:
            return
        self.note_earlier(self.unrecorded, asked_word(self.question, self.reader, self.answer))
        self.unrecorded = -1

    @final
    def copy_questions(self, new: QuestionState) -> None:
        """Let `new` have this layer's values."""
        new.order = self.order
        new.turned = self.turned
        new.cards = self.cards
        new.reader = self.reader
        new.question = self.question
        new.answer = self.answer
        new.asked_total = self.asked_total
        new.unrecorded = self.unrecorded
