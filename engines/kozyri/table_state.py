"""A table of two to four seats with hidden hands and one pile: what the classic game and Hund share.

Hands are masks over the 52-card universe. Beside each hand stands the part of it that the whole table
knows: a card that goes into a hand from the open pile is known to be there until it is played again.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, popcount
from engines.core.chance import Stream, event_code
from engines.core.dealing import choose
from engines.core.game import Outcome, places
from engines.core.state import State
from engines.kozyri.pile import Pile

DEAL: Final = event_code("deal")
DEALER: Final = event_code("dealer")
SAMPLE: Final = event_code("kozyri sample")

TURN: Final[i64] = 0
"""The phase in which a seat faces the pile, or leads; the other phases are each game's own."""
SECOND: Final[i64] = 1
"""The phase after a beat, in which a second card may follow."""


class TableState(State):
    """What lies where, who is still in, who is to move. The rules are in the subclasses."""

    def __init__(self, seats: i64, luck: i64, pile: Pile) -> None:
        self.seats: i64 = seats
        self.luck: i64 = luck
        self.seat = -1
        self.phase: i64 = TURN
        self.pile: Pile = pile
        self.free: bool = False
        """The seat to move plays any one card on top of the pile (CL-10); never in Hund."""
        self.dealer: i64 = 0
        self.actions: i64 = 0
        self.trumps: i64 = 0
        """Three bits a seat: its trump suit 0 … 3, plus one; 0 for none."""
        self.active: i64 = bit(seats) - 1
        """One bit for each seat that is not out."""
        self.gone: i64 = 0
        """How many seats are out."""
        self.leavers: i64 = 0
        """Two bits for each of them, in the order in which they went out."""
        self.hand0: i64 = 0
        self.hand1: i64 = 0
        self.hand2: i64 = 0
        self.hand3: i64 = 0
        self.known0: i64 = 0
        self.known1: i64 = 0
        self.known2: i64 = 0
        self.known3: i64 = 0

    # -- seats and hands -------------------------------------------------------------------------------

    @final
    def hand(self, seat: i64) -> i64:
        """The cards of a seat."""
        if seat < 2:
            return self.hand0 if seat == 0 else self.hand1
        return self.hand2 if seat == 2 else self.hand3

    @final
    def known(self, seat: i64) -> i64:
        """The part of a seat's hand that the whole table knows."""
        if seat < 2:
            return self.known0 if seat == 0 else self.known1
        return self.known2 if seat == 2 else self.known3

    @final
    def hold(self, seat: i64, hand: i64, known: i64) -> None:
        """Put cards into a hand in place of what it held; `known` is the part that all know."""
        if seat == 0:
            self.hand0 = hand
            self.known0 = known
        elif seat == 1:
            self.hand1 = hand
            self.known1 = known
        elif seat == 2:
            self.hand2 = hand
            self.known2 = known
        else:
            self.hand3 = hand
            self.known3 = known

    @final
    def trump(self, seat: i64) -> i64:
        """The trump suit of a seat, -1 for none."""
        return ((self.trumps >> (3 * seat)) & 7) - 1

    @final
    def give_trump(self, seat: i64, suit: i64) -> None:
        """Set the trump suit of a seat that has none."""
        self.trumps |= (suit + 1) << (3 * seat)

    @final
    def next_active(self, seat: i64) -> i64:
        """The next seat clockwise that is not out (A24); there is one."""
        after: i64 = seat + 1
        while True:
            if after >= self.seats:
                after = 0
            if self.active & bit(after):
                return after
            after += 1

    @final
    def leave(self, seat: i64) -> None:
        """A seat has played its last card and goes out."""
        self.active &= ~bit(seat)
        self.leavers |= seat << (2 * self.gone)
        self.gone += 1

    @final
    def deal_cards(self, deck: list[int]) -> None:
        """Shuffle the deck and deal it singly, clockwise from the dealer's left."""
        cards = deck.copy()
        Stream(self.luck, DEAL).shuffle(cards)
        seat: i64 = self.dealer
        for number in cards:
            card: i64 = number
            seat = seat + 1 if seat + 1 < self.seats else 0
            self.hold(seat, self.hand(seat) | bit(card), 0)

    # -- what seats know -------------------------------------------------------------------------------

    @final
    def deck(self) -> i64:
        """The cards that are in the game."""
        return self.hand0 | self.hand1 | self.hand2 | self.hand3 | self.pile.mask

    @final
    def sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        counts: list[int] = []
        seat: i64 = 0
        while seat < self.seats:
            counts.append(popcount(self.hand(seat)))
            seat += 1
        return tuple(counts)

    @final
    def public_hands(self) -> tuple[int, ...]:
        """For every seat the cards that the whole table knows it to hold, as masks."""
        masks: list[int] = []
        seat: i64 = 0
        while seat < self.seats:
            masks.append(self.known(seat))
            seat += 1
        return tuple(masks)

    @final
    def trump_suits(self) -> tuple[int, ...]:
        """Each seat's trump suit, -1 for none."""
        suits: list[int] = []
        seat: i64 = 0
        while seat < self.seats:
            suits.append(self.trump(seat))
            seat += 1
        return tuple(suits)

    @final
    def out(self) -> tuple[int, ...]:
        """The seats that are out, in the order in which they went."""
        seats: list[int] = []
        rest: i64 = self.leavers
        left: i64 = self.gone
        while left > 0:
            seats.append(rest & 3)
            rest >>= 2
            left -= 1
        return tuple(seats)

    # -- states put together from outside ------------------------------------------------------------------

    @final
    def restore(
        self,
        turn: i64,
        phase: i64,
        dealer: i64,
        actions: i64,
        trumps: tuple[int, ...],
        out: tuple[int, ...],
        order: tuple[int, ...],
    ) -> None:
        """Set all that is public but the hands; the arguments are as in a view."""
        self.seat = turn
        self.phase = phase
        self.dealer = dealer
        self.actions = actions
        for seat, suit in enumerate(trumps):
            self.give_trump(seat, suit)
        for leaver in out:
            self.leave(leaver)
        for card in order:
            self.pile.push(card)

    @final
    def draw_hands(
        self, viewer: i64, hand: i64, sizes: tuple[int, ...], public: tuple[int, ...], deck: i64, seed: i64
    ) -> None:
        """Give every seat what `public` says that it holds, the viewer its hand, and the rest at random.

        What lies on the pile must have been restored. Every way to complete the hands is equally likely.
        """
        unseen: i64 = deck & ~self.pile.mask & ~hand
        for mask in public:
            unseen &= ~mask
        stream = Stream(seed, SAMPLE)
        left: i64 = popcount(unseen)
        seat: i64 = 0
        while seat < self.seats:
            known: i64 = public[seat]
            drawn: i64 = 0
            if seat == viewer:
                drawn = hand
            else:
                room: i64 = sizes[seat]
                room -= popcount(known)
                if room == left:
                    drawn = unseen
                elif room > 0:
                    drawn = choose(stream, unseen, room)
                unseen ^= drawn
                left -= room
            self.hold(seat, known | drawn, known)
            seat += 1

    @final
    def copy_to(self, twin: TableState) -> None:
        """Make a fresh state of the same table equal to this one; the pile is its own already."""
        twin.seat = self.seat
        twin.phase = self.phase
        twin.free = self.free
        twin.dealer = self.dealer
        twin.actions = self.actions
        twin.trumps = self.trumps
        twin.active = self.active
        twin.gone = self.gone
        twin.leavers = self.leavers
        twin.hand0 = self.hand0
        twin.hand1 = self.hand1
        twin.hand2 = self.hand2
        twin.hand3 = self.hand3
        twin.known0 = self.known0
        twin.known1 = self.known1
        twin.known2 = self.known2
        twin.known3 = self.known3

    # -- the result ------------------------------------------------------------------------------------

    @final
    def result(self, reason: str, *, by_order: bool) -> Outcome:
        """Who gets what (CL-13, HU-13): `reason` is won, draw or cap.

        The loser pays 1 that the others share. `by_order` the k-th seat to go out gets n - k; the last two
        in a draw, and all that are in at the cap, share the mean of the points left.
        """
        count = int(self.seats)
        scores = [0.0] * count
        out = self.out()
        if by_order:
            separate = out[:-1] if reason == "draw" else out
            scores = [(count - len(separate) - 1) / 2] * count
            for place, seat in enumerate(separate):
                scores[seat] = float(count - 1 - place)
        elif reason == "won":
            scores = [1 / (count - 1)] * count
            scores[self.next_active(0)] = -1.0
        sides = tuple(range(count))
        return Outcome(tuple(scores), places(scores, sides), sides, reason)
