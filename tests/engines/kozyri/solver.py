"""The exact value of every position of the duel with up to three ranks, for checking the tables.

Between two TAKEs the pile only grows (DU-11), so from an empty-pile lead play is a tree without cycles
whose leaves are wins and other empty-pile leads. The values of those are filled in, sweep by sweep,
until nothing changes; what stays open would be an endless draw. It knows the law of beating but not the
engine's states; test_duel_tables.py shows that the two agree.
"""

from __future__ import annotations

import numpy as np

from engines.kozyri.beating import beats
from engines.kozyri.common import cards_of, deck_mask

WIN, LOSS, OPEN = 1, -1, 0
PILE = 2


class Solver:
    """All positions of a deck, trumps S and H. Values are those of the seat to move.

    A position is a number in base 3: digit i says whether card i lies in hand 0, hand 1 or the pile.
    """

    def __init__(self, ranks: tuple[str, ...]) -> None:
        self.cards = cards_of(deck_mask(ranks))
        count = len(self.cards)
        self.power = [3**i for i in range(count)]
        total = 3**count
        everything = np.arange(total)
        self.digit = [(everything // p % 3).astype(np.int8) for p in self.power]
        self.pile_size = sum((d == PILE).astype(np.int8) for d in self.digit)
        self.empty = [~np.any([d == seat for d in self.digit], axis=0) for seat in (0, 1)]
        in_pile = sum((d == PILE) * p for d, p in zip(self.digit, self.power, strict=True))
        self.taken = [everything + (seat - PILE) * in_pile for seat in (0, 1)]
        """The position after each seat has taken the pile."""
        self.lead = [np.where(e, WIN, OPEN).astype(np.int8) for e in self.empty]
        """Values of leads: of positions with an empty pile, and with one; a seat without cards has won."""
        self.respond = [[np.zeros(total, np.int8) for _ in self.cards] for _ in (0, 1)]
        """Values of responses, by seat and top card."""
        levels = [np.flatnonzero(self.pile_size == size) for size in range(count + 1)]
        self.start = levels[0]
        self.open_leads = [[v[~self.empty[seat][v]] for v in levels] for seat in (0, 1)]
        self.open_responses = [[[v[d[v] == PILE] for d in self.digit] for v in levels] for _ in (0, 1)]
        """Positions whose value is not known yet, by seat, size of the pile and, for responses, top card."""
        self.higher = [
            [[c for c, card in enumerate(self.cards) if beats(card, top, trump)] for top in self.cards]
            for trump in (0, 1)
        ]
        before = None
        while before is None or any(
            (b != a[self.start]).any() for b, a in zip(before, self.lead, strict=True)
        ):
            before = [values[self.start].copy() for values in self.lead]
            self.sweep()

    def sweep(self) -> None:
        """Compute all values anew from those of the empty-pile leads, longest pile first."""
        for size in range(len(self.cards) - 1, 0, -1):
            for seat in (0, 1):
                for top in range(len(self.cards)):
                    self.sweep_responses(size, seat, top)
            for seat in (0, 1):
                self.sweep_leads(size - 1, seat)

    def sweep_responses(self, size: int, seat: int, top: int) -> None:
        """RESPOND: TAKE, or BEAT and lead (DU-9); who has led a last card has won (DU-8)."""
        here = self.open_responses[seat][size][top]
        values = -self.lead[1 - seat][self.taken[seat][here]]
        for card in self.higher[seat][top]:
            able = np.flatnonzero(self.digit[card][here] == seat)
            after = here[able] + (PILE - seat) * self.power[card]
            values[able] = np.maximum(values[able], self.lead[seat][after])
        values[self.empty[1 - seat][here]] = LOSS
        self.respond[seat][top][here] = values
        self.open_responses[seat][size][top] = here[values == OPEN]

    def sweep_leads(self, size: int, seat: int) -> None:
        """LEAD: the best card, for the seat that leads (DU-8)."""
        here = self.open_leads[seat][size]
        values = np.full(len(here), LOSS, np.int8)
        for card in range(len(self.cards)):
            able = np.flatnonzero(self.digit[card][here] == seat)
            after = here[able] + (PILE - seat) * self.power[card]
            values[able] = np.maximum(values[able], -self.respond[1 - seat][card][after])
        self.lead[seat][here] = values
        self.open_leads[seat][size] = here[values == OPEN]

    def index(self, hands: tuple[int, int], pile: int = 0) -> int:
        """The number of a position given as masks over 52 cards."""
        places = (*hands, pile)
        return sum(
            next(place for place in range(3) if places[place] >> card & 1) * power
            for card, power in zip(self.cards, self.power, strict=True)
        )

    def leads_of(self, seat: int) -> list[int]:
        """The values of all empty-pile leads of a seat with both hands non-empty."""
        both = self.start[~self.empty[0][self.start] & ~self.empty[1][self.start]]
        return [int(value) for value in self.lead[seat][both]]

    def winning(self, seat: int, hands: tuple[int, int]) -> list[str]:
        """The names of the cards that win when led on an empty pile."""
        here = self.index(hands)
        return [
            card.name
            for i, card in enumerate(self.cards)
            if hands[seat] >> card & 1
            and self.respond[1 - seat][i][here + (PILE - seat) * self.power[i]] == LOSS
        ]
