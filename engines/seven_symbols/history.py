"""Who played what: the tricks of a position's `played`, and the voids that they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.seven_symbols.cards import CARDS, COLOURS


class Tricks(NamedTuple):
    """Whole tricks in order, and what follows from them; every list has one entry a seat."""

    words: list[int]
    """Each trick as the state keeps it: leader, then its cards from bit 2 on, six bits each."""
    spent: list[int]
    """Mask of the cards that each seat has played, the open trick included."""
    voids: list[int]
    """Mask of the colours that each seat has shown not to hold."""
    won: list[int]
    """Tricks that each seat has won."""
    symbols: list[int]
    """Symbols in those tricks."""
    first: int
    """Who led the first of them."""
    last: int
    """Who won the last of them, so leads the next."""


def best(cards: Sequence[int], trump: int) -> int:
    """Which card of a trick wins it: the Sherman, the highest trump, the highest of the colour led (SY-8)."""
    led = cards[0] // 7

    def strength(place: int) -> tuple[bool, bool, bool, int]:
        card = cards[place]
        return card == 0, card // 7 == trump, card // 7 == led, card

    return max(range(len(cards)), key=strength)


def first_leader_of(tricks: Sequence[Sequence[int]], trump: int, leader: int, seats: int) -> int:
    """Who led the first of `tricks` if `leader` won the last of them."""
    for trick in reversed(tricks):
        leader = (leader - best(trick, trump)) % seats
    return leader


def replay(
    tricks: Sequence[Sequence[int]], table: Sequence[int], *, trump: int, first: int, seats: int
) -> Tricks:
    """Play whole `tricks` and then the open one, the first led by `first`.

    Raises ValueError where a seat plays a colour that it has shown not to hold.
    """
    words: list[int] = []
    spent, voids, won, symbols = ([0] * seats for _ in range(4))
    leader = first
    for trick in [*tricks, table]:
        for place, card in enumerate(trick):
            seat, colour = (leader + place) % seats, card // 7
            if voids[seat] >> colour & 1:
                raise ValueError(
                    f"seat {seat} plays {CARDS[card]} after it has shown to hold no {COLOURS[colour]}"
                )
            if colour != trick[0] // 7:
                voids[seat] |= 1 << trick[0] // 7
            spent[seat] |= 1 << card
        if len(trick) == seats:
            words.append(leader | sum(card << 2 + 6 * place for place, card in enumerate(trick)))
            leader = (leader + best(trick, trump)) % seats
            won[leader] += 1
            symbols[leader] += sum(CARDS[card].symbol for card in trick)
    return Tricks(words, spent, voids, won, symbols, first, leader)
