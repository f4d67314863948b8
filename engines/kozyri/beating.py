"""Which cards beat which (rule 0.6), on masks over the 52-card universe.

A card is suit * 13 + rank - 2, suits in the order S H D C, ranks 2 … 14 (ace). A hand is the mask of
its cards, so ascending bits are the canonical order of cards.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from engines.core.bits import bit

UNIVERSE: Final[i64] = 0xFFFFFFFFFFFFF
"""All 52 cards."""
LAST_SUIT: Final[i64] = 0xFFF8000000000
"""The 13 clubs."""
NO_SUIT: Final[i64] = -1
"""In place of a suit: no trumps yet, or not chosen yet."""


def suit_of(card: i64) -> i64:
    """The suit of a card, 0 … 3 for S H D C (a division by 13, exact for 0 … 51)."""
    return (card * 5) >> 6


def suit_mask(suit: i64) -> i64:
    """The 13 cards of a suit, 0 … 3."""
    return LAST_SUIT >> (39 - 13 * suit)


def beaters(hand: i64, top: i64, trump: i64) -> i64:
    """The cards of `hand` that beat the card `top` for a player whose trump suit is `trump` (or NO_SUIT).

    These are the higher cards of the top's suit, and all trumps if the top is none (0.6; A2, A15).
    """
    suit: i64 = (top * 5) >> 6
    mask: i64 = (LAST_SUIT >> (39 - 13 * suit)) & -bit(top + 1)
    if trump >= 0 and trump != suit:
        mask |= LAST_SUIT >> (39 - 13 * trump)
    return hand & mask


def beats(card: i64, top: i64, trump: i64) -> bool:
    """Whether one card beats another for a player of this trump suit (or NO_SUIT)."""
    return beaters(bit(card), top, trump) != 0
