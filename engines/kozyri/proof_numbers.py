"""What is known about positions of a duel: two numbers each, how far it is to a proof and to a refutation.

A position's proof number is at least how many more leaves must be won to prove it, its refutation number how
many must be lost to refute it. What is proved or refuted holds from or up to a number of takes, so it is kept
by position alone. Where a table of all leads on the empty pile is at hand (known_leads.py), it says how many
takes each is won with, and only the play on a pile is searched.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import popcount
from engines.kozyri.known_leads import NEVER, KnownLeads
from engines.kozyri.proof_moves import ATTACKER_LEADS, DEFENDER_LEADS, AttackMoves, attacker_moves

INFINITE: Final[i64] = 4194303
"""The number of what cannot be: 22 bits."""
PACKED: Final[i64] = 28
"""Cards in the game up to which a position fits a machine word."""


class AttackNumbers(AttackMoves):
    """The numbers of all positions seen so far."""

    def __init__(
        self,
        suit_of: list[int],
        suits: list[int],
        attacker_beats: list[int],
        defender_beats: list[int],
        *,
        taker_leads: bool,
        forbidden: list[tuple[int, int]],
        known: KnownLeads,
    ) -> None:
        super().__init__(
            suit_of, suits, attacker_beats, defender_beats, taker_leads=taker_leads, forbidden=forbidden
        )
        self.known: KnownLeads = known
        self.tabled: bool = known.there
        self.tables: list[dict[int, int]] = [{}, {}, {}, {}]
        """By kind: from how many takes a position is won, up to how many it is not, its two numbers."""
        # What `look` has found.
        self.proof: i64 = 0
        self.refutation: i64 = 0
        self.level: i64 = 0

    @final
    def look(self, kind: i64, a: i64, d: i64, top: i64, takes: i64) -> None:
        """Put into the fields what is known; `level` means something where one of the numbers is 0.

        It is then from how many takes the position is won, or below how many it is not.
        """
        if self.tabled and self.tell(kind, a, d, takes):
            return
        entry: i64 = self.tables[kind].get(self.key(a, d, top), -1)
        if entry >= 0:
            win: i64 = entry >> 52
            fail: i64 = (entry >> 44) & 255
            if takes >= win:
                self.proof = 0
                self.refutation = INFINITE
                self.level = win
                return
            if takes < fail or fail == NEVER:
                self.proof = INFINITE
                self.refutation = 0
                self.level = fail
                return
            self.proof = (entry >> 22) & INFINITE
            self.refutation = entry & INFINITE
            if self.proof != 0 and self.refutation != 0:
                return
        self.guess(kind, a, d)

    @final
    def store(self, kind: i64, key: int, proof: i64, refutation: i64, level: i64) -> None:
        """Keep what has been found about a position."""
        entry: i64 = self.tables[kind].get(key, -1)
        win: i64 = NEVER
        fail: i64 = 0
        if entry >= 0:
            win = entry >> 52
            fail = (entry >> 44) & 255
        if proof == 0:
            win = level
        elif refutation == 0:
            fail = level
        packed: i64 = (((win << 8) | fail) << 44) | (proof << 22) | refutation
        self.tables[kind][key] = packed

    @final
    def key(self, a: i64, d: i64, top: i64) -> int:
        """A position of one kind as a number."""
        if self.size <= PACKED:
            packed: i64 = (((a << self.size) | d) << 6) | top
            return packed
        # An operation of an int and an i64 is done in i64, so all three are turned into ints first.
        wide: int = a
        low: int = d
        card: int = top
        return (wide * 0x10000000000000 + low) * 64 + card

    @final
    def tell(self, kind: i64, a: i64, d: i64, takes: i64) -> bool:
        """Put what the table of leads says into the fields, if it says something about this position."""
        if kind & 1 or a | d != self.deck:
            return False
        needed: i64 = self.known.takes(kind, a)
        self.level = needed
        if takes < needed:
            self.proof = INFINITE
            self.refutation = 0
            return True
        self.proof = 0
        self.refutation = INFINITE
        return self.known.stands(needed, a)

    @final
    def guess(self, kind: i64, a: i64, d: i64) -> None:
        """The numbers of a position not seen before: the cards that the two still have to shed."""
        if not self.taker_leads and not self.strict and a | d == self.deck:
            if kind == ATTACKER_LEADS and self.runs(a, d, self.defender_beats):
                self.proof = 0
                self.refutation = INFINITE
                self.level = 0
                return
            if kind == DEFENDER_LEADS and self.runs(d, a, self.attacker_beats):
                self.proof = INFINITE
                self.refutation = 0
                self.level = NEVER
                return
        self.proof = popcount(a)
        self.refutation = popcount(d)
        if attacker_moves(kind):
            self.proof = max(self.proof - 1, 1)
        else:
            self.refutation = max(self.refutation - 1, 1)
