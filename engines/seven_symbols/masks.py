"""Arithmetic of cards as bits, and of a few cards in order as six bits each; native when compiled.

Card numbers are those of cards.py: bit i is card i and colour s the bits 7s … 7s + 6, so that within a
colour the greater bit is the higher rank.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

ALL: Final[i64] = 0x1FFFFFFFFFFFF
SHERMAN: Final[i64] = 1
LAST: Final[i64] = 0x1000000000000
"""The last card, 48: shifted right by 48 - i it is card i, and by 8 or 7 bits a seat likewise."""
SEVENS: Final[i64] = 0x41041041040
"""Bits 6, 12, 18 … 42: the cards of rank 7 (SY-2)."""
VIOLET: Final[i64] = 0x1FC0000000000
"""The last colour, 6: shifted right by 7 (6 - s) it is colour s."""


def colour_of(card: i64) -> i64:
    """The mask of all cards of this card's colour."""
    return VIOLET >> (7 * (6 - card // 7))


def beats(card: i64, best: i64, led: i64, trump: i64) -> bool:
    """Whether `card` takes the trick from the `best` so far; both as masks (SY-8)."""
    if card == SHERMAN:
        return True
    if best == SHERMAN:
        return False
    if card & trump:
        return card > best or not best & trump
    return bool(card & led) and card > best and not best & trump


def gift_mask(packed: i64) -> i64:
    """The mask of three cards packed in six bits each."""
    return (
        (LAST >> (48 - (packed & 63)))
        | (LAST >> (48 - ((packed >> 6) & 63)))
        | (LAST >> (48 - (packed >> 12)))
    )


def unpacked(packed: i64, count: i64) -> list[int]:
    """The `count` cards packed in six bits each, the first lowest."""
    found: list[int] = []
    left: i64 = count
    while left > 0:
        found.append(packed & 63)
        packed >>= 6
        left -= 1
    return found


def packed_gift(cards: tuple[int, ...]) -> i64:
    """Cards in their order, packed in six bits each."""
    packed: i64 = 0
    shift: i64 = 0
    for number in cards:
        card: i64 = number
        packed |= card << shift
        shift += 6
    return packed
