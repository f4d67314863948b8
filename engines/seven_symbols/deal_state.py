"""The second layer of a state: the match as a row of deals, each dealt, counted and scored; compiled."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import popcount
from engines.core.chance import Stream, event_code
from engines.core.dealing import choose
from engines.seven_symbols.hand_state import HandState
from engines.seven_symbols.masks import ALL, LAST, SEVENS, colour_of
from engines.seven_symbols.options import Setup

FIRST_LEADER: Final = event_code("seven-symbols first leader")
DEAL: Final = event_code("seven-symbols deal")

GIVE: Final[i64] = 0
PLAY: Final[i64] = 1


class DealState(HandState):
    """The deal in play, with what its sides have won, and the points of the match so far."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        super().__init__(setup, luck)
        self.phase: i64 = GIVE
        self.display: i64 = 0
        self.trump: i64 = 0
        self.deck: i64 = ALL
        self.leader: i64 = 0
        self.first_leader: i64 = 0
        # Who has shown which void, seven bits a seat; tricks and symbols, eight bits a side.
        self.voids: i64 = 0
        self.tricks: i64 = 0
        self.symbols: i64 = 0
        self.points0: i64 = 0
        self.points1: i64 = 0
        self.points2: i64 = 0
        self.number: i64 = 1
        # The tricks taken in this deal: the leader in two bits, then the cards in order, six bits each.
        self.past: list[int] = []

    # --- the deals -------------------------------------------------------------------------------------

    @final
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

    @final
    def show(self, display: i64) -> None:
        """Turn the display card: its colour is trump (SY-4)."""
        self.display = display
        self.trump = colour_of(display)

    @final
    def next_deal(self) -> None:
        """End the match or deal again, the next first leader to the left (SY-15, SY-16)."""
        if self.over():
            self.seat = -1
            return
        self.number += 1
        self.start_deal(self.first_leader + 1 if self.first_leader + 1 < self.seats else 0)

    @final
    def over(self) -> bool:
        """Whether the match ends with the deal just played (SY-15)."""
        if self.setup.deals:
            return self.number >= self.setup.deals
        target: i64 = self.setup.target
        return self.points0 >= target or self.points1 >= target or self.points2 >= target

    # --- the score -------------------------------------------------------------------------------------

    @final
    def points(self, side: i64) -> i64:
        """Points of `side` in the match so far."""
        if side == 0:
            return self.points0
        return self.points1 if side == 1 else self.points2

    @final
    def add_points(self, side: i64, points: i64) -> None:
        """Score for `side`."""
        if side == 0:
            self.points0 += points
        elif side == 1:
            self.points1 += points
        else:
            self.points2 += points

    @final
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

    @final
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

    @final
    def copy_deal(self, new: DealState) -> None:
        """Let `new` have this layer's values."""
        new.phase = self.phase
        new.display = self.display
        new.trump = self.trump
        new.deck = self.deck
        new.leader = self.leader
        new.first_leader = self.first_leader
        new.voids = self.voids
        new.tricks = self.tricks
        new.symbols = self.symbols
        new.points0 = self.points0
        new.points1 = self.points1
        new.points2 = self.points2
        new.number = self.number
        new.past = self.past[:]
