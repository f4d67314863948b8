"""Sheds low cards of long suits, keeps trumps, and leaves the next player what it can hardly beat.

Mean score a seat, ± standard error over deals, in all 14 mixed seatings of two bots (deals 5000 … 5074,
1,050 matches; 0 is even). Against `uniform`: 0.114 ± 0.003, where two thirds of the matches end in a draw
because uniform players left alone play on to the cap; with points by the order of going out (`payoff=order`)
2.475 ± 0.004 (1.5 is even, 2.5 always ahead). Against a bot that plays its lowest card, trumps last:
0.083 ± 0.013.
"""

from __future__ import annotations

from bots import Bot, Seen
from engines.kozyri.hund import Card, HundView, Kind, Move

KEEP_TRUMP = 20
"""What a trump is worth more than its rank says."""
KEEP_QUEEN = 40
"""What the Queen of Clubs is worth before trumps: she gets her holder past any pile, once."""
THEIRS = 8
"""What it is worth to leave the next player a card of its own trump suit, which no other suit beats."""
A_CARD = 0.2
"""What it is worth to make the next player take one more card."""


class Squeeze(Bot[HundView]):
    """Weighs every card by what it would be worth later, in ranks, and by what it does to the next player."""

    games = ("hund",)

    def act(self, seen: Seen[HundView]) -> Move:
        view = seen.view
        # TAKE and PASS shed nothing: they are for when there is nothing else.
        playing = [move for move in seen.moves if move.kind not in (Kind.TAKE, Kind.PASS)]
        if not playing:
            return seen.moves[-1]
        if playing[0].kind is not Kind.FREE:
            return min(playing, key=lambda move: price(view, move.card))
        return max(playing, key=lambda move: threat(view, move.card) - price(view, move.card))


def price(view: HundView, card: Card) -> float:
    """What a card would be worth later, in ranks: cards of long suits are the easiest to part with."""
    if card.name == "QC" and not view.trumps_set:
        return KEEP_QUEEN
    length = sum(other.suit == card.suit for other in view.hand)
    return card.rank - length + KEEP_TRUMP * (card.suit == view.trump)


def threat(view: HundView, card: Card) -> float:
    """How much this card on top of the pile squeezes the next player, in ranks."""
    after = view.active[1]
    takes = len(view.order) + 1
    stuck = 1 - view.answer_chance(after, card)
    return THEIRS * (card.suit == view.trumps[after]) + A_CARD * takes * stuck
