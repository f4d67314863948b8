"""Alpha-beta search of the duel with a transposition table; compiled like the engines.

Values are those of the seat that leads. Depth counts leads, and an answer belongs to the lead before it, so
every leaf is a lead. Moves that the exchange of two cards shows to be no better than others are left out
(engines/kozyri/proof_search.py), a leader who can lead all his cards has won, and a lead whose next
occurrence is a draw is worth nothing. The rest is judged by `Judge`.
"""

from __future__ import annotations

from time import thread_time
from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit, lowest, popcount

WON: Final[i64] = 100_000
"""What an empty hand is worth; less by one for every lead before it."""
SURE: Final[i64] = 90_000
"""Values from here on are won games."""
OFFSET: Final[i64] = 0x40000
TAKE: Final[i64] = -1

# What a stored value is.
EXACT: Final[i64] = 0
AT_LEAST: Final[i64] = 1
AT_MOST: Final[i64] = 2

# Where each kind of feature starts.
SIZE: Final[i64] = 0
WEAK: Final[i64] = 12
COUNT: Final[i64] = 19
HIGH: Final[i64] = 22
UNDER: Final[i64] = 25
BARE: Final[i64] = 28
LEADS: Final[i64] = 29
PILE: Final[i64] = 30
FEATURES: Final = 31


class OutOfBudget(Exception):
    """The search has used its nodes or its time."""


@final
class Judge:
    """What a lead is worth: a weighted sum over what each seat holds, mine less theirs.

    Of each hand: its size; how many of its cards the other can beat; by role of the suit (own trumps, the
    other's trumps, the rest) the cards, those above all of the other's, and the pairs in which the other
    has the higher card; whether it is without trumps. And for the leader: the lead, and the pile's size.
    """

    def __init__(self, suits: list[int], trumps: list[int], weights: list[int]) -> None:
        self.suits: list[int] = suits
        self.trumps: list[int] = trumps
        self.weights: list[int] = weights

    def lead(self, mine: i64, other: i64, pile: i64, seat: i64) -> i64:
        """The value of a position for `seat`, which is to lead."""
        w = self.weights
        value: i64 = self.hand(mine, other, seat) - self.hand(other, mine, 1 - seat)
        return value + w[LEADS] + w[PILE] * pile

    def hand(self, mine: i64, other: i64, seat: i64) -> i64:
        """What one hand contributes."""
        w = self.weights
        trump: i64 = self.trumps[seat]
        theirs: i64 = self.trumps[1 - seat]
        guarded: bool = other & self.suits[theirs] != 0
        weak: i64 = 0
        value: i64 = 0
        suit: i64 = 0
        while suit < 4:
            mask: i64 = self.suits[suit]
            held: i64 = mine & mask
            role: i64 = 2
            if suit == trump:
                role = 0
            elif suit == theirs:
                role = 1
            count: i64 = popcount(held)
            if count:
                against: i64 = other & mask
                pairs: i64 = 0
                high: i64 = 0
                rest: i64 = held
                while rest:
                    one: i64 = rest & -rest
                    rest ^= one
                    above: i64 = popcount(against & -one)
                    pairs += above
                    if above == 0:
                        high += 1
                value += w[COUNT + role] * count + w[HIGH + role] * high + w[UNDER + role] * pairs
                weak += count if guarded and role != 1 else count - high
            suit += 1
        if mine & self.suits[trump] == 0:
            value += w[BARE]
        size: i64 = popcount(mine)
        return value + w[SIZE + min(size, 12) - 1] + w[WEAK + min(weak, 6)]


@final
class AlphaBeta:
    """The search over one set of cards, numbered densely; keeps its table from decision to decision."""

    def __init__(
        self,
        judge: Judge,
        suit_of: list[int],
        beats: list[list[int]],
        *,
        taker_leads: bool,
        forbidden: list[int],
    ) -> None:
        self.judge: Judge = judge
        self.suit_of: list[int] = suit_of
        self.beats: list[list[int]] = beats
        """By seat and card: the cards with which the seat beats it."""
        self.taker_leads: bool = taker_leads
        self.size: i64 = len(suit_of)
        self.deck: i64 = bit(self.size) - 1
        self.forbidden: dict[int, int] = {}
        """Empty-pile leads that are a draw: twice the leader's hand, plus the seat."""
        for key in forbidden:
            self.forbidden[key] = 1
        self.strict: bool = len(forbidden) > 0
        self.tables: list[dict[int, int]] = [{}, {}]
        """By the seat to lead: value, depth, kind of value and best card, packed."""
        self.history: list[int] = [0] * (2 * len(suit_of))
        """By seat and card: how often leading it was enough."""
        self.nodes: i64 = 0
        self.limit: i64 = 0
        self.until: float = 0.0

    def lead(  # noqa: C901, PLR0912 - the hot loop: calls would cost a third of its speed
        self, a: i64, d: i64, seat: i64, depth: i64, alpha: i64, beta: i64
    ) -> i64:
        """The value for `seat`, which is to lead from hand `a`."""
        if a & (a - 1) == 0:
            return WON
        pile: i64 = self.deck & ~(a | d)
        if pile == 0:
            if self.strict:
                lead: int = 2 * a + seat
                if lead in self.forbidden:
                    return 0
            elif not self.taker_leads and self.runs(a, d, seat):
                return WON - popcount(a)
        if depth <= 0:
            return self.judge.lead(a, d, popcount(pile), seat)
        self.nodes += 1
        if self.nodes > self.limit or (
            self.until > 0.0 and self.nodes & 127 == 0 and thread_time() >= self.until
        ):
            raise OutOfBudget
        table = self.tables[seat]
        key = self.key(a, d)
        entry: i64 = table.get(key, -1)
        first: i64 = -1
        if entry >= 0:
            first = (entry & 63) - 1
            if (entry >> 8) & 255 >= depth:
                known: i64 = (entry >> 16) - OFFSET
                kind: i64 = (entry >> 6) & 3
                if (
                    kind == EXACT
                    or (kind == AT_LEAST and known >= beta)
                    or (kind == AT_MOST and known <= alpha)
                ):
                    return known
        best: i64 = -WON - 1
        chosen: i64 = -1
        floor: i64 = alpha
        for m in self.ordered(a, d, seat, first):
            card: i64 = m
            value: i64 = faded(self.after_lead(a, d, card, seat, depth, floor, beta))
            if value > best:
                best = value
                chosen = card
                floor = max(floor, value)
                if value >= beta:
                    self.history[seat * self.size + card] += depth * depth
                    break
        flag: i64 = EXACT
        if best >= beta:
            flag = AT_LEAST
        elif best <= alpha:
            flag = AT_MOST
        packed: i64 = ((best + OFFSET) << 16) | (min(depth, 255) << 8) | (flag << 6) | (chosen + 1)
        table[key] = packed
        return best

    def after_lead(self, a: i64, d: i64, card: i64, seat: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """The value for `seat` of leading a card that is not its last."""
        rest: i64 = a ^ bit(card)
        by: i64 = self.beats[1 - seat][card]
        if by & d:
            return -self.answer(d, rest, card, 1 - seat, depth, -beta, -alpha)
        return -self.after_take(self.deck & ~rest, rest, 1 - seat, depth, -beta, -alpha)

    def answer(self, a: i64, d: i64, top: i64, seat: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """The value for `seat`, which is to answer a lead."""
        best: i64 = -WON - 1
        floor: i64 = alpha
        for m in self.answers(a, top, seat):
            value: i64 = self.after_answer(a, d, m, seat, depth, floor, beta)
            if value > best:
                best = value
                floor = max(floor, value)
                if value >= beta:
                    break
        return best

    def after_answer(self, a: i64, d: i64, move: i64, seat: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """The value for `seat` of beating with a card, or of TAKE."""
        if move < 0:
            return self.after_take(self.deck & ~d, d, seat, depth, alpha, beta)
        if a & (a - 1) == 0:
            return WON
        return self.lead(a ^ bit(move), d, seat, depth - 1, alpha, beta)

    def after_take(self, a: i64, d: i64, seat: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """The value for `seat`, which has taken the pile."""
        if self.taker_leads:
            return self.lead(a, d, seat, depth - 1, alpha, beta)
        return -self.lead(d, a, 1 - seat, depth - 1, -beta, -alpha)

    def answers(self, a: i64, top: i64, seat: i64) -> list[int]:
        """The lowest card of the suit, the lowest trump, TAKE."""
        found: list[int] = []
        by: i64 = self.beats[seat][top]
        rest: i64 = a & by
        inside: i64 = rest & self.judge.suits[self.suit_of[top]]
        if inside:
            found.append(lowest(inside))
        rest &= ~inside
        if rest:
            found.append(lowest(rest))
        found.append(TAKE)
        return found

    def leads(self, a: i64, d: i64, seat: i64) -> list[int]:
        """Of the cards of a suit that the other can beat with the same cards, the lowest."""
        found: list[int] = []
        beats = self.beats[1 - seat]
        suit: i64 = -1
        same: i64 = 0
        rest: i64 = a
        while rest:
            card: i64 = lowest(rest)
            rest &= rest - 1
            its: i64 = self.suit_of[card]
            by: i64 = beats[card]
            by &= d
            if its != suit or by != same:
                found.append(card)
            suit = its
            same = by
        return found

    def ordered(self, a: i64, d: i64, seat: i64, first: i64) -> list[int]:
        """The leads, `first` before those that have often been enough."""
        cards = self.leads(a, d, seat)
        history = self.history
        base: i64 = seat * self.size
        place: i64 = 1
        count: i64 = len(cards)
        while place < count:
            card: i64 = cards[place]
            rank: i64 = history[base + card]
            at: i64 = place
            while at > 0 and card != first:
                before: i64 = cards[at - 1]
                if before == first or rank <= history[base + before]:
                    break
                cards[at] = before
                at -= 1
            if card == first:
                while at > 0:
                    cards[at] = cards[at - 1]
                    at -= 1
            cards[at] = card
            place += 1
        return cards

    def runs(self, a: i64, d: i64, seat: i64) -> bool:
        """Whether at most one card of the leader can be beaten."""
        beats = self.beats[1 - seat]
        weak: i64 = 0
        rest: i64 = a
        while rest:
            by: i64 = beats[lowest(rest)]
            rest &= rest - 1
            if by & d:
                weak += 1
                if weak > 1:
                    return False
        return True

    def key(self, a: i64, d: i64) -> int:
        """A lead of one seat as a number."""
        if self.size <= 30:
            packed: i64 = (a << self.size) | d
            return packed
        wide: int = a
        low: int = d
        return wide * 0x10000000000000 + low

    def choose(self, a: i64, d: i64, top: i64, seat: i64, nodes: i64, until: float) -> int:
        """The best card, or TAKE, of the deepest search that the budget allows.

        `top` is -1 for a lead; `until` is a moment of `thread_time`, 0 for none. Some move is always found.
        """
        self.limit = self.nodes + nodes
        self.until = until
        cards = self.answers(a, top, seat) if top >= 0 else self.leads(a, d, seat)
        chosen: i64 = cards[0]
        depth: i64 = 1
        try:
            while depth < 100:
                best: i64 = -WON - 1
                leading: i64 = chosen
                for card in [chosen] + [card for card in cards if card != chosen]:
                    value: i64 = 0
                    if top >= 0:
                        value = self.after_answer(a, d, card, seat, depth, best, WON + 1)
                    elif a & (a - 1) == 0:
                        return card
                    else:
                        value = self.after_lead(a, d, card, seat, depth, best, WON + 1)
                    if value > best:
                        best = value
                        leading = card
                        if depth > 1:
                            chosen = card
                chosen = leading
                if best >= SURE or best <= -SURE:
                    break
                depth += 1
        except OutOfBudget:
            pass
        return chosen


def faded(value: i64) -> i64:
    """A value one lead earlier: wins are better the nearer, losses the farther."""
    if value >= SURE:
        return value - 1
    if value <= -SURE:
        return value + 1
    return value
