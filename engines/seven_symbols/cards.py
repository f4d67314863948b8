"""The 49 cards (SY-1, SY-2): seven colours of seven ranks, the Sherman, the symbols."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engines.core.interned import Interned

COLOURS: Final = "ROYGBIV"
"""Letters of the seven colours; colour s has the ranks s + 1 … s + 7 (A62)."""


class Card(Interned):
    """One of the 49 cards, as its number: 7 × colour + place of the rank within the colour.

    Interned: `Card(0)` is always the same object, the Sherman. Within a colour a higher number is a
    higher rank.
    """

    rank: int
    """1 (only the Sherman) to 13."""
    suit: int
    """Index of its colour, 0 to 6."""
    colour: str
    """Letter of its colour: `R`."""
    name: str
    """What positions and people call it: `AR`, `10G`."""
    symbol: bool
    """Whether it is one of the seven cards of rank 7."""
    sherman: bool
    """Whether it is `AR`, which wins every trick it is played to."""

    def __new__(cls, number: int) -> Card:  # noqa: PYI034 - interned, so never of a subclass
        if not 0 <= number < 49:
            raise ValueError(f"expected a card number from 0 to 48, got {number}")
        return CARDS[number]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.name}>"


def _make(number: int) -> Card:
    card = int.__new__(Card, number)
    card.suit = number // 7
    card.rank = number % 7 + card.suit + 1
    card.colour = COLOURS[card.suit]
    card.sherman = number == 0
    card.symbol = card.rank == 7
    card.name = "AR" if number == 0 else f"{card.rank}{card.colour}"
    return card


CARDS: Final = tuple(_make(number) for number in range(49))
"""`CARDS[i]` is the card with number i."""
BY_NAME: Final = {card.name: card for card in CARDS}
"""Cards by their names."""
SHERMAN: Final = CARDS[0]
"""The card `AR` (A62, SY-8)."""
SYMBOLS: Final = tuple(card for card in CARDS if card.symbol)
"""The seven symbol cards, by colour."""
FULL: Final = (1 << 49) - 1
"""The mask of all cards; a mask has bit i set for card i."""


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, colour by colour, low to high."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(CARDS[bit.bit_length() - 1])
        mask ^= bit
    return tuple(found)


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def names_of(mask: int) -> list[str]:
    """The names of a mask's cards, colour by colour, low to high."""
    return [card.name for card in cards_of(mask)]


def card_named(name: object) -> Card:
    """The card of that name; raises ValueError."""
    found = BY_NAME.get(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"expected a card such as AR, 7B or 12I, got {name!r}")
    return found
