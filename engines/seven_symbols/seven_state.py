"""The state of a match of 7 Symbols in play: the moves, on the layers below them; compiled.

A state is made of three layers, each of which knows those below it: hands and gifts (hand_state.py), deals
and their score (deal_state.py), and here the moves. They are one object, since a search copies states all the
time, and one object with all values is copied fastest.

Card numbers and their masks are those of cards.py: bit i is card i, colour s the bits 7s … 7s + 6, so
that within a colour the greater bit is the higher rank.
"""

from __future__ import annotations

from typing import final

from mypy_extensions import i64

from engines.core.bits import lowest, nth, popcount
from engines.core.chance import PLAYOUT, Stream
from engines.core.errors import GameNotOver, illegal_move
from engines.core.game import Outcome, places
from engines.seven_symbols.deal_state import GIVE, PLAY, DealState
from engines.seven_symbols.masks import LAST, SEVENS, beats, colour_of
from engines.seven_symbols.moves import NAMES
from engines.seven_symbols.options import Setup

__all__ = ["GIVE", "PLAY", "Setup", "SevenState"]


@final
class SevenState(DealState):
    """One match, with the trick on the table; `give` and `lay` assume a legal card."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        super().__init__(setup, luck)
        self.seat = 0
        # The open trick: cards in order, six bits each; colour led, best card so far and who played it.
        self.trick: i64 = 0
        self.laid: i64 = 0
        self.pot: i64 = 0
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = 0

    def legal(self) -> i64:
        """Mask of the cards that may be given or played (SY-6, SY-7)."""
        hand: i64 = self.hand(self.seat)
        follow: i64 = hand & self.led
        return follow or hand

    def moves(self) -> list[int]:
        if self.seat < 0:
            return []
        legal: i64 = self.legal()
        offset: i64 = 0 if self.phase == GIVE else 49
        found: list[int] = []
        while legal:
            found.append(lowest(legal) + offset)
            legal &= legal - 1
        return found

    def play(self, move: int) -> None:
        if self.seat >= 0 and 0 <= move < 98:
            number: i64 = move
            card: i64 = number if self.phase == GIVE else number - 49
            if 0 <= card < 49 and self.legal() & (LAST >> (48 - card)):
                self.step(card)
                return
        raise illegal_move(self.seat, move, self.moves(), NAMES)

    def step(self, card: i64) -> None:
        """Give or play a legal card."""
        if self.phase == PLAY:
            self.lay(card)
        else:
            self.give(card)

    # --- giving (SY-6) ---------------------------------------------------------------------------------

    def give(self, card: i64) -> None:
        """Lay a card aside for its receiver; when all have given, the gifts are handed over (SY-6)."""
        seat: i64 = self.seat
        mask: i64 = LAST >> (48 - card)
        size: i64 = self.gifts - 3 * seat
        packed: i64 = card << (6 * size)
        if size:
            packed |= self.gift(seat)
        self.set_gift(seat, packed)
        self.set_hand(seat, self.hand(seat) ^ mask)
        self.gifts += 1
        if size == 2:
            if seat + 1 < self.seats:
                self.seat = seat + 1
            else:
                self.hand_over()

    def hand_over(self) -> None:
        """The gifts change hands, and the first leader leads."""
        self.take_up_gifts()
        self.phase = PLAY
        self.seat = self.leader

    # --- tricks (SY-7 to SY-10) ------------------------------------------------------------------------

    def lay(self, card: i64) -> None:
        """Play a card to the trick, which is settled when it is full (SY-7, SY-8)."""
        seat: i64 = self.seat
        mask: i64 = LAST >> (48 - card)
        if seat == 0:
            self.hand0 ^= mask
        elif seat == 1:
            self.hand1 ^= mask
        elif seat == 2:
            self.hand2 ^= mask
        else:
            self.hand3 ^= mask
        laid: i64 = self.laid
        if laid == 0:
            self.led = colour_of(card)
            self.best = mask
            self.winner = seat
            self.trick = card
            self.pot = mask
        else:
            if not mask & self.led:
                self.voids |= self.led_void(seat)
            if beats(mask, self.best, self.led, self.trump):
                self.best = mask
                self.winner = seat
            self.trick |= card << (6 * laid)
            self.pot |= mask
        if laid + 1 == self.seats:
            self.take_trick()
        else:
            self.laid = laid + 1
            self.seat = seat + 1 if seat + 1 < self.seats else 0

    def led_void(self, seat: i64) -> i64:
        """The bit in `voids` which says that `seat` has none of the colour led."""
        return LAST >> (48 - 7 * seat - (self.trick & 63) // 7)

    def take_trick(self) -> None:
        """Hand the full trick to its winner and see whether the deal is over (SY-9, SY-10)."""
        winner: i64 = self.winner
        side: i64 = self.side(winner)
        self.past.append(self.leader | self.trick << 2)
        self.tricks += LAST >> (48 - 8 * side)
        won: i64 = self.pot & SEVENS
        if won:
            self.symbols += popcount(won) << (8 * side)
        self.leader = winner
        self.seat = winner
        self.clear_trick()
        if (self.symbols >> (8 * side)) & 0xFF >= self.setup.symbols:  # E1
            self.score_win(side)
        elif (self.tricks >> (8 * side)) & 0xFF == 7:  # E2
            self.seventh_trick(winner)
        elif not self.hand(winner):  # E3
            if (LAST >> (48 - self.display)) & SEVENS:
                self.symbols += LAST >> (48 - 8 * side)
            self.score_win(side)
        else:
            return
        self.next_deal()

    def clear_trick(self) -> None:
        """Leave the table empty."""
        self.trick = 0
        self.laid = 0
        self.pot = 0
        self.led = 0
        self.best = 0

    def set_table(self, leader: i64, cards: list[int]) -> None:
        """Lay the open trick of a position or view; hands, voids and the seat to move are not touched."""
        self.clear_trick()
        self.leader = leader
        seat: i64 = leader
        for number in cards:
            card: i64 = number
            mask: i64 = LAST >> (48 - card)
            if self.laid == 0:
                self.led = colour_of(card)
            if self.laid == 0 or beats(mask, self.best, self.led, self.trump):
                self.best = mask
                self.winner = seat
            self.trick |= card << (6 * self.laid)
            self.pot |= mask
            self.laid += 1
            seat = seat + 1 if seat + 1 < self.seats else 0

    # --- the contract's rest ---------------------------------------------------------------------------

    def copy(self) -> SevenState:
        new: SevenState = SevenState(self.setup, self.luck)
        self.copy_hands(new)
        self.copy_deal(new)
        new.seat = self.seat
        new.trick = self.trick
        new.laid = self.laid
        new.pot = self.pot
        new.led = self.led
        new.best = self.best
        new.winner = self.winner
        return new

    def playout(self, luck: int) -> None:
        stream: Stream = Stream(luck, PLAYOUT)
        while self.seat >= 0:
            legal: i64 = self.legal()
            count: i64 = popcount(legal)
            self.step(lowest(legal) if count == 1 else nth(legal, stream.below(count)))

    def outcome(self) -> Outcome:
        if self.seat >= 0:
            raise GameNotOver(f"the match is not over: seat {self.seat} is to move in deal {self.number}")
        sides: list[int] = [int(self.side(seat)) for seat in range(self.seats)]
        scores: list[float] = [float(self.points(side)) for side in sides]
        ranks = places(scores, sides)
        reason = "won" if max(ranks) > 1 else "draw"
        return Outcome(tuple(scores), ranks, tuple(sides), reason)
