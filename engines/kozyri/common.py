"""Cards, suits and moves of the Svoyi Kozyri family, and how they are written.

All three games share one universe of 52 cards, whatever the deck: card i is suit i // 13 (S H D C) of
rank i % 13 + 2. Hands are masks over it. The numbers of moves are fixed per game, whatever its options.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from functools import lru_cache
from typing import Any

from engines.core.bits import indices
from engines.core.game import Move as CoreMove
from engines.core.interned import Interned
from engines.core.position import Reader

SUITS = "SHDC"
"""The four suits in canonical order: spades, hearts, diamonds, clubs."""
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""The thirteen ranks, low to high."""


class Card(Interned):
    """A card: an int from 0 to 51 that knows its rank and suit. Interned: `CARDS[i]` is the only card i."""

    name: str
    """`10H`: rank, then suit."""
    rank: int
    """2 … 10, jack 11, queen 12, king 13, ace 14: compares within a suit."""
    suit: str
    """`S`, `H`, `D` or `C`."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return card_at, (int(self),)


def _card(index: int) -> Card:
    card = Card(index)
    card.suit = SUITS[index // 13]
    card.rank = index % 13 + 2
    card.name = RANKS[index % 13] + card.suit
    return card


CARDS = tuple(_card(index) for index in range(52))
"""All cards in canonical order: suit by suit, low to high."""
_BY_NAME = {card.name: card for card in CARDS}


def card_at(index: int) -> Card:
    """Card number `index`."""
    return CARDS[index]


def card_named(name: object) -> Card:
    """The card called `name`, as `10H`; raises ValueError saying how cards are written."""
    if isinstance(name, str) and name in _BY_NAME:
        return _BY_NAME[name]
    raise ValueError(f"expected a card such as 7S, 10H or AC, got {name!r}")


def suit_named(name: object) -> int:
    """The number of a suit, 0 … 3; raises ValueError."""
    if isinstance(name, str) and len(name) == 1 and name in SUITS:
        return SUITS.index(name)
    raise ValueError(f"expected a suit, one of {', '.join(SUITS)}, got {name!r}")


def suit_name(suit: int) -> str | None:
    """The letter of suit 0 … 3; None for -1, no suit."""
    return SUITS[suit] if suit >= 0 else None


def deck_mask(ranks: Iterable[str]) -> int:
    """The mask of all cards of these ranks."""
    return sum(1 << (13 * suit + RANKS.index(rank)) for rank in ranks for suit in range(4))


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards, given as cards or their numbers."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


@lru_cache(maxsize=4096)
def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a mask in canonical order."""
    return tuple([CARDS[i] for i in indices(mask)])


def names_of(mask: int) -> list[str]:
    """The names of the cards of a mask, as a position writes a hand."""
    return [*_names(mask)]


@lru_cache(maxsize=4096)
def _names(mask: int) -> tuple[str, ...]:
    return tuple([card.name for card in cards_of(mask)])


# -- moves ---------------------------------------------------------------------------------------------


class Kind(Enum):
    """What a move does. The order of the kinds is the canonical order of moves."""

    TRUMP = "TRUMP"
    """Choose one's trump suit."""
    SECOND = "SECOND"
    """Choose one's second suit (the duel)."""
    LEAD = "LEAD"
    """Play a card that need not beat anything."""
    BEAT = "BEAT"
    """Beat the top of the pile."""
    QUEEN = "QUEEN"
    """Play the Queen of Clubs although it does not beat the top (Hund)."""
    FREE = "FREE"
    """Play a second card after beating."""
    TAKE = "TAKE"
    """Take the pile, or so many cards from its top."""
    PASS = "PASS"  # noqa: S105 - a move, no password
    """Play no second card."""


class Move(CoreMove):
    """A move of the family: an int that knows its name, kind, and card, suit or count."""

    kind: Kind
    _card: Card | None = None
    _suit: str | None = None
    _count: int | None = None

    @property
    def card(self) -> Card:
        """The card played; raises ValueError for a move without one."""
        if self._card is None:
            raise ValueError(f"{self.name} plays no card; kinds that do: LEAD, BEAT, QUEEN, FREE")
        return self._card

    @property
    def suit(self) -> str:
        """The suit chosen, or that of the card played; raises ValueError for a move without either."""
        if self._suit is None:
            raise ValueError(f"{self.name} has no suit")
        return self._suit

    @property
    def count(self) -> int:
        """How many cards `TAKE k` takes; raises ValueError for any other move."""
        if self._count is None:
            raise ValueError(f"{self.name} has no count; kinds that do: TAKE k")
        return self._count


def move_table(kinds: Collection[Kind], takes: int = 0) -> tuple[Move, ...]:
    """The moves of a game in canonical order: by kind, then suit, then rank; the index is the number.

    LEAD, BEAT and FREE have one move for each of the 52 cards. With `takes` there is `TAKE 1` … `TAKE takes`,
    otherwise one plain `TAKE`.
    """
    table: list[Move] = []

    def add(kind: Kind, text: str, card: Card | None, suit: str | None, count: int | None) -> None:
        move = Move(len(table))
        move.name = f"{kind.value} {text}" if text else kind.value
        move.kind = kind
        move._card, move._suit, move._count = card, suit, count
        table.append(move)

    for kind in Kind:
        if kind not in kinds:
            continue
        if kind in (Kind.TRUMP, Kind.SECOND):
            for suit in SUITS:
                add(kind, suit, None, suit, None)
        elif kind in (Kind.LEAD, Kind.BEAT, Kind.FREE):
            for card in CARDS:
                add(kind, card.name, card, card.suit, None)
        elif kind is Kind.TAKE and takes:
            for count in range(1, takes + 1):
                add(kind, str(count), None, None, count)
        elif kind is Kind.QUEEN:
            add(kind, "", _BY_NAME["QC"], "C", None)
        else:
            add(kind, "", None, None, None)
    return tuple(table)


# -- positions -----------------------------------------------------------------------------------------


class CardReader:
    """Reads the lists of cards of one position: each card known, of the deck, and in one place only."""

    def __init__(self, reader: Reader, deck: int) -> None:
        self.reader = reader
        self.deck = deck
        self.places: dict[Card, str] = {}

    @property
    def seen(self) -> int:
        """The mask of all cards read so far: the cards that are in the game."""
        return mask_of(self.places)

    def cards(self, key: str, values: Any) -> list[Card]:
        """The cards of one list, in the order in which they are written."""
        cards = self.reader.each(key, self.reader.listed(key, values), card_named)
        for index, card in enumerate(cards):
            at = f"{key}[{index}]"
            if not self.deck >> card & 1:
                self.reader.fail(at, f"{card} is not in the deck")
            if card in self.places:
                self.reader.fail(at, f"{card} is in {self.places[card]} already")
            self.places[card] = at
        return cards

    def hands(self, key: str, values: Any, seats: int) -> list[int]:
        """One hand a seat, as masks."""
        lists = self.reader.listed(key, values, seats)
        return [mask_of(self.cards(f"{key}[{seat}]", hand)) for seat, hand in enumerate(lists)]


def read_suits(reader: Reader, key: str, seats: int, default: Any, *, unset: bool = False) -> list[int]:
    """One suit a seat as 0 … 3, all different; with `unset`, null is read as -1."""
    values = reader.items(key, seats, default)
    parsed = reader.each(key, values, lambda value: -1 if unset and value is None else suit_named(value))
    chosen = [suit for suit in parsed if suit >= 0]
    if len(set(chosen)) < len(chosen):
        reader.fail(key, f"expected different suits, got {values!r}")
    return parsed
