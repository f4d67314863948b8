"""Every lead on the empty pile, solved backwards: who wins it, and with how many takes of its own.

Seen by the attacker, layer t holds the leads that it wins with at most t takes. Between two takes the pile
only grows (DU-11), and each take ends in such a lead: after the attacker's own it must be in layer t - 1,
which is there; after the defender's, in layer t with fewer cards in the attacker's hand than before. So
with the hands in order of size what each take is worth is known, and every search below is a finite tree of
exact values. A layer that adds nothing is the last, as the next one would be built from the same. What is
in no layer of either side is won by nobody: play goes round for ever.

Few leads are searched. To hold the higher of two cards of a suit is never worse (proof_moves.py), so a won
hand settles all hands that differ by higher cards, and a refuted one those with lower. Seats change places
by changing the trumps (I7), so that one attack tells both; the two suits that are no trumps are alike.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, lowest

MOST: Final[i64] = 100
"""Takes that can be told; with six cards in each suit 44 are the most that a win needs."""
OPEN: Final[i64] = 101
"""Not won so far; every layer that has refuted it counts one more."""
TABLE: Final = 3_000_000
"""Positions kept within a layer."""


@final
class LeadLayers:
    """The layers of a deck with four suits of equal length. Hands are masks over cards numbered suit by suit:

    the attacker's trumps, the defender's trumps, the other two; each low to high.
    """

    def __init__(self, ranks: int) -> None:
        self.ranks: i64 = ranks
        self.size: i64 = 4 * ranks
        self.deck: i64 = bit(self.size) - 1
        self.takes: list[list[int]] = [[101] * (1 << 4 * ranks), [101] * (1 << 4 * ranks)]
        """For leads of the attacker and of the defender: the takes needed, by the attacker's hand."""
        self.layer: i64 = 0
        self.searches: i64 = 0
        self.nodes: i64 = 0
        self.known: dict[int, int] = {}
        self.suits: list[int] = [((1 << ranks) - 1) << (card // ranks * ranks) for card in range(4 * ranks)]
        """By card: its suit."""
        self.attacker_beats: list[int] = [self.beaters(card, 0) for card in range(4 * ranks)]
        self.defender_beats: list[int] = [self.beaters(card, ranks) for card in range(4 * ranks)]
        self.bottoms: i64 = 1 | bit(ranks) | bit(2 * ranks) | bit(3 * ranks)
        """The lowest card of each suit."""
        self.tops: i64 = self.bottoms << (ranks - 1)
        # Hands of one size are visited as permuted combinations: two suits from low to high, two from high
        # to low, which meets strong and weak hands in turn. Another order is as right, but not as fast.
        self.places: list[int] = [
            card % 4 * ranks + (ranks - 1 - card // 4 if card % 2 else card // 4) for card in range(4 * ranks)
        ]

    def beaters(self, card: i64, trump: i64) -> i64:
        """The cards that beat a card where the suit of card `trump` is trumps."""
        suit: i64 = self.suits[card]
        trumps: i64 = self.suits[trump]
        return suit & -bit(card + 1) | (0 if suit == trumps else trumps)

    def mirrored(self, hand: i64) -> i64:
        """The other's hand, seen by the other as the attacker."""
        rest: i64 = self.deck & ~hand
        low: i64 = bit(self.ranks) - 1
        own: i64 = rest & low
        theirs: i64 = rest >> self.ranks & low
        return rest & ~(low | low << self.ranks) | own << self.ranks | theirs

    def turned(self, hand: i64) -> i64:
        """A hand with the two suits that are no trumps exchanged."""
        low: i64 = bit(self.ranks) - 1
        third: i64 = hand >> (2 * self.ranks) & low
        fourth: i64 = hand >> (3 * self.ranks) & low
        trumps: i64 = hand & (bit(2 * self.ranks) - 1)
        return trumps | fourth << (2 * self.ranks) | third << (3 * self.ranks)

    def add(self) -> int:
        """Add the next layer; how many leads are new in it."""
        self.known = {}
        added: i64 = 0
        size: i64 = 1
        while size < self.size:
            added += self.add_hands(0, size)
            added += self.add_hands(1, size)
            size += 1
        self.layer += 1
        return added

    def add_hands(self, kind: i64, size: i64) -> i64:
        """The leads of one kind in which the attacker has `size` cards."""
        takes = self.takes[kind]
        others = self.takes[1 - kind]
        added: i64 = 0
        combination: i64 = bit(size) - 1
        while combination <= self.deck:
            hand: i64 = self.permuted(combination)
            # The next mask with as many bits.
            one: i64 = combination & -combination
            carried: i64 = combination + one
            combination = carried | ((combination ^ carried) >> 2) >> lowest(one)
            value: i64 = takes[hand]
            if value <= MOST or value == OPEN + self.layer + 1 or others[self.mirrored(hand)] <= MOST:
                continue
            self.searches += 1
            other: i64 = self.deck & ~hand
            if len(self.known) > TABLE:
                self.known = {}
            if self.attack(hand, other) if kind == 0 else self.defence(hand, other):
                added += self.raise_from(takes, hand) + self.raise_from(takes, self.turned(hand))
            else:
                self.lower_from(takes, hand)
                self.lower_from(takes, self.turned(hand))
        return added

    def permuted(self, combination: i64) -> i64:
        """The hand that a combination of numbers stands for."""
        hand: i64 = 0
        rest: i64 = combination
        while rest:
            place: i64 = self.places[lowest(rest)]
            hand |= bit(place)
            rest &= rest - 1
        return hand

    def raise_from(self, takes: list[int], hand: i64) -> i64:
        """A lead is won in this layer, and so are all with higher cards; returns how many are new."""
        added: i64 = 0
        if takes[hand] > MOST:
            takes[hand] = self.layer
            added = 1
        stack: list[int] = [hand]
        while stack:
            last: i64 = stack.pop()
            steps: i64 = last & ~(last >> 1) & ~self.tops
            while steps:
                low: i64 = steps & -steps
                steps ^= low
                higher: i64 = last + low
                if takes[higher] > MOST:
                    takes[higher] = self.layer
                    added += 1
                    stack.append(higher)
        return added

    def lower_from(self, takes: list[int], hand: i64) -> None:
        """A lead is not won in this layer, nor are those with lower cards."""
        mark: i64 = OPEN + self.layer + 1
        takes[hand] = mark
        stack: list[int] = [hand]
        while stack:
            last: i64 = stack.pop()
            steps: i64 = last & ~(last << 1) & ~self.bottoms
            while steps:
                high: i64 = steps & -steps
                steps ^= high
                lower: i64 = last - (high >> 1)
                if takes[lower] != mark:
                    takes[lower] = mark
                    stack.append(lower)

    def attack(self, a: i64, d: i64) -> bool:
        """Whether the attacker, to lead, wins in this layer."""
        if a & (a - 1) == 0:
            return True
        key: int = (a << self.size | d) << 1
        found: i64 = self.known.get(key, -1)
        if found >= 0:
            return found == 1
        self.nodes += 1
        won: bool = self.leads_well(a, d)
        self.known[key] = 1 if won else 0
        return won

    def leads_well(self, a: i64, d: i64) -> bool:
        """Whether some lead of the attacker wins: against the TAKE first, then against the beats."""
        takes = self.takes[0]
        hopes: i64 = 0
        suit: i64 = 0
        same: i64 = 0
        rest: i64 = a
        while rest:
            card: i64 = lowest(rest)
            rest &= rest - 1
            its: i64 = self.suits[card]
            beats: i64 = self.defender_beats[card]
            by: i64 = beats & d
            if its == suit and by == same:
                continue
            suit = its
            same = by
            after: i64 = takes[a ^ bit(card)]
            if after <= self.layer:
                if by == 0:
                    return True
                hopes |= bit(card)
        if d & (d - 1) == 0:
            return False
        while hopes:
            card = lowest(hopes)
            hopes &= hopes - 1
            left: i64 = a ^ bit(card)
            beats = self.defender_beats[card]
            inside: i64 = beats & d & self.suits[card]
            outside: i64 = beats & d & ~self.suits[card]
            if (inside == 0 or self.defence(left, d ^ (inside & -inside))) and (
                outside == 0 or self.defence(left, d ^ (outside & -outside))
            ):
                return True
        return False

    def defence(self, a: i64, d: i64) -> bool:
        """Whether the attacker wins in this layer where the defender is to lead."""
        if d & (d - 1) == 0:
            return False
        key: int = (a << self.size | d) << 1 | 1
        found: i64 = self.known.get(key, -1)
        if found >= 0:
            return found == 1
        self.nodes += 1
        won: bool = self.answers_well(a, d)
        self.known[key] = 1 if won else 0
        return won

    def answers_well(self, a: i64, d: i64) -> bool:
        """Whether the attacker has an answer to each lead: TAKE where that is enough, or a beat."""
        takes = self.takes[1]
        hard: i64 = 0
        suit: i64 = 0
        same: i64 = 0
        rest: i64 = d
        while rest:
            card: i64 = lowest(rest)
            rest &= rest - 1
            its: i64 = self.suits[card]
            beats: i64 = self.attacker_beats[card]
            by: i64 = beats & a
            if its == suit and by == same:
                continue
            suit = its
            same = by
            after: i64 = takes[self.deck & ~(d ^ bit(card))]
            if after < self.layer:
                continue
            if by == 0:
                return False
            hard |= bit(card)
        if a & (a - 1) == 0:
            return True
        while hard:
            card = lowest(hard)
            hard &= hard - 1
            left: i64 = d ^ bit(card)
            beats = self.attacker_beats[card]
            inside: i64 = beats & a & self.suits[card]
            outside: i64 = beats & a & ~self.suits[card]
            if (inside == 0 or not self.attack(a ^ (inside & -inside), left)) and (
                outside == 0 or not self.attack(a ^ (outside & -outside), left)
            ):
                return False
        return True
