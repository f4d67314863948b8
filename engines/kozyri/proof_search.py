"""Proof-number search for one side of a duel: can the attacker win, taking the pile at most so many times?

Every cycle of a duel holds a TAKE of each seat, so with a bound on the attacker's own takes the graph of
positions has no cycle, and what is proved or refuted in it can be kept by position alone. A strategy that
wins with the fewest takes never comes back to an empty-pile lead: the one it left needed more takes than
it had left. So a win found here stands under the rule of repetition (DU-12), too.

Two moves are compared by exchanging two cards of one suit: to hold the higher of them is never worse, by
playing it as if it were the lower. Hence a seat beats with its lowest card of the suit, or its lowest
trump, and of cards of a suit that the other can beat with the same cards it leads the lowest. The rest of
the moves can be left out, but not where some leads are forbidden, which depends on the very cards.

Where a table of all leads on the empty pile is at hand (known_leads.py), it says how many takes each is won
with, and only the play on a pile is searched.

Cards are numbered densely, suit by suit, low to high, over those that are in the game. The search is df-pn
(Nagai 2002): a position's proof number is at least how many more leaves must be won to prove it.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, lowest, popcount
from engines.kozyri.known_leads import NEVER, KnownLeads

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
INFINITE: Final[i64] = 4194303
"""The number of what cannot be: 22 bits."""
MOST_TAKES: Final = 254
PACKED: Final[i64] = 28
"""Cards in the game up to which a position fits a machine word."""

ALL_NODES: Final[i64] = 1000000000000
"""Enough for every search that ends."""

PROVED: Final = 1
REFUTED: Final = 2
UNDECIDED: Final = 0


class OutOfNodes(Exception):
    """The search has used its nodes; what it has found is kept."""


def attacker_moves(kind: i64) -> bool:
    """Whether it is the attacker's turn in a kind of positions."""
    return (kind + 1) & 3 < 2


@final
class Attack:
    """What is known about the wins of one seat, the attacker. Masks are over the cards in the game."""

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
        self.known: KnownLeads = known
        self.tabled: bool = known.there
        self.tables: list[dict[int, int]] = [{}, {}, {}, {}]
        """By kind: from how many takes a position is won, up to how many it is not, its two numbers."""
        self.nodes: i64 = 0
        """Positions expanded so far."""
        self.limit: i64 = 0
        # The position that `step` has found, and what `look` has found about it.
        self.kind: i64 = 0
        self.mine: i64 = 0
        self.other: i64 = 0
        self.top: i64 = 0
        self.takes: i64 = 0
        self.took: i64 = 0
        self.proof: i64 = 0
        self.refutation: i64 = 0
        self.level: i64 = 0

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

    def defender_takes(self, a: i64) -> i64:
        """The defender has all but the attacker's hand."""
        self.kind = DEFENDER_LEADS if self.taker_leads else ATTACKER_LEADS
        self.other = self.deck & ~a
        return LOST if self.strict and self.is_forbidden() else OPEN

    def attacker_takes(self, d: i64, takes: i64) -> i64:
        """The attacker has all but the defender's hand, and one take less."""
        if takes == 0:
            return OUT_OF_TAKES
        self.took = 1
        self.takes = takes - 1
        self.kind = ATTACKER_LEADS if self.taker_leads else DEFENDER_LEADS
        self.mine = self.deck & ~d
        return LOST if self.strict and self.is_forbidden() else OPEN

    def is_forbidden(self) -> bool:
        """Whether the empty-pile lead in the fields is one that ends in a draw."""
        lead: int = 4 * self.mine + self.kind
        return lead in self.forbidden

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

    def search(  # noqa: C901, PLR0912, PLR0915 - the hot loop; calls and tuples would double its time
        self, kind: i64, a: i64, d: i64, top: i64, takes: i64, most_proof: i64, most_ref: i64
    ) -> None:
        """Expand below a position until one of its numbers reaches its bound; raises OutOfNodes.

        "Own" is the number that the seat to move brings to 0 by one good move; "shared" needs all of them.
        """
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodes
        moves = self.moves(kind, a, d, top)
        attacks: bool = attacker_moves(kind)
        own_bound: i64 = most_proof if attacks else most_ref
        shared_bound: i64 = most_ref if attacks else most_proof
        while True:
            least: i64 = INFINITE
            second: i64 = INFINITE
            shared: i64 = 0
            still_open: i64 = 0
            all_level: i64 = NEVER if attacks else 0
            one_level: i64 = 0
            best_kind: i64 = 0
            best_mine: i64 = 0
            best_other: i64 = 0
            best_top: i64 = 0
            best_takes: i64 = 0
            best_shared: i64 = 0
            for m in moves:
                move: i64 = m
                done: i64 = self.step(kind, a, d, top, takes, move)
                next_kind: i64 = self.kind
                next_mine: i64 = self.mine
                next_other: i64 = self.other
                next_top: i64 = self.top
                next_takes: i64 = self.takes
                proof: i64 = 0
                refutation: i64 = INFINITE
                level: i64 = 0
                if done == OPEN:
                    took: i64 = self.took
                    self.look(next_kind, next_mine, next_other, next_top, next_takes)
                    proof = self.proof
                    refutation = self.refutation
                    level = self.level
                    if took and level < NEVER:
                        level += 1
                elif done != WON:
                    proof = INFINITE
                    refutation = 0
                    level = NEVER if done == LOST else 1
                own: i64 = proof if attacks else refutation
                others: i64 = refutation if attacks else proof
                shared += others
                if others > 0:
                    still_open += 1
                elif (level < all_level) == attacks and level != all_level:
                    all_level = level
                if own < least:
                    second = least
                    least = own
                    best_kind = next_kind
                    best_mine = next_mine
                    best_other = next_other
                    best_top = next_top
                    best_takes = next_takes
                    best_shared = others
                    one_level = level
                    if own == 0:
                        break
                elif own < second:
                    second = own
            if least == 0:
                shared = INFINITE
            elif still_open == 0:
                shared = 0
                least = INFINITE
            else:
                shared = min(shared, INFINITE - 1)
                least = min(least, INFINITE - 1)
            if least >= own_bound or shared >= shared_bound or least == 0 or shared == 0:
                found: i64 = one_level if least == 0 else all_level
                if attacks:
                    self.store(kind, self.key(a, d, top), least, shared, found)
                else:
                    self.store(kind, self.key(a, d, top), shared, least, found)
                return
            # A quarter more than the second best needs, so that the search does not go to and fro.
            own_next: i64 = min(own_bound, second + (second >> 2) + 1)
            shared_next: i64 = min(shared_bound - shared + best_shared, INFINITE)
            if attacks:
                self.search(best_kind, best_mine, best_other, best_top, best_takes, own_next, shared_next)
            else:
                self.search(best_kind, best_mine, best_other, best_top, best_takes, shared_next, own_next)

    def prove(self, kind: i64, a: i64, d: i64, top: i64, takes: i64, more: i64) -> int:
        """Try to decide a position with at most `takes` takes of the attacker and `more` further nodes."""
        self.limit = self.nodes + more
        self.look(kind, a, d, top, takes)
        if self.proof != 0 and self.refutation != 0:
            try:
                self.search(kind, a, d, top, takes, INFINITE, INFINITE)
            except OutOfNodes:
                return UNDECIDED
            self.look(kind, a, d, top, takes)
        return PROVED if self.proof == 0 else REFUTED

    def derived(self, kind: i64, a: i64, d: i64, takes: i64) -> int:
        """PROVED or REFUTED for a lead on the empty pile from what the table says of those that follow."""
        self.limit = self.nodes + ALL_NODES
        self.search(kind, a, d, 0, takes, INFINITE, INFINITE)
        entry: i64 = self.tables[kind][self.key(a, d, 0)]
        win: i64 = entry >> 52
        return PROVED if takes >= win else REFUTED
