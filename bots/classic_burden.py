"""Sheds low cards of long suits, keeps trumps, and leaves the next player much to take up.

Mean score a seat, ± standard error over deals, in all mixed seatings of two bots (1,050 matches each, deals
from 5000 on; 0 is even). Against `uniform`: two seats 0.998 ± 0.002, three 0.316 ± 0.005, four 0.162 ± 0.004,
where uniform players left alone often play on to the cap; with points by the order of going out
(`payoff=order`) 0.999 ± 0.001 (0.5 is even, 1 always ahead), 1.738 ± 0.003 (1; 1.75) and 2.462 ± 0.007
(1.5; 2.5). Against a bot that plays its lowest card, trumps last: two seats 0.394 ± 0.024, three
0.067 ± 0.014, four 0.070 ± 0.011.
"""

from __future__ import annotations

from bots import Bot, Seen
from engines.kozyri.classic import Card, ClassicView, Kind, Move

KEEP_TRUMP = 20
"""What a trump is worth more than its rank says."""
LENGTH = 2
"""How much easier each further card of a suit makes it to part with one of them, in ranks."""
THEIRS = 4
"""What it is worth to leave the next player a card of its own trump suit, which no other suit beats."""
A_CARD = 0.4
"""What it is worth to make the next player take one more card."""


class Burden(Bot[ClassicView]):
    """Weighs every card by what it would be worth later, in ranks, and by what it does to the next player."""

    games = ("kozyri-classic",)

    def act(self, seen: Seen[ClassicView]) -> Move:
        view = seen.view
        # TAKE and PASS shed nothing: they are for when there is nothing else.
        playing = [move for move in seen.moves if move.kind in (Kind.LEAD, Kind.BEAT, Kind.FREE)]
        if not playing:
            return seen.moves[0]  # also a trump suit to choose, which neither helps nor hurts (CL-2)
        if playing[0].kind is Kind.BEAT:
            return min(playing, key=lambda move: price(view, move.card))
        return max(playing, key=lambda move: threat(view, move.card) - price(view, move.card))


def price(view: ClassicView, card: Card) -> float:
    """What a card would be worth later, in ranks: cards of long suits are the easiest to part with."""
    length = sum(other.suit == card.suit for other in view.hand)
    return card.rank - LENGTH * length + KEEP_TRUMP * (card.suit == view.trump)


def threat(view: ClassicView, card: Card) -> float:
    """How much this card on top of the pile burdens the next player, in ranks (CL-7)."""
    after = view.active[1]
    pile = len(view.order) + 1
    theirs = card.suit == view.trumps[after]
    takes = min(5 if theirs else 3, pile)
    if theirs and card.rank == 14:
        takes = pile
    stuck = 1 - view.answer_chance(after, card)
    return THEIRS * theirs + A_CARD * takes * stuck
