"""The state of a match of 7 Symbols in play: masks and small ints, written for native code.

Card numbers and their masks are those of cards.py: bit i is card i, colour s the bits 7s … 7s + 6, so
that within a colour the greater bit is the higher rank.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import lowest, nth, popcount
from engines.core.chance import PLAYOUT, Stream, event_code
from engines.core.dealing import choose
from engines.core.errors import GameNotOver, illegal_move
from engines.core.game import Outcome, places
from engines.core.state import State
from engines.seven_symbols.masks import ALL, LAST, SEVENS, beats, colour_of, gift_mask, unpacked
from engines.seven_symbols.moves import NAMES

FIRST_LEADER: Final = event_code("seven-symbols first leader")
DEAL: Final = event_code("seven-symbols deal")

GIVE: Final[i64] = 0
PLAY: Final[i64] = 1


@final
class Setup:
    """A game's options as numbers; shared by its states and never changed."""

    def __init__(self, seats: i64, simple: bool, target: i64, deals: i64) -> None:
        self.seats: i64 = seats
        self.symbols: i64 = 4 if seats == 4 else 3
        """K of SY-10: with so many symbols a deal is won."""
        self.cards: i64 = 12 if seats == 4 else 16
        self.simple: bool = simple
        self.target: i64 = target
        """Points that end the match (SY-15)."""
        self.deals: i64 = deals
        """Exactly so many deals; 0: until `target`."""


@final
class SevenState(State):
    """Hands, trick, gifts, counts and points of one match; `give` and `lay` assume a legal card."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        self.setup: Setup = setup
        self.luck: i64 = luck
        self.seat = 0
        self.seats: i64 = setup.seats
        self.phase: i64 = GIVE
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
        self.display: i64 = 0
        self.trump: i64 = 0
        self.deck: i64 = ALL
        self.leader: i64 = 0
        self.first_leader: i64 = 0
        # The open trick: cards in order, six bits each; colour led, best card so far and who played it.
        self.trick: i64 = 0
        self.laid: i64 = 0
        self.pot: i64 = 0
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = 0
        self.voids: i64 = 0
        self.tricks: i64 = 0
        self.symbols: i64 = 0
        self.points0: i64 = 0
        self.points1: i64 = 0
        self.points2: i64 = 0
        self.number: i64 = 1
        self.past: list[int] = []

    # --- what is where -----------------------------------------------------------------------------

    def hand(self, seat: i64) -> i64:
        """Mask of the cards that `seat` holds."""
        if seat == 0:
            return self.hand0
        if seat == 1:
            return self.hand1
        if seat == 2:
            return self.hand2
        return self.hand3

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

    def full(self, seat: i64) -> i64:
        """Mask of the cards that `seat` had when play began."""
        if seat == 0:
            return self.full0
        if seat == 1:
            return self.full1
        if seat == 2:
            return self.full2
        return self.full3

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

    def gift(self, seat: i64) -> i64:
        """The cards that `seat` has given, in order, six bits each."""
        if seat == 0:
            return self.gift0
        if seat == 1:
            return self.gift1
        if seat == 2:
            return self.gift2
        return self.gift3

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

    def gift_size(self, seat: i64) -> i64:
        """How many cards `seat` has given in this deal, as far as is on record."""
        left: i64 = self.gifts - 3 * seat
        if left < 0:
            return 0
        return min(left, 3)

    def given(self, seat: i64) -> list[int]:
        """The cards that `seat` has given, in its order."""
        return unpacked(self.gift(seat), self.gift_size(seat))

    def receiver(self, seat: i64) -> i64:
        """Who gets the cards of `seat`: its partner, or its left neighbour (SY-6, A67, A71)."""
        other: i64 = seat + 2 if self.seats == 4 else seat + 1
        return other if other < self.seats else other - self.seats

    def giver(self, seat: i64) -> i64:
        """Whose cards `seat` gets: two seats on, which with three is the right neighbour."""
        other: i64 = seat + 2
        return other if other < self.seats else other - self.seats

    def side(self, seat: i64) -> i64:
        """The side of `seat`: partners sit opposite, three play alone (SY-3)."""
        return seat & 1 if self.seats == 4 else seat

    def points(self, side: i64) -> i64:
        """Points of `side` in the match so far."""
        if side == 0:
            return self.points0
        return self.points1 if side == 1 else self.points2

    def add_points(self, side: i64, points: i64) -> None:
        """Score for `side`."""
        if side == 0:
            self.points0 += points
        elif side == 1:
            self.points1 += points
        else:
            self.points2 += points

    # --- moves ---------------------------------------------------------------------------------------

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
        """Every seat takes up what it was given, and the first leader leads."""
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
        self.phase = PLAY
        self.seat = self.leader

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

    def clear_trick(self) -> None:
        """Leave the table empty."""
        self.trick = 0
        self.laid = 0
        self.pot = 0
        self.led = 0
        self.best = 0

    def seventh_trick(self, loser: i64) -> None:
        """E2: what is left goes to the other team, or to the loser's right neighbour, who wins."""
        rest: i64 = self.hand0 | self.hand1 | self.hand2 | self.hand3 | (LAST >> (48 - self.display))
        taker: i64 = loser - 1 if loser > 0 else self.seats - 1
        side: i64 = self.side(taker)
        self.symbols += popcount(rest & SEVENS) << (8 * side)
        if self.seats == 4 or self.setup.simple:
            self.score_win(side)
            return
        held: i64 = (self.symbols >> (8 * side)) & 0xFF
        if held >= self.setup.symbols:  # scoring 2, SY-13
            points: i64 = held - ((self.symbols >> (8 * loser)) & 0xFF) + 1
            self.add_points(side, points)
            self.add_points(loser + 1 if loser < 2 else 0, (points + 1) // 2)

    def score_win(self, side: i64) -> None:
        """Scoring 1 (SY-12) or simple scoring (SY-14) for `side`, if it has the symbols to win."""
        held: i64 = (self.symbols >> (8 * side)) & 0xFF
        if held < self.setup.symbols:
            return
        if self.setup.simple:
            self.add_points(side, 1)
            return
        second: i64 = 0
        other: i64 = 0
        while other < 3:
            if other != side:
                symbols: i64 = (self.symbols >> (8 * other)) & 0xFF
                second = max(second, symbols)
            other += 1
        self.add_points(side, held - second + 1)

    def over(self) -> bool:
        """Whether the match ends with the deal just played (SY-15)."""
        if self.setup.deals:
            return self.number >= self.setup.deals
        target: i64 = self.setup.target
        return self.points0 >= target or self.points1 >= target or self.points2 >= target

    def next_deal(self) -> None:
        """End the match or deal again, the next first leader to the left (SY-15, SY-16)."""
        if self.over():
            self.seat = -1
            return
        self.number += 1
        self.start_deal(self.first_leader + 1 if self.first_leader + 1 < self.seats else 0)

    def start_deal(self, leader: i64) -> None:
        """Deal number `number` of this luck, face down (SY-4)."""
        self.phase = GIVE
        self.seat = 0
        self.first_leader = leader
        self.leader = leader
        self.gifts = 0
        self.voids = 0
        self.tricks = 0
        self.symbols = 0
        self.deck = ALL
        self.past = []
        stream: Stream = Stream(self.luck, DEAL, self.number)
        display: i64 = stream.below(49)
        self.show(display)
        size: i64 = self.setup.cards
        rest: i64 = ALL ^ (LAST >> (48 - display))
        self.hand0 = choose(stream, rest, size)
        rest ^= self.hand0
        if self.seats == 4:
            self.hand1 = choose(stream, rest, size)
            rest ^= self.hand1
        self.hand2 = choose(stream, rest, size)
        rest ^= self.hand2
        if self.seats == 4:
            self.hand3 = rest
        else:
            self.hand1 = rest

    def show(self, display: i64) -> None:
        """Turn the display card: its colour is trump (SY-4)."""
        self.display = display
        self.trump = colour_of(display)

    # --- the contract's rest -------------------------------------------------------------------------

    def copy(self) -> SevenState:
        new: SevenState = SevenState(self.setup, self.luck)
        new.seat = self.seat
        new.phase = self.phase
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
        new.display = self.display
        new.trump = self.trump
        new.deck = self.deck
        new.leader = self.leader
        new.first_leader = self.first_leader
        new.trick = self.trick
        new.laid = self.laid
        new.pot = self.pot
        new.led = self.led
        new.best = self.best
        new.winner = self.winner
        new.voids = self.voids
        new.tricks = self.tricks
        new.symbols = self.symbols
        new.points0 = self.points0
        new.points1 = self.points1
        new.points2 = self.points2
        new.number = self.number
        new.past = self.past[:]
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
