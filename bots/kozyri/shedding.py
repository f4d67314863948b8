"""Playouts by a simple plan instead of luck alone, for the three Kozyri games; compiled like the engines.

Uniformly random players of these games take piles they could beat and go on for thousands of moves, which
says little about a position. Here every seat sheds what is worth least later (low cards of long suits; its
trumps last), prefers to leave the next player a card of that player's own trump suit, takes and passes
only when it must, and now and then plays any card. Play that goes on for long is cut, and fewer cards
count as better.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from bots.core.search.rollout import Payoff, Rollout
from engines.core.bits import lowest, nth, popcount
from engines.core.chance import PLAYOUT, Stream
from engines.core.state import State
from engines.kozyri.beating import suit_mask
from engines.kozyri.classic_state import ClassicState
from engines.kozyri.duel_state import DuelState
from engines.kozyri.hund_state import HundState
from engines.kozyri.table_state import TableState

ANY: Final[i64] = 10
"""One card in so many is any card."""
KEEP_TRUMP: Final[i64] = 20
"""What a trump is worth more than its rank says."""
KEEP_QUEEN: Final[i64] = 40
"""What the Queen of Clubs is worth in Hund before trumps are set."""
LENGTH: Final[i64] = 2
"""How much easier each further card of a suit makes it to part with one of them, in ranks."""
THEIRS: Final[i64] = 6
"""What it is worth to leave the next player a card of its own trump suit, in ranks."""
LONGEST: Final[i64] = 160
"""Actions of a playout after which hands are counted."""
QUEEN_OF_CLUBS: Final[i64] = 49

# The kinds of moves and phases of the games, by their first numbers.
HUND_BEAT: Final[i64] = 52
CLASSIC_BEAT: Final[i64] = 56
CLASSIC_TRUMP: Final[i64] = 2


def shed(hand: i64, cards: i64, trump: i64, theirs: i64, queen: i64, stream: Stream) -> i64:
    """The one of `cards`, all of them in `hand`, that is parted with most easily.

    `trump` is the seat's suit and `theirs` the next player's where it matters, -1 for none; `queen` is
    what the Queen of Clubs is worth beyond her rank.
    """
    if cards & (cards - 1) == 0:
        return lowest(cards)
    if stream.below(ANY) == 0:
        return nth(cards, stream.below(popcount(cards)))
    best: i64 = -1
    least: i64 = 1000
    suit: i64 = 0
    while suit < 4:
        mask: i64 = suit_mask(suit)
        rest: i64 = cards & mask
        if rest:
            base: i64 = -LENGTH * popcount(hand & mask)
            if suit == trump:
                base += KEEP_TRUMP
            if suit == theirs:
                base -= THEIRS
            card: i64 = lowest(rest)
            price: i64 = base + card - 13 * suit
            if card == QUEEN_OF_CLUBS:
                price += queen
            if price < least:
                least = price
                best = card
        suit += 1
    return best


@final
class DuelShedding(Rollout):
    """Playouts of the duel."""

    def __init__(self, payoff: Payoff) -> None:
        self.payoff: Payoff = payoff

    def value(self, state: State, luck: int) -> list[float]:
        assert isinstance(state, DuelState)
        stream = Stream(luck, PLAYOUT)
        while state.seat >= 0 and state.phase >= 2:
            state.play(state.moves()[0])
        left: i64 = LONGEST
        while state.seat >= 0:
            if left == 0:
                return self.counted(state)
            left -= 1
            cards: i64 = state.playable()
            if cards == 0:
                state.take()
                continue
            hand: i64 = state.hand0
            trump: i64 = state.trump0
            theirs: i64 = state.trump1
            if state.seat == 1:
                hand = state.hand1
                trump = state.trump1
                theirs = state.trump0
            if state.phase != 0:
                theirs = -1
            state.lay(shed(hand, cards, trump, theirs, 0, stream))
        return self.payoff.rewards(state.outcome())

    def counted(self, state: DuelState) -> list[float]:
        """A long playout: each seat's share is that of the other's cards."""
        mine: float = float(popcount(state.hand0))
        other: float = float(popcount(state.hand1))
        share: float = other / (mine + other)
        return [share, 1.0 - share]


@final
class TableShedding(Rollout):
    """Playouts of the classic game and of Hund."""

    def __init__(self, payoff: Payoff) -> None:
        self.payoff: Payoff = payoff

    def value(self, state: State, luck: int) -> list[float]:
        stream = Stream(luck, PLAYOUT)
        if isinstance(state, HundState):
            self.play_hund(state, stream)
        elif isinstance(state, ClassicState):
            self.play_classic(state, stream)
        if state.seat >= 0:
            assert isinstance(state, TableState)
            return self.counted(state)
        return self.payoff.rewards(state.outcome())

    def play_hund(self, state: HundState, stream: Stream) -> None:
        """To the end, or until it is cut."""
        left: i64 = LONGEST
        while state.seat >= 0 and left > 0:
            left -= 1
            seat: i64 = state.seat
            kind: i64 = state.kind()
            cards: i64 = state.playable(kind)
            if cards == 0:
                if state.may_queen(cards):
                    state.lay(QUEEN_OF_CLUBS, kind)
                else:
                    state.take()
                continue
            theirs: i64 = state.trump(state.next_active(seat)) if kind != HUND_BEAT else -1
            queen: i64 = KEEP_QUEEN if state.trumps == 0 else 0
            state.lay(shed(state.hand(seat), cards, state.trump(seat), theirs, queen, stream), kind)

    def play_classic(self, state: ClassicState, stream: Stream) -> None:
        """To the end, or until it is cut."""
        while state.seat >= 0 and state.phase == CLASSIC_TRUMP:
            state.play(state.moves()[0])
        left: i64 = LONGEST
        while state.seat >= 0 and left > 0:
            left -= 1
            seat: i64 = state.seat
            kind: i64 = state.kind()
            cards: i64 = state.playable(kind)
            if cards == 0:
                state.take(state.takes())
                continue
            theirs: i64 = state.trump(state.next_active(seat)) if kind != CLASSIC_BEAT else -1
            state.lay(shed(state.hand(seat), cards, state.trump(seat), theirs, 0, stream), kind)

    def counted(self, state: TableState) -> list[float]:
        """A long playout: who is out has all, the others the less the more they hold."""
        total: float = 1.0
        seat: i64 = 0
        while seat < state.seats:
            total += float(popcount(state.hand(seat)))
            seat += 1
        found: list[float] = []
        seat = 0
        while seat < state.seats:
            held: float = float(popcount(state.hand(seat)))
            found.append(1.0 - held / total)
            seat += 1
        return found
