"""What a seat knows in the games with hidden hands: the classic game and Hund."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from engines.core.game import View
from engines.kozyri.beating import beaters
from engines.kozyri.common import CARDS, Card, Move, cards_of, suit_name


class TableFields(NamedTuple):
    """The fields of a view. Cards are numbers from 0 to 51, sets of cards masks (bit i is card i), suits
    0 … 3 for S H D C; the view's properties give them as cards and letters.
    """

    seat: int
    """The seat whose view this is."""
    turn: int
    """The seat to move, -1 when the game is over."""
    phase: str
    """What the seat to move is asked for, as in a position; means nothing when the game is over."""
    hand_mask: int
    """The own cards."""
    order: tuple[int, ...]
    """The cards of the pile, bottom to top."""
    sizes: tuple[int, ...]
    """How many cards each seat holds."""
    public_masks: tuple[int, ...]
    """What the whole table knows each seat to hold, the own seat included: cards that went into the hand
    from the open pile, or openly at the deal, and have not been played since."""
    trump_suits: tuple[int, ...]
    """Each seat's trump suit, -1 for none (yet)."""
    dealer: int
    """The seat that dealt."""
    free: bool
    """The seat to move leads any one card on top of the pile (CL-10); in Hund never."""
    out: tuple[int, ...]
    """The seats that have gone out, in that order."""
    actions: int
    """Moves made so far, the choice of trumps not counted; the cap counts them."""
    deck_mask: int
    """The cards that are in the game: all, unless it began from a position with fewer."""


class TableView(TableFields, View[Move]):
    """All that one seat has been allowed to learn."""

    __slots__ = ()

    # -- the table -------------------------------------------------------------------------------------

    @property
    def pile(self) -> tuple[Card, ...]:
        """The cards on the table, bottom to top."""
        return tuple([CARDS[i] for i in self.order])

    @property
    def top(self) -> Card | None:
        """The card on top of the pile, None where there is none."""
        return CARDS[self.order[-1]] if self.order else None

    @property
    def trumps(self) -> tuple[str | None, ...]:
        """Each seat's trump suit, None where it has none (yet)."""
        return tuple([suit_name(suit) for suit in self.trump_suits])

    @property
    def trump(self) -> str | None:
        """The own trump suit, None where there is none (yet)."""
        return suit_name(self.trump_suits[self.seat])

    @property
    def active(self) -> tuple[int, ...]:
        """The seats still in, clockwise from the one whose view this is (where it is in)."""
        count = len(self.sizes)
        around = [(self.seat + step) % count for step in range(count)]
        return tuple([seat for seat in around if seat not in self.out])

    # -- cards, and who holds them ---------------------------------------------------------------------

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own cards, suit by suit, low to high."""
        return cards_of(self.hand_mask)

    @property
    def known_masks(self) -> tuple[int, ...]:
        """The cards that this seat knows each seat to hold.

        The own hand; of the others what the whole table knows; and where only one of them can hold what is
        left, all that it holds.
        """
        known = list(self.public_masks)
        known[self.seat] = self.hand_mask
        short = [seat for seat, mask in enumerate(known) if mask.bit_count() < self.sizes[seat]]
        if len(short) == 1:
            known[short[0]] |= self._away_from(known)
        return tuple(known)

    @property
    def known(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that this seat knows each seat to hold: the own hand, and what follows for the others."""
        return tuple([cards_of(mask) for mask in self.known_masks])

    @property
    def unseen_mask(self) -> int:
        """The cards of which this seat does not know who holds them."""
        return self._away_from(self.known_masks)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards of which this seat does not know who holds them, suit by suit, low to high."""
        return cards_of(self.unseen_mask)

    def may_hold(self, seat: int) -> int:
        """The mask of all cards that a seat may hold: those known to be there, and any unseen ones."""
        known = self.known_masks
        full = known[seat].bit_count() == self.sizes[seat]
        return known[seat] if full else known[seat] | self._away_from(known)

    def answers(self, seat: int, card: int, cards: int) -> int:
        """Those of a mask of `cards` that `seat`, if it held them, could lay on `card` on top of the pile."""
        return beaters(cards, card, self.trump_suits[seat])

    def answer_chance(self, seat: int, card: int) -> float:
        """The chance that another seat can lay something on `card`, all that this seat knows considered.

        Every way to hand out the unseen cards is equally likely.
        """
        known = self.known_masks
        if self.answers(seat, card, known[seat]):
            return 1.0
        unseen = self._away_from(known)
        dull = (unseen & ~self.answers(seat, card, unseen)).bit_count()
        room = self.sizes[seat] - known[seat].bit_count()
        return 1 - comb(dull, room) / comb(unseen.bit_count(), room)

    def _away_from(self, known: tuple[int, ...] | list[int]) -> int:
        """The cards that are neither on the pile nor in `known`."""
        rest = self.deck_mask
        for card in self.order:
            rest ^= 1 << card
        for mask in known:
            rest &= ~mask
        return rest
