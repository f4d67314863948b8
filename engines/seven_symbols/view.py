"""What one seat knows of a match: `SevenView`."""

from __future__ import annotations

from typing import NamedTuple

from engines.core.game import View
from engines.seven_symbols.cards import CARDS, COLOURS, Card, cards_of
from engines.seven_symbols.moves import Kind, Move


class SevenFields(NamedTuple):
    """The fields of a view.

    Cards are numbers, sets of cards masks (bit i is card i); the view's properties give them as cards.
    """

    seat: int
    """Whose view it is."""
    turn: int
    """The seat to move, -1 when the match is over."""
    phase: Kind
    """Whether cards are being given or played."""
    hand: int
    """Mask of the own hand; a card given away has left it."""
    display: int
    """The card turned up: its colour is trump."""
    trick: tuple[int, ...]
    """The open trick, from its leader on."""
    leader: int
    """Who leads this trick; the first leader while cards are given."""
    first_leader: int
    """Who led, or will lead, the first trick of this deal."""
    tricks: tuple[int, ...]
    """Tricks of each side in this deal."""
    symbols: tuple[int, ...]
    """Symbols of each side in this deal."""
    points: tuple[int, ...]
    """Points of each side in the match."""
    deal: int
    """Number of this deal, from 1."""
    given: tuple[int, ...]
    """What this seat gave, in the order in which it did."""
    received: tuple[int, ...]
    """What this seat was given, ascending: the order of another's gifts is not told."""
    played: tuple[int, ...]
    """The cards played in this deal, in order, the open trick included."""
    spent: tuple[int, ...]
    """Mask of the cards that each seat has played in this deal."""
    sizes: tuple[int, ...]
    """How many cards each seat holds."""
    voids: tuple[int, ...]
    """Mask of the colours (bit s is colour s) that each seat has shown not to hold."""
    known: tuple[int, ...]
    """Mask of the cards that each seat must hold: the own hand, cards given to it and not played since,
    and what only it can hold after the voids shown and by counting."""
    deck: int
    """Mask of the cards of this deal, all 49 unless the match began from a position with fewer."""


class SevenView(SevenFields, View[Move]):
    """All that one seat has been allowed to learn in this deal, and the points."""

    __slots__ = ()

    @property
    def hand_cards(self) -> tuple[Card, ...]:
        """The own hand, colour by colour, low to high."""
        return cards_of(self.hand)

    @property
    def display_card(self) -> Card:
        """The card turned up."""
        return CARDS[self.display]

    @property
    def trump(self) -> int:
        """The trump colour's index, `Card.suit` of all trumps."""
        return self.display // 7

    @property
    def trick_cards(self) -> tuple[Card, ...]:
        """The open trick, from its leader on."""
        return tuple([CARDS[card] for card in self.trick])

    @property
    def given_cards(self) -> tuple[Card, ...]:
        """What this seat gave."""
        return tuple([CARDS[card] for card in self.given])

    @property
    def received_cards(self) -> tuple[Card, ...]:
        """What this seat was given."""
        return tuple([CARDS[card] for card in self.received])

    @property
    def unseen(self) -> int:
        """Mask of the cards that this seat does not see now: in others' hands, or sealed gifts of others."""
        seen = self.hand | 1 << self.display
        for mask in self.spent:
            seen |= mask
        if self.phase is Kind.GIVE:
            for card in self.given:
                seen |= 1 << card
        return self.deck & ~seen

    def may_hold(self, seat: int) -> int:
        """Mask of the cards that another `seat` may hold, by its voids and what is known of the others."""
        mask = self.unseen
        for other, cards in enumerate(self.known):
            if other != seat:
                mask &= ~cards
        for colour in range(len(COLOURS)):
            if self.voids[seat] >> colour & 1:
                mask &= ~(0x7F << 7 * colour)
        return mask

    @property
    def partner(self) -> int | None:
        """The seat opposite with four seats, None where everybody plays alone."""
        return (self.seat + 2) % 4 if len(self.sizes) == 4 else None

    def side(self, seat: int) -> int:
        """The side of a seat: index into `tricks`, `symbols` and `points`."""
        return seat % len(self.tricks)
