"""The first layer of a state: who holds what, and what the seats give each other before play; compiled.

Each seat's cards are an attribute of their own, as native code reads no lists; here they are looked up by
seat. Masks are those of masks.py.
"""

from __future__ import annotations

from typing import final

from mypy_extensions import i64

from engines.core.state import State
from engines.seven_symbols.masks import gift_mask, unpacked
from engines.seven_symbols.options import Setup


class HandState(State):
    """Hands and gifts of one deal, and who sits where."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        self.setup: Setup = setup
        self.luck: i64 = luck
        self.seats: i64 = setup.seats
        self.hand0: i64 = 0
        self.hand1: i64 = 0
        self.hand2: i64 = 0
        self.hand3: i64 = 0
        # What each seat had when play began: less what it holds now, these are the cards it has played.
        self.full0: i64 = 0
        self.full1: i64 = 0
        self.full2: i64 = 0
        self.full3: i64 = 0
        # Three cards a seat in the order given, six bits each, and how many were given by all.
        self.gift0: i64 = 0
        self.gift1: i64 = 0
        self.gift2: i64 = 0
        self.gift3: i64 = 0
        self.gifts: i64 = 0

    @final
    def hand(self, seat: i64) -> i64:
        """Mask of the cards that `seat` holds."""
        if seat == 0:
            return self.hand0
        if seat == 1:
            return self.hand1
        if seat == 2:
            return self.hand2
        return self.hand3

    @final
    def set_hand(self, seat: i64, mask: i64) -> None:
        """Give `seat` exactly these cards."""
        if seat == 0:
            self.hand0 = mask
        elif seat == 1:
            self.hand1 = mask
        elif seat == 2:
            self.hand2 = mask
        else:
            self.hand3 = mask

    @final
    def full(self, seat: i64) -> i64:
        """Mask of the cards that `seat` had when play began."""
        if seat == 0:
            return self.full0
        if seat == 1:
            return self.full1
        if seat == 2:
            return self.full2
        return self.full3

    @final
    def set_full(self, seat: i64, mask: i64) -> None:
        """Say what `seat` had when play began."""
        if seat == 0:
            self.full0 = mask
        elif seat == 1:
            self.full1 = mask
        elif seat == 2:
            self.full2 = mask
        else:
            self.full3 = mask

    @final
    def gift(self, seat: i64) -> i64:
        """The cards that `seat` has given, in order, six bits each."""
        if seat == 0:
            return self.gift0
        if seat == 1:
            return self.gift1
        if seat == 2:
            return self.gift2
        return self.gift3

    @final
    def set_gift(self, seat: i64, packed: i64) -> None:
        """Say what `seat` has given."""
        if seat == 0:
            self.gift0 = packed
        elif seat == 1:
            self.gift1 = packed
        elif seat == 2:
            self.gift2 = packed
        else:
            self.gift3 = packed

    @final
    def gift_size(self, seat: i64) -> i64:
        """How many cards `seat` has given in this deal, as far as is on record."""
        left: i64 = self.gifts - 3 * seat
        if left < 0:
            return 0
        return min(left, 3)

    @final
    def given(self, seat: i64) -> list[int]:
        """The cards that `seat` has given, in its order."""
        return unpacked(self.gift(seat), self.gift_size(seat))

    @final
    def receiver(self, seat: i64) -> i64:
        """Who gets the cards of `seat`: its partner, or its left neighbour (SY-6, A67, A71)."""
        other: i64 = seat + 2 if self.seats == 4 else seat + 1
        return other if other < self.seats else other - self.seats

    @final
    def giver(self, seat: i64) -> i64:
        """Whose cards `seat` gets: two seats on, which with three is the right neighbour."""
        other: i64 = seat + 2
        return other if other < self.seats else other - self.seats

    @final
    def side(self, seat: i64) -> i64:
        """The side of `seat`: partners sit opposite, three play alone (SY-3)."""
        return seat & 1 if self.seats == 4 else seat

    @final
    def take_up_gifts(self) -> None:
        """Every seat takes up what it was given, and has its full hand (SY-6)."""
        if self.seats == 4:
            self.hand0 |= gift_mask(self.gift2)
            self.hand1 |= gift_mask(self.gift3)
            self.hand2 |= gift_mask(self.gift0)
            self.hand3 |= gift_mask(self.gift1)
        else:
            self.hand0 |= gift_mask(self.gift2)
            self.hand1 |= gift_mask(self.gift0)
            self.hand2 |= gift_mask(self.gift1)
        self.full0 = self.hand0
        self.full1 = self.hand1
        self.full2 = self.hand2
        self.full3 = self.hand3

    @final
    def copy_hands(self, new: HandState) -> None:
        """Let `new` have this layer's values; setup and luck it has."""
        new.hand0 = self.hand0
        new.hand1 = self.hand1
        new.hand2 = self.hand2
        new.hand3 = self.hand3
        new.full0 = self.full0
        new.full1 = self.full1
        new.full2 = self.full2
        new.full3 = self.full3
        new.gift0 = self.gift0
        new.gift1 = self.gift1
        new.gift2 = self.gift2
        new.gift3 = self.gift3
        new.gifts = self.gifts
