"""Playouts of Seven Symbols to the end of the deal, by a greedy player; compiled like the engines.

Every seat weighs its cards by the trick alone: the symbols in it against the danger of one more trick,
and whether an opponent still to play, whose hand lies open in the sampled world, can and would take it.
Now and then any card is played. What the match is then worth is looked up (outlook.py).
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from bots.core.search.rollout import Payoff, Rollout
from engines.core.bits import lowest, nth, popcount
from engines.core.chance import PLAYOUT, Stream
from engines.core.state import State
from engines.seven_symbols.masks import LAST, SEVENS, SHERMAN, beats, colour_of
from engines.seven_symbols.seven_state import GIVE, SevenState

ANY: Final[i64] = 12
"""One card in so many is any card."""
SYMBOL: Final[i64] = 100
"""The unit: what a symbol is worth."""
DEAL: Final[i64] = 250
"""What the deal is worth beyond the symbols that win it."""
LAST_CHANCE: Final[i64] = 350
"""What the seventh trick costs."""


@final
class DealPlayout(Rollout):
    """Ends with the deal `number`; `worth` is Outlook's table."""

    def __init__(self, payoff: Payoff, worth: list[list[float]]) -> None:
        self.payoff: Payoff = payoff
        self.worth: list[list[float]] = worth
        self.number: i64 = 0

    def ended(self, state: State) -> bool:
        assert isinstance(state, SevenState)
        return state.seat < 0 or state.number != self.number

    def value(self, state: State, luck: int) -> list[float]:
        assert isinstance(state, SevenState)
        stream = Stream(luck, PLAYOUT)
        number: i64 = self.number
        while state.seat >= 0 and state.number == number:
            if state.phase == GIVE:
                state.give(self.gift(state, stream))
            else:
                state.lay(self.card(state, stream))
        if state.seat < 0:
            return self.payoff.rewards(state.outcome())
        if not self.worth:
            seat: i64 = 0
            scores: list[float] = []
            while seat < state.seats:
                scores.append(float(state.points(state.side(seat))))
                seat += 1
            return self.payoff.of(scores)
        target: i64 = state.setup.target
        return self.worth[state.points0 + (state.points1 + state.points2 * target) * target]

    def gift(self, state: SevenState, stream: Stream) -> i64:
        """The card that is worth least: low ones of short colours, no trumps, no symbols."""
        hand: i64 = state.hand(state.seat)
        best: i64 = -1
        least: i64 = 100000
        rest: i64 = hand
        while rest:
            card: i64 = lowest(rest)
            mask: i64 = rest & -rest
            rest ^= mask
            suit: i64 = colour_of(card)
            worth: i64 = 2 * (card % 7 + popcount(hand & suit)) + stream.below(6)
            if mask & state.trump:
                worth += 10
            if mask & SEVENS:
                worth += 8
            if mask == SHERMAN:
                worth += 40
            if worth < least:
                least = worth
                best = card
        return best

    def card(self, state: SevenState, stream: Stream) -> i64:
        """The card that does best in this trick, less what it would be worth later."""
        legal: i64 = state.legal()
        if legal & (legal - 1) == 0:
            return lowest(legal)
        if stream.below(ANY) == 0:
            return nth(legal, stream.below(popcount(legal)))
        best: i64 = -1
        highest: i64 = -100000
        rest: i64 = legal
        while rest:
            card: i64 = lowest(rest)
            rest &= rest - 1
            worth: i64 = self.weigh(state, card)
            if worth > highest:
                highest = worth
                best = card
        return best

    def weigh(self, state: SevenState, card: i64) -> i64:
        """What laying `card` is worth to its side."""
        seat: i64 = state.seat
        side: i64 = state.side(seat)
        mask: i64 = LAST >> (48 - card)
        led: i64 = state.led if state.laid else colour_of(card)
        best: i64 = state.best
        holder: i64 = state.winner
        if state.laid == 0 or beats(mask, best, led, state.trump):
            best = mask
            holder = seat
        owner: i64 = state.side(holder)
        pot: i64 = popcount((state.pot | mask) & SEVENS)
        left: i64 = state.seats - state.laid - 1
        other: i64 = seat
        while left > 0:
            left -= 1
            other = other + 1 if other + 1 < state.seats else 0
            rival: i64 = state.side(other)
            if rival == owner:
                continue
            hand: i64 = state.hand(other)
            can: i64 = beaters(hand & led or hand, best, led, state.trump)
            # It takes the trick if that is worth its while, or if it must; a symbol may be what takes it.
            forced: bool = not (hand & led or hand) & ~can
            won: i64 = 1 if can & SEVENS else 0
            if can and (forced or self.gain(state, rival, pot + won) > 0):
                owner = rival
                pot += won
                best = LAST >> (48 - lowest(can))
        worth: i64 = self.gain(state, owner, pot)
        if owner != side:
            worth = -worth if state.seats == 4 else -(worth // 2)
        price: i64 = 3 * (card % 7)
        if mask & state.trump:
            price += 25
        if mask == SHERMAN:
            price += 80
        return worth - price

    def gain(self, state: SevenState, side: i64, symbols: i64) -> i64:
        """What a trick with so many symbols is worth to the side that takes it."""
        worth: i64 = SYMBOL * symbols
        tricks: i64 = (state.tricks >> (8 * side)) & 0xFF
        if ((state.symbols >> (8 * side)) & 0xFF) + symbols >= state.setup.symbols:
            return worth + DEAL
        if tricks >= 6:
            return worth - LAST_CHANCE
        return worth - 25 - 3 * tricks * tricks


def beaters(cards: i64, best: i64, led: i64, trump: i64) -> i64:
    """Which of `cards` take the trick from `best` (SY-8)."""
    if best == SHERMAN:
        return 0
    above: i64 = ~(best + best - 1)
    if best & trump:
        return (cards & trump & above) | (cards & SHERMAN)
    return (cards & trump) | (cards & led & above) | (cards & SHERMAN)
