"""The state of a game of Code 777 in play: the window of announcements, on the layers below it.

A state is made of four layers, each of which knows those below it: the record (record_state.py), the tiles
(rack_state.py), the questions (question_state.py), and here the window, the points and the end. They are one
object, since a search copies states all the time, and one object with all values is copied fastest.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.code777.options import Setup
from engines.code777.question_state import QuestionState
from engines.code777.rack_state import LOW20, WIDTH
from engines.code777.record import announced_word
from engines.code777.tiles import NUMBER_INDEX, RACK_INDEX
from engines.core.bits import bit
from engines.core.chance import PLAYOUT, Stream
from engines.core.errors import GameNotOver, illegal_move
from engines.core.game import Outcome, places

WINDOW: Final[i64] = 0
RACK: Final[i64] = 1

# Names of another module's would be looked up at every use; these are not.
_RACK_INDEX: Final[list[int]] = RACK_INDEX
_NUMBER_INDEX: Final[list[int]] = NUMBER_INDEX


@final
class Code777State(QuestionState):
    """One game; `choose` and `empty_ownerless` assume a legal move."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        super().__init__(setup, luck)
        self.seat = 0
        self.phase: i64 = WINDOW
        # Who announced in this window: a mask, and in order of settling, 3 bits each.
        self.done: i64 = 0
        self.done_order: i64 = 0
        self.done_count: i64 = 0
        # Who has chosen in this pass, or is still to be settled: a mask, and moves in 9 bits a seat.
        self.sealed: i64 = 0
        self.choices: i64 = 0
        # Points: seats 0 to 2, and from 3 on.
        self.points0: i64 = 0
        self.points3: i64 = 0

    def start(self) -> None:
        """Deal this luck's tiles, shuffle its questions and ask the first one (CO-3, CO-4, A51)."""
        self.fill_racks()
        self.stack_questions()
        if self.setup.pre_window:
            self.seat = 0
        else:
            self.ask()

    def ask(self) -> None:
        """A question is turned up, and a window opens (CO-8)."""
        self.turn_up()
        self.open_window()
        self.seat = 0

    # --- what is where -------------------------------------------------------------------------------

    def points(self, seat: i64) -> i64:
        """Right announcements of a seat."""
        if seat < 3:
            return (self.points0 >> (WIDTH * seat)) & LOW20
        return (self.points3 >> (WIDTH * (seat - 3))) & LOW20

    def add_points(self, seat: i64, points: i64) -> None:
        """Score for a seat."""
        if seat < 3:
            self.points0 += points << (WIDTH * seat)
        else:
            self.points3 += points << (WIDTH * (seat - 3))

    def scores(self) -> list[int]:
        """The points of all seats."""
        return [int(self.points(seat)) for seat in range(self.setup.seats)]

    def choice(self, seat: i64) -> i64:
        """The sealed move of `seat`; only for seats in `sealed`."""
        return (self.choices >> (9 * seat)) & 511

    def order_of_done(self) -> list[int]:
        """The seats that announced in this window, as they were settled."""
        found: list[int] = []
        place: i64 = 0
        while place < self.done_count:
            found.append((self.done_order >> (3 * place)) & 7)
            place += 1
        return found

    # --- moves ---------------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        if self.seat < 0:
            return []
        if self.phase == RACK:
            first: i64 = self.setup.announcements + 1
            return [int(first), int(first + 1)]
        return self.setup.all_moves[:]

    def play(self, move: int) -> None:
        if self.seat >= 0 and 0 <= move < 512:
            number: i64 = move
            offset: i64 = number - self.setup.announcements
            if self.phase == WINDOW and offset <= 0:
                self.choose(number)
                return
            if self.phase == RACK and 0 < offset <= 2:
                self.empty_ownerless(offset + 1)
                return
        raise illegal_move(self.seat, move, self.moves(), self.setup.names)

    # --- the window ----------------------------------------------------------------------------------

    def choose(self, move: i64) -> None:
        """Seal a choice in the window, and settle the pass when all are in (CO-9)."""
        seat: i64 = self.seat
        self.sealed |= bit(seat)
        if move:
            self.choices |= move << (9 * seat)
        seat += 1
        while seat < self.setup.seats:
            if not (self.done >> seat) & 1:
                self.seat = seat
                return
            seat += 1
        self.open_seals()

    def open_seals(self) -> None:
        """All choices are in: drop the passes, settle the announcements, or close the window."""
        seat: i64 = 0
        while seat < self.setup.seats:
            if (self.sealed >> seat) & 1 and self.choice(seat) == 0:
                self.sealed ^= bit(seat)
            seat += 1
        if self.sealed == 0:
            self.close_window()
        else:
            self.settle()

    def settle(self) -> None:
        """Settle announcements in order, from the reader's right round to the reader (CO-9, A47)."""
        while self.sealed:
            seat: i64 = self.reader
            while True:
                seat = seat - 1 if seat > 0 else self.setup.seats - 1
                if (self.sealed >> seat) & 1:
                    break
            announced: i64 = self.choice(seat) - 1
            self.sealed ^= bit(seat)
            if self.settle_one(seat, announced):
                return
        self.start_pass()

    def settle_one(self, seat: i64, announced: i64) -> bool:
        """Settle one announcement (CO-12 to CO-14); whether play stops there, at the end or for RACK."""
        code: i64 = self.rack(seat)
        actual: i64 = _RACK_INDEX[code] if self.setup.colours else _NUMBER_INDEX[code]
        right: bool = actual == announced
        word: i64 = announced_word(seat, right, announced)
        if right:
            self.add_points(seat, 1)
            if self.points(seat) >= self.setup.target:
                self.note(word)
                self.record_question()
                self.finish()
                return True
        self.note(word)
        self.refill(seat)
        self.done |= bit(seat)
        self.done_order |= seat << (3 * self.done_count)
        self.done_count += 1
        if right and self.setup.seats == 3:
            self.refill(3)
        elif right and self.setup.seats == 2:
            self.phase = RACK
            self.seat = self.reader
            return True
        return False

    def empty_ownerless(self, rack: i64) -> None:
        """The reader's choice of an ownerless rack is emptied and refilled; go on settling (CO-14)."""
        self.refill(rack)
        self.phase = WINDOW
        self.settle()

    def start_pass(self) -> None:
        """Ask those who have not announced in this window again; close it when there are none (CO-9)."""
        self.choices = 0
        seat: i64 = 0
        while seat < self.setup.seats:
            if not (self.done >> seat) & 1:
                self.seat = seat
                return
            seat += 1
        self.close_window()

    def close_window(self) -> None:
        """Go on to the next question, or end at the cap (CO-10, CO-17)."""
        self.record_question()
        if self.asked_total >= self.setup.max_questions:
            self.finish()
            return
        if self.question:
            self.reader = self.reader + 1 if self.reader + 1 < self.setup.seats else 0
        self.ask()

    def finish(self) -> None:
        """Nobody is to move any more; the window is as if empty."""
        self.seat = -1
        self.open_window()

    def open_window(self) -> None:
        """Nobody has announced or chosen."""
        self.phase = WINDOW
        self.done = 0
        self.done_order = 0
        self.done_count = 0
        self.sealed = 0
        self.choices = 0

    # --- the contract's rest -------------------------------------------------------------------------

    def copy(self) -> Code777State:
        new: Code777State = Code777State(self.setup, self.luck)
        self.copy_record(new)
        self.copy_racks(new)
        self.copy_questions(new)
        new.seat = self.seat
        new.phase = self.phase
        new.done = self.done
        new.done_order = self.done_order
        new.done_count = self.done_count
        new.sealed = self.sealed
        new.choices = self.choices
        new.points0 = self.points0
        new.points3 = self.points3
        return new

    def playout(self, luck: int) -> None:
        stream: Stream = Stream(luck, PLAYOUT)
        count: i64 = self.setup.announcements + 1
        while self.seat >= 0:
            if self.phase == WINDOW:
                self.choose(stream.below(count))
            else:
                self.empty_ownerless(2 + stream.below(2))

    def outcome(self) -> Outcome:
        if self.seat >= 0:
            raise GameNotOver(f"the game is not over: seat {self.seat} is to move")
        points = self.scores()
        best = max(points)
        reason = "won" if best >= self.setup.target else "cap"
        scores: list[float] = [float(score) for score in points]
        if self.setup.winner_takes_all:  # CO-18, shared at the cap
            winners = points.count(best)
            scores = [1.0 / winners if score == best else 0.0 for score in points]
        sides = list(range(len(scores)))
        return Outcome(tuple(scores), places(scores, sides), tuple(sides), reason)
