"""What a table of all leads on the empty pile (lead_table.py) tells the proof search of one attacker.

A lead's win comes by leads with fewer takes of the attacker or, with as many, fewer of its cards: its rank
falls from lead to lead. So where a lead is forbidden, the wins with ranks up to its own stand, and what the
table calls lost is lost.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, popcount

DRAWN: Final[i64] = 0
LOST: Final[i64] = 129
"""From this byte on the leader loses."""
NEVER: Final[i64] = 255
"""More takes than are ever allowed."""


def place(own: i64, theirs: i64, third: i64, fourth: i64, ranks: i64) -> i64:
    """Where a table has a leader's hand, by its holdings in the trumps of both and in the other suits."""
    block: i64 = ((fourth * (fourth + 1)) >> 1) + third
    if third > fourth:
        block = ((third * (third + 1)) >> 1) + fourth
    return (block << ranks | theirs) << ranks | own


@final
class KnownLeads:
    """A table, or none, from the attacker's seat. Masks are over the cards in the game."""

    def __init__(
        self, table: bytes, trumps: list[int], cards: list[int], forbidden: list[tuple[int, int]]
    ) -> None:
        """`trumps` are the suits of the attacker's trumps and the other's, `cards` the suits of the cards.

        `forbidden` leads are given as kind (0 where the attacker leads) and hand of the attacker.
        """
        self.table: bytes = table
        self.there: bool = len(table) > 0
        self.ranks: i64 = len(cards) >> 2
        self.low: i64 = bit(self.ranks) - 1
        self.deck: i64 = bit(len(cards)) - 1
        plain = [suit for suit in range(4) if suit not in trumps]
        self.trump: i64 = trumps[0] * self.ranks
        self.rival: i64 = trumps[1] * self.ranks
        self.third: i64 = plain[0] * self.ranks
        self.fourth: i64 = plain[1] * self.ranks
        self.barred: i64 = NEVER << 6
        """The rank from which on wins of the table might come by a forbidden lead."""
        if self.there:
            for kind, hand in forbidden:
                a: i64 = hand
                self.barred = min(self.barred, rank(self.takes(kind, a), a))

    def takes(self, kind: i64, a: i64) -> i64:
        """The attacker's takes in the win of a lead where it holds `a`, or NEVER where it does not win."""
        if kind == 0:
            own: i64 = a >> self.trump & self.low
            theirs: i64 = a >> self.rival & self.low
            won: i64 = self.byte(a, own, theirs)
            return won - 1 if DRAWN < won < LOST else NEVER
        d: i64 = self.deck & ~a
        own = d >> self.rival & self.low
        theirs = d >> self.trump & self.low
        lost: i64 = self.byte(d, own, theirs)
        return lost - LOST if lost >= LOST else NEVER

    def byte(self, hand: i64, own: i64, theirs: i64) -> i64:
        """The entry of a leader's hand."""
        third: i64 = hand >> self.third & self.low
        fourth: i64 = hand >> self.fourth & self.low
        return self.table[place(own, theirs, third, fourth, self.ranks)]

    def stands(self, takes: i64, a: i64) -> bool:
        """Whether a win with that many takes comes by no forbidden lead."""
        return rank(takes, a) <= self.barred


def rank(takes: i64, a: i64) -> i64:
    """What falls from lead to lead of a win."""
    return (takes << 6) + popcount(a)
