"""Reading positions of Code 777: every key by itself, then how they fit each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.code777.code777_state import RACK, WINDOW, Code777State
from engines.code777.options import Setup
from engines.code777.questions import WORDS, answer_range
from engines.code777.reading_log import read_log
from engines.code777.reading_record import RecordChecks
from engines.code777.tiles import TILES, Tile, code_of, counted, expanded, tile_named
from engines.core.bits import mask_of
from engines.core.chance import LUCK_LIMIT
from engines.core.position import Reader

_MOST = 2**20 - 1


def read_state(setup: Setup, data: Mapping[str, Any]) -> Code777State:
    """The state that a position describes; raises BadPosition with the key and the reason."""
    return Reading(setup, data).state()


class Reading:
    """One position being read."""

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        self.setup = setup
        self.seats = setup.seats
        self.reader = Reader(data)
        self.fail = self.reader.fail
        self.left = [tile.copies for tile in TILES]
        self.racks = self.read_racks()
        self.draw = self.tiles("draw", self.reader.items("draw", None, []))
        self.away = self.tiles("away", self.reader.items("away", None, []))
        self.refills = self.counts("refills", setup.racks, _MOST)
        self.asked = self.questions("asked")
        self.stack = self.questions("stack")
        self.reader_seat = self.reader.integer("reader", 0, self.seats - 1)
        self.turn = self.reader.value("turn")
        if self.turn is not None:
            self.reader.whole("turn", self.turn, 0, self.seats - 1)
        self.scores = self.counts("scores", self.seats, min(setup.target, _MOST))
        self.asked_total = self.reader.integer("asked_total", 0, setup.max_questions, 0)
        self.question, self.answer = self.read_question()
        self.luck = self.reader.integer("luck", 0, LUCK_LIMIT - 1, 0)
        self.finished = self.is_finished()
        for key in ("phase", "done", "sealed"):
            self.reader.value(key, None)
        self.words = read_log(self.reader, setup, self.racks, self.finished)
        self.reader.finish()

    # --- every key by itself

    def tile_list(self, key: str, values: list[Any]) -> list[Tile]:
        """Tiles by their names, taken from those that are left of the set."""
        tiles = self.reader.each(key, values, tile_named)
        for tile in tiles:
            self.left[tile] -= 1
            if self.left[tile] < 0:
                self.fail(key, f"{tile} stands here once too often: the game has {tile.copies} of it")
        return tiles

    def tiles(self, key: str, values: list[Any]) -> int:
        """Tiles as counts."""
        return counted(self.tile_list(key, values))

    def read_racks(self) -> list[int]:
        """The code of every rack."""
        codes = []
        for place, row in enumerate(self.reader.items("racks", self.setup.racks)):
            key = f"racks[{place}]"
            codes.append(code_of(self.tile_list(key, self.reader.listed(key, row, 3))))
        return codes

    def counts(self, key: str, length: int, most: int) -> list[int]:
        """A whole number for every seat or rack."""
        values = self.reader.items(key, length, [0] * length)
        return [self.reader.whole(f"{key}[{i}]", value, 0, most) for i, value in enumerate(values)]

    def questions(self, key: str) -> list[int]:
        """Question numbers."""
        values = self.reader.items(key, None, [])
        return [self.reader.whole(f"{key}[{i}]", value, 1, 23) for i, value in enumerate(values)]

    def read_question(self) -> tuple[int, int]:
        """The open question and its answer, as the state keeps them."""
        cards = [*self.asked, *self.stack]
        if len(set(cards)) < len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            self.fail("asked" if self.asked.count(twice) > 1 else "stack", f"question {twice} is there twice")
        if not cards:
            self.fail("stack", "there are no question cards: `stack` and `asked` are both empty")
        question, value = self.reader.value("question", None), self.reader.value("answer", None)
        if not self.asked:
            self.check_first(question, value)
            return 0, 0
        if question != self.asked[-1] or type(question) is not int:
            self.fail("question", f"expected {self.asked[-1]}, the last of `asked`, got {question!r}")
        if self.asked_total < len(self.asked):
            self.fail("asked_total", f"expected at least {len(self.asked)}, as many as `asked` lists")
        return question, self.read_answer("answer", question, value)

    def check_first(self, question: Any, value: Any) -> None:
        """Before the first question there is nothing open, and only with `pre_window` anything to do."""
        if not self.setup.pre_window:
            self.fail("asked", "is empty, but without pre_window a question is open from the start")
        if question is not None:
            self.fail("question", f"expected null, as `asked` is empty, got {question!r}")
        if value is not None:
            self.fail("answer", f"expected null, as no question is open, got {value!r}")
        if self.asked_total:
            self.fail("asked_total", f"expected 0, as `asked` is empty, got {self.asked_total}")

    def read_answer(self, key: str, question: int, value: Any) -> int:
        """An answer that the question can have."""
        if question >= 12:
            return WORDS.index(self.reader.word(key, value, WORDS))
        return self.reader.whole(key, value, *answer_range(question, self.setup.racks - 1))

    def is_finished(self) -> bool:
        """Whether the game is over (CO-17); a seat to move there is read as none."""
        winners = [seat for seat, score in enumerate(self.scores) if score == self.setup.target]
        if len(winners) > 1:
            self.fail("scores", f"seats {winners[0]} and {winners[1]} both have {self.setup.target} points")
        if winners:
            return True
        if self.turn is None and (self.asked_total < self.setup.max_questions or not self.question):
            self.fail(
                "turn",
                f"is null, but nobody has {self.setup.target} points, and question {self.asked_total} "
                f"of {self.setup.max_questions} is open",
            )
        return self.turn is None

    # --- how they fit

    def state(self) -> Code777State:
        """The state, once all fits."""
        state = Code777State(self.setup, self.luck)
        state.seat = -1 if self.finished else self.turn
        for place, code in enumerate(self.racks):
            state.set_rack(place, code)
            state.add_refills(place, self.refills[place])
        state.draw, state.away = self.draw, self.away
        state.draw_size, state.away_size = len(expanded(self.draw)), len(expanded(self.away))
        state.order = [*self.asked, *self.stack]
        state.cards = mask_of(state.order)
        state.turned = len(self.asked)
        state.reader = self.reader_seat
        state.question, state.answer = self.question, self.answer
        state.asked_total = self.asked_total
        for seat, points in enumerate(self.scores):
            state.add_points(seat, points)
        for word in self.words:
            state.note(word)
        checks = RecordChecks(self)
        checks.check()
        if self.finished:
            checks.finished()
        else:
            self.read_window(state, checks)
        return state

    def read_window(self, state: Code777State, checks: RecordChecks) -> None:
        """Who announced, what is sealed, who is to move."""
        phase = self.reader.choice("phase", ("WINDOW", "RACK"), "WINDOW")
        values = self.reader.items("done", None, [])
        done = [self.reader.whole(f"done[{i}]", seat, 0, self.seats - 1) for i, seat in enumerate(values)]
        if len(set(done)) < len(done):
            self.fail("done", f"a seat announces once in a window, got {done}")
        for place, seat in enumerate(done):
            state.done |= 1 << seat
            state.done_order |= seat << 3 * place
        state.done_count = len(done)
        self.read_sealed(state)
        if phase == "RACK":
            self.check_rack(state, done)
            state.phase = RACK
        else:
            self.check_turn(state)
            state.phase = WINDOW
        state.unrecorded = checks.window(done, rack=phase == "RACK")

    def read_sealed(self, state: Code777State) -> None:
        """The sealed choices."""
        names = self.setup.names[: self.setup.announcements + 1]
        for index, entry in enumerate(self.reader.items("sealed", None, [])):
            key = f"sealed[{index}]"
            seat, name = self.reader.listed(key, entry, 2)
            self.reader.whole(key, seat, 0, self.seats - 1)
            if (state.sealed | state.done) >> seat & 1:
                self.fail(key, f"seat {seat} has chosen already")
            if not isinstance(name, str) or name not in names:
                self.fail(key, f"expected PASS or an announcement such as {names[1]!r}, got {name!r}")
            state.sealed |= 1 << seat
            state.choices |= names.index(name) << 9 * seat

    def check_turn(self, state: Code777State) -> None:
        """In a window the lowest seat neither done nor sealed is asked; those before it are in."""
        waiting = [seat for seat in range(self.seats) if not (state.done | state.sealed) >> seat & 1]
        if not waiting:
            self.fail("turn", "every seat is done or sealed, so nobody can be asked in this window")
        if self.turn != waiting[0]:
            self.fail(
                "turn", f"expected {waiting[0]}, the lowest seat neither done nor sealed, got {self.turn}"
            )
        if late := [seat for seat in range(self.turn, self.seats) if state.sealed >> seat & 1]:
            self.fail("sealed", f"seat {late[0]} is asked after seat {self.turn} and cannot have chosen yet")

    def check_rack(self, state: Code777State, done: list[int]) -> None:
        """The reader chooses a rack after a right announcement; only announcements settled later wait."""
        if self.seats != 2:
            self.fail("phase", "RACK is there with two seats only")
        if self.turn != self.reader_seat:
            self.fail(
                "turn", f"expected {self.reader_seat}, the reader, who chooses the rack, got {self.turn}"
            )
        if not done:
            self.fail("done", "is empty, but RACK follows a right announcement")
        if not self.scores[done[-1]]:
            self.fail("scores", f"seat {done[-1]} has announced right, so it has a point")
        for seat in range(self.seats):
            if state.sealed >> seat & 1 and (state.choice(seat) == 0 or seat != self.reader_seat):
                self.fail("sealed", "in RACK only the reader's announcement can be unsettled")
