"""The state of a game of Code 777 in play: racks, pile, window and record as small ints, compiled.

Racks are codes and multisets counts, as tiles.py says. Tiles of one type are alike, so counts are all
that there is to know of the draw pile. Longer than most files: native attributes belong to one class, and
what a move sets off (settling, refills, questions) works on all of them.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.code777.questions import FEATURES, answer, counts_of
from engines.code777.record import (
    Entry,
    add_older,
    announced_word,
    asked_word,
    hide_own,
    refilled_word,
)
from engines.code777.tiles import FULL, NUMBER_INDEX, PHYSICAL, RACK_INDEX
from engines.core.bits import bit, lowest, mask_of
from engines.core.chance import PLAYOUT, Stream, event_code
from engines.core.errors import GameNotOver, illegal_move
from engines.core.game import Outcome, places
from engines.core.state import State

READER: Final[i64] = event_code("code777 first reader")
TILES: Final[i64] = event_code("code777 tiles")
QUESTIONS: Final[i64] = event_code("code777 questions")

WINDOW: Final[i64] = 0
RACK: Final[i64] = 1

# Names of another module's would be looked up at every use; these are not.
_PLACES: Final[list[int]] = [4 * (tile & 15) + (tile >> 4) for tile in PHYSICAL] + [60] * 4
"""Where each of the 28 tiles stands in `places_of`; 28 to 31 stand where no tile is."""
_LOWEST: Final[i64] = 0x11111111111
_RACK_INDEX: Final[list[int]] = RACK_INDEX
_NUMBER_INDEX: Final[list[int]] = NUMBER_INDEX
Pages = tuple[tuple[int, ...], ...]
NOTHING_SHOWN: Final[tuple[Pages, ...]] = ((), (), (), (), ())
_PAGE: Final = 64
"""Words on a page."""
_WIDTH: Final[i64] = 20
_MASK: Final[i64] = 0xFFFFF
"""Refills and points are kept in 20 bits each, three to a word."""


@final
class Setup:
    """A game's options as numbers; shared by its states and never changed."""

    def __init__(
        self,
        seats: i64,
        refresh: i64,
        target: i64,
        colours: bool,
        at_least: bool,
        pre_window: bool,
        winner_takes_all: bool,
        max_questions: i64,
        names: list[str],
    ) -> None:
        self.seats: i64 = seats
        self.racks: i64 = max(4, seats)
        self.refresh: i64 = refresh
        """T of CO-16."""
        self.target: i64 = target
        self.colours: bool = colours
        self.at_least: bool = at_least
        """Question 2 asks for 12 or more (A49)."""
        self.pre_window: bool = pre_window
        self.winner_takes_all: bool = winner_takes_all
        self.max_questions: i64 = max_questions
        self.names: list[str] = names
        """The moves' names."""
        self.announcements: i64 = 251 if colours else 76
        self.all_moves: list[int] = list(range(self.announcements + 1))
        """What is legal in a window: PASS and every announcement (CO-11)."""


@final
class Code777State(State):
    """One game; `choose` and `empty_ownerless` assume a legal move."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        self.setup: Setup = setup
        self.luck: i64 = luck
        self.seat = 0
        # Codes of all racks, 12 bits each; how often they were refilled: racks 0 to 2, and from 3 on.
        self.racks: i64 = 0
        self.refills0: i64 = 0
        self.refills3: i64 = 0
        self.draw: i64 = 0
        self.away: i64 = 0
        self.draw_size: i64 = 0
        self.away_size: i64 = 0
        # Question cards of this pass: `order` is replaced, never changed; `turned` of them were asked.
        # `cards` is the mask of all that are in the game.
        self.order: list[int] = []
        self.turned: i64 = 0
        self.cards: i64 = 0
        self.reader: i64 = 0
        self.question: i64 = 0
        self.answer: i64 = 0
        self.asked_total: i64 = 0
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
        # The record: a chain of four words each, and up to four newer ones.
        self.entries: Entry | None = None
        self.word0: i64 = 0
        self.word1: i64 = 0
        self.word2: i64 = 0
        self.word3: i64 = 0
        self.recent: i64 = 0
        # Where in the record the entry of the open question is missing (a game from a position), else -1.
        self.unrecorded: i64 = -1
        # The record as each seat has been shown it so far, in pages: views share them.
        self.shown: tuple[Pages, ...] = NOTHING_SHOWN

    # --- what is where -------------------------------------------------------------------------------

    def rack(self, place: i64) -> i64:
        """The code of a rack."""
        return (self.racks >> (12 * place)) & 0xFFF

    def set_rack(self, place: i64, code: i64) -> None:
        """Put three tiles on an empty rack."""
        self.racks |= code << (12 * place)

    def refills(self, place: i64) -> i64:
        """How often a rack has been refilled."""
        if place < 3:
            return (self.refills0 >> (_WIDTH * place)) & _MASK
        return (self.refills3 >> (_WIDTH * (place - 3))) & _MASK

    def add_refills(self, place: i64, times: i64) -> None:
        """Count refills of a rack."""
        if place < 3:
            self.refills0 += times << (_WIDTH * place)
        else:
            self.refills3 += times << (_WIDTH * (place - 3))

    def points(self, seat: i64) -> i64:
        """Right announcements of a seat."""
        if seat < 3:
            return (self.points0 >> (_WIDTH * seat)) & _MASK
        return (self.points3 >> (_WIDTH * (seat - 3))) & _MASK

    def add_points(self, seat: i64, points: i64) -> None:
        """Score for a seat."""
        if seat < 3:
            self.points0 += points << (_WIDTH * seat)
        else:
            self.points3 += points << (_WIDTH * (seat - 3))

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

    # --- the record ----------------------------------------------------------------------------------

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

    def record_question(self) -> None:
        """Put the open question on record where a position has left it out: what it proves stays known."""
        if self.unrecorded < 0:
            return
        words = self.words(0)
        words.insert(self.unrecorded, asked_word(self.question, self.reader, self.answer))
        self.unrecorded = -1
        self.entries = None
        self.recent = 0
        for word in words:
            self.note(word)
        self.shown = NOTHING_SHOWN

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

    # --- chance --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Deal this luck's tiles, shuffle its questions and ask the first one (CO-3, CO-4, A51)."""
        self.draw = FULL
        self.draw_size = 28
        place: i64 = 0
        while place < self.setup.racks:
            drawn: i64 = self.draw_tiles(Stream(self.luck, TILES, place), 3)
            self.set_rack(place, code_of_counts(drawn))
            place += 1
        self.reader = Stream(self.luck, READER).below(self.setup.seats)
        self.order = list(range(1, 24))
        self.cards = mask_of(self.order)
        self.shuffle_questions()
        if self.setup.pre_window:
            self.seat = 0
        else:
            self.ask()

    def shuffle_questions(self) -> None:
        """A new stack of all question cards, in the order of this pass (CO-8)."""
        order = sorted(self.order)
        Stream(self.luck, QUESTIONS, self.asked_total // len(order)).shuffle(order)
        self.order = order
        self.turned = 0

    def ask(self) -> None:
        """The reader turns up a question, which is answered; a window opens (CO-8)."""
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
        self.open_window()
        self.seat = 0

    def refill(self, place: i64) -> None:
        """Put a rack's tiles out of play and draw three new ones (CO-13, CO-16)."""
        out: i64 = self.rack(place)
        self.racks ^= out << (12 * place)
        self.away += counts_of(out)
        self.away_size += 3
        self.add_refills(place, 1)
        stream: Stream = Stream(self.luck, TILES, place + 8 * self.refills(place))
        refresh: bool = False
        if self.setup.refresh > 0 and self.draw_size <= self.setup.refresh:
            self.return_away()
            refresh = True
        drawn: i64
        if self.draw_size >= 3:
            drawn = self.draw_tiles(stream, 3)
        else:  # only with refresh=0, or in a game with fewer tiles
            drawn = self.draw
            left: i64 = 3 - self.draw_size
            self.draw = 0
            self.draw_size = 0
            self.return_away()
            refresh = True
            drawn += self.draw_tiles(stream, left)
        self.set_rack(place, code_of_counts(drawn))
        self.note(refilled_word(place, refresh, self.draw_size, out))

    def return_away(self) -> None:
        """Shuffle the tiles out of play into the draw pile (CO-16)."""
        self.draw += self.away
        self.draw_size += self.away_size
        self.away = 0
        self.away_size = 0

    def draw_tiles(self, stream: Stream, count: i64) -> i64:
        """Draw `count` tiles, no more than there are; their counts.

        The order of all 28 tiles is that in which they first come up in uniform draws, five bits each.
        Of a type with c tiles in the pile, its copies 0 to c - 1 are taken to be those in the pile.
        """
        drawn: i64 = 0
        if self.draw_size == count:
            drawn = self.draw
        else:
            pile: i64 = places_of(self.draw)
            word: i64 = 0
            parts: i64 = 0
            left: i64 = count
            while left:
                if parts == 0:
                    word = stream.word()
                    parts = 6
                place: i64 = _PLACES[word & 31]
                word >>= 5
                parts -= 1
                if (pile >> place) & 1:
                    pile ^= bit(place)
                    drawn += bit(place & 60)
                    left -= 1
        self.draw -= drawn
        self.draw_size -= count
        return drawn

    # --- the contract's rest -------------------------------------------------------------------------

    def copy(self) -> Code777State:
        new: Code777State = Code777State(self.setup, self.luck)
        new.seat = self.seat
        new.racks = self.racks
        new.refills0 = self.refills0
        new.refills3 = self.refills3
        new.draw = self.draw
        new.away = self.away
        new.draw_size = self.draw_size
        new.away_size = self.away_size
        new.order = self.order
        new.turned = self.turned
        new.cards = self.cards
        new.reader = self.reader
        new.question = self.question
        new.answer = self.answer
        new.asked_total = self.asked_total
        new.phase = self.phase
        new.done = self.done
        new.done_order = self.done_order
        new.done_count = self.done_count
        new.sealed = self.sealed
        new.choices = self.choices
        new.points0 = self.points0
        new.points3 = self.points3
        new.entries = self.entries
        new.word0 = self.word0
        new.word1 = self.word1
        new.word2 = self.word2
        new.word3 = self.word3
        new.recent = self.recent
        new.unrecorded = self.unrecorded
        new.shown = self.shown
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


def places_of(counts: i64) -> i64:
    """Counts in unary: of each type's four bits as many are set, from the lowest on, as there are tiles."""
    ones: i64 = counts & _LOWEST
    twos: i64 = (counts >> 1) & _LOWEST
    four: i64 = (counts >> 2) & _LOWEST
    return ones | twos | four | (twos | four) << 1 | (ones & twos | four) << 2 | four << 3


def code_of_counts(counts: i64) -> i64:
    """The code of three tiles given as counts."""
    low: i64 = lowest(counts) >> 2
    rest: i64 = counts - bit(4 * low)
    middle: i64 = lowest(rest) >> 2
    return low | middle << 4 | (lowest(rest - bit(4 * middle)) >> 2) << 8
