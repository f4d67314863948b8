"""A duel as the search for one seat's win plays it: kinds of positions, steps, and the moves that matter.

Cards are numbered densely, suit by suit, low to high, over those that are in the game.

Two moves are compared by exchanging two cards of one suit: to hold the higher of them is never worse, by
playing it as if it were the lower. Hence a seat beats with its lowest card of the suit, or its lowest
trump, and of cards of a suit that the other can beat with the same cards it leads the lowest. The rest of
the moves can be left out, but not where some leads are forbidden, which depends on the very cards.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, lowest

# Kinds of positions: who is to do what; even ones are leads.
ATTACKER_LEADS: Final[i64] = 0
DEFENDER_RESPONDS: Final[i64] = 1
DEFENDER_LEADS: Final[i64] = 2
ATTACKER_RESPONDS: Final[i64] = 3

# What a step leads to.
OPEN: Final[i64] = 0
WON: Final[i64] = 1
LOST: Final[i64] = 2
OUT_OF_TAKES: Final[i64] = 3

TAKE: Final[i64] = -1
"""In place of a card."""


def attacker_moves(kind: i64) -> bool:
    """Whether it is the attacker's turn in a kind of positions."""
    return (kind + 1) & 3 < 2


class AttackMoves:
    """What moves lead to, seen by one seat, the attacker. Masks are over the cards in the game."""

    def __init__(
        self,
        suit_of: list[int],
        suits: list[int],
        attacker_beats: list[int],
        defender_beats: list[int],
        *,
        taker_leads: bool,
        forbidden: list[tuple[int, int]],
    ) -> None:
        self.suit_of: list[int] = suit_of
        """The suit of each card."""
        self.suits: list[int] = suits
        """The cards of each suit."""
        self.attacker_beats: list[int] = attacker_beats
        """By card: the cards with which the attacker beats it."""
        self.defender_beats: list[int] = defender_beats
        self.taker_leads: bool = taker_leads
        self.size: i64 = len(suit_of)
        self.deck: i64 = bit(self.size) - 1
        self.forbidden: dict[int, int] = {}
        """Empty-pile leads that would be a draw, as (kind, the attacker's hand) in one number."""
        for kind, hand in forbidden:
            self.forbidden[4 * hand + kind] = 1
        self.strict: bool = len(forbidden) > 0
        # The position that `step` has found.
        self.kind: i64 = 0
        self.mine: i64 = 0
        self.other: i64 = 0
        self.top: i64 = 0
        self.takes: i64 = 0
        self.took: i64 = 0

    @final
    def step(self, kind: i64, a: i64, d: i64, top: i64, takes: i64, move: i64) -> i64:  # noqa: PLR0911 - one a rule
        """Make a move: a card, or TAKE. Where it is OPEN, the new position is in the fields.

        A card that cannot be beaten is taken up at once, as the other has no choice.
        """
        self.took = 0
        self.top = 0
        self.takes = takes
        self.mine = a
        self.other = d
        if kind == ATTACKER_LEADS:
            if a & (a - 1) == 0:
                return WON
            self.mine = a ^ bit(move)
            if self.defender_beats[move] & d:
                self.kind = DEFENDER_RESPONDS
                self.top = move
                return OPEN
            return self.defender_takes(self.mine)
        if kind == DEFENDER_RESPONDS:
            if move < 0:
                return self.defender_takes(a)
            if d & (d - 1) == 0:
                return LOST
            self.kind = DEFENDER_LEADS
            self.other = d ^ bit(move)
            return OPEN
        if kind == DEFENDER_LEADS:
            if d & (d - 1) == 0:
                return LOST
            self.other = d ^ bit(move)
            if self.attacker_beats[move] & a:
                self.kind = ATTACKER_RESPONDS
                self.top = move
                return OPEN
            return self.attacker_takes(self.other, takes)
        if move < 0:
            return self.attacker_takes(d, takes)
        if a & (a - 1) == 0:
            return WON
        self.kind = ATTACKER_LEADS
        self.mine = a ^ bit(move)
        return OPEN

    @final
    def defender_takes(self, a: i64) -> i64:
        """The defender has all but the attacker's hand."""
        self.kind = DEFENDER_LEADS if self.taker_leads else ATTACKER_LEADS
        self.other = self.deck & ~a
        return LOST if self.strict and self.is_forbidden() else OPEN

    @final
    def attacker_takes(self, d: i64, takes: i64) -> i64:
        """The attacker has all but the defender's hand, and one take less."""
        if takes == 0:
            return OUT_OF_TAKES
        self.took = 1
        self.takes = takes - 1
        self.kind = ATTACKER_LEADS if self.taker_leads else DEFENDER_LEADS
        self.mine = self.deck & ~d
        return LOST if self.strict and self.is_forbidden() else OPEN

    @final
    def is_forbidden(self) -> bool:
        """Whether the empty-pile lead in the fields is one that ends in a draw."""
        lead: int = 4 * self.mine + self.kind
        return lead in self.forbidden

    @final
    def moves(self, kind: i64, a: i64, d: i64, top: i64) -> list[int]:
        """The moves that matter, as cards or TAKE."""
        found: list[int] = []
        rest: i64 = a
        if kind & 1 == 0:
            against: i64 = d
            beats = self.defender_beats
            if kind == DEFENDER_LEADS:
                rest = d
                against = a
                beats = self.attacker_beats
            suit: i64 = -1
            same: i64 = 0
            while rest:
                card: i64 = lowest(rest)
                rest &= rest - 1
                its: i64 = self.suit_of[card]
                by: i64 = beats[card] & against
                if self.strict or its != suit or by != same:
                    found.append(card)
                suit = its
                same = by
            return found
        found.append(TAKE)
        rest = d & self.defender_beats[top] if kind == DEFENDER_RESPONDS else a & self.attacker_beats[top]
        inside: i64 = rest & self.suits[self.suit_of[top]]
        rest &= ~inside
        while inside:
            found.append(lowest(inside))
            inside = inside & (inside - 1) if self.strict else 0
        while rest:
            found.append(lowest(rest))
            rest = rest & (rest - 1) if self.strict else 0
        return found

    @final
    def runs(self, hand: i64, against: i64, beats: list[int]) -> bool:
        """Whether a leader on the empty pile has at most one card that can be beaten: he leads all."""
        weak: i64 = 0
        rest: i64 = hand
        while rest:
            card: i64 = lowest(rest)
            rest &= rest - 1
            by: i64 = beats[card]
            if by & against:
                weak += 1
                if weak > 1:
                    return False
        return True
