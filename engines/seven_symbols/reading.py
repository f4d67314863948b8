"""Reading positions of 7 Symbols: every key by itself, then how they fit each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.chance import LUCK_LIMIT
from engines.core.position import Reader
from engines.seven_symbols.cards import card_named, mask_of
from engines.seven_symbols.deal_state import GIVE, PLAY
from engines.seven_symbols.masks import packed_gift
from engines.seven_symbols.moves import Kind
from engines.seven_symbols.options import Setup
from engines.seven_symbols.position import names
from engines.seven_symbols.reading_deal import DealChecks
from engines.seven_symbols.seven_state import SevenState

MOST_POINTS = 2**31 - 1


def read_state(setup: Setup, data: Mapping[str, Any]) -> SevenState:
    """The state that a position describes; raises BadPosition with the key and the reason."""
    return Reading(setup, data).state()


class Reading:
    """One position being read."""

    def __init__(self, setup: Setup, data: Mapping[str, Any]) -> None:
        self.setup = setup
        self.seats = setup.seats
        self.sides = 2 if setup.seats == 4 else 3
        self.reader = Reader(data)
        self.fail = self.reader.fail
        self.hands = self.cards_per_seat("hands")
        self.display = self.card("display")
        self.trick = self.read_trick()
        self.first_leader = self.reader.integer("first_leader", 0, self.seats - 1)
        self.turn = self.reader.value("turn")
        if self.turn is not None:
            self.reader.whole("turn", self.turn, 0, self.seats - 1)
        self.giving = self.reader.choice("phase", ("GIVE", "PLAY"), "PLAY") == Kind.GIVE.value
        self.given = self.cards_per_seat("given", default=[[]] * self.seats)
        self.received = self.cards_per_seat("received", default=[[]] * self.seats)
        self.tricks = self.counts("tricks", 48)
        self.symbols = self.counts("symbols", 7)
        self.points = self.counts("points", MOST_POINTS)
        self.deal = self.reader.integer("deal", 1, MOST_POINTS, 1)
        table = [card for _, card in self.trick]
        default = names(table)
        self.played: list[int] = [
            *self.reader.each("played", self.reader.items("played", None, default), card_named)
        ]
        self.luck = self.reader.integer("luck", 0, LUCK_LIMIT - 1, 0)
        self.finished = self.is_finished()
        anyone = self.reader.value("leader", 0) if self.finished else self.reader.value("leader")
        self.leader = (
            0 if self.finished and anyone is None else self.reader.whole("leader", anyone, 0, self.seats - 1)
        )
        self.reader.finish()

    # --- every key by itself

    def card(self, key: str) -> int:
        """One card."""
        try:
            return card_named(self.reader.value(key))
        except ValueError as error:
            self.fail(key, str(error))

    def cards_per_seat(self, key: str, **default: Any) -> list[list[int]]:
        """A list of cards for every seat."""
        rows = self.reader.items(key, self.seats, **default)
        return [
            [*self.reader.each(f"{key}[{seat}]", self.reader.listed(f"{key}[{seat}]", row), card_named)]
            for seat, row in enumerate(rows)
        ]

    def counts(self, key: str, most: int) -> list[int]:
        """A number for every side."""
        values = self.reader.items(key, self.sides, [0] * self.sides)
        return [self.reader.whole(f"{key}[{i}]", value, 0, most) for i, value in enumerate(values)]

    def read_trick(self) -> list[tuple[int, int]]:
        """The open trick as pairs of seat and card."""
        pairs: list[tuple[int, int]] = []
        for index, entry in enumerate(self.reader.items("trick", None, [])):
            key = f"trick[{index}]"
            seat, name = self.reader.listed(key, entry, 2)
            card = self.reader.each(key, [name], card_named)[0]
            pairs.append((self.reader.whole(key, seat, 0, self.seats - 1), card))
        return pairs

    def is_finished(self) -> bool:
        """Whether the match is over (SY-15); a seat to move there is read as none."""
        if self.setup.deals == 0:
            finished = max(self.points) >= self.setup.target
            missing = f"nobody has {self.setup.target} points"
        else:
            if self.deal > self.setup.deals:
                self.fail("deal", f"expected 1 to {self.setup.deals}, got {self.deal}")
            emptied = not any(self.hands) and not self.trick and not self.giving
            won = max(self.symbols) >= self.setup.symbols or max(self.tricks) >= 7
            finished = self.deal == self.setup.deals and (emptied or won)
            missing = f"deal {self.deal} of {self.setup.deals} is not over"
        if self.turn is None and not finished:
            self.fail("turn", f"is null, but the match is not over: {missing}")
        return finished

    # --- how they fit

    def state(self) -> SevenState:
        """The state, once all fits."""
        checks = DealChecks(self)
        checks.cards()
        state = SevenState(self.setup, self.luck)
        state.seat = -1 if self.finished else self.turn
        state.first_leader = self.first_leader
        state.number = self.deal
        state.show(self.display)
        for side in range(self.sides):
            state.tricks |= self.tricks[side] << 8 * side
            state.symbols |= self.symbols[side] << 8 * side
            state.add_points(side, self.points[side])
        deck = 1 << self.display | mask_of(self.played)
        for seat, hand in enumerate(self.hands):
            state.set_hand(seat, mask_of(hand))
            state.set_gift(seat, packed_gift(tuple(self.given[seat])))
            deck |= mask_of(hand) | (mask_of(self.given[seat]) if self.giving else 0)
        state.gifts = sum(map(len, self.given))
        state.deck = deck
        state.leader = self.leader
        if self.giving and not self.finished:
            checks.giving()
            state.phase = GIVE
            return state
        state.phase = PLAY
        tricks = checks.play()
        checks.gifts(tricks)
        state.set_table(tricks.last, [card for _, card in self.trick])
        state.past = tricks.words
        for seat in range(self.seats):
            state.voids |= tricks.voids[seat] << 7 * seat
            state.set_full(seat, mask_of(self.hands[seat]) | tricks.spent[seat])
        return state
