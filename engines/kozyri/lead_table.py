"""The table of all leads on the empty pile of a deck with six cards in each suit, and how it is laid out.

A byte a lead, by the leader's hand: DRAWN; or the leader wins, with one take less than the byte; or from
LOST on the other wins, with as many takes less. A hand is four holdings, one of each suit, whose bits are
the cards from low to high: the leader's trumps, the other's trumps, and two more suits. Those are alike, so
that only pairs of their holdings are kept, in a triangle (`place` in known_leads.py).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from engines.kozyri.known_leads import DRAWN, LOST
from engines.kozyri.lead_layers import MOST, LeadLayers

RANKS: Final = 6
FILE: Final = "six_ranks.leads.xz"
"""Written by benchmarks/duel_leads.py."""


@functools.cache
def six_ranks() -> bytes:
    """The table that is shipped: every lead of the easy deck, 8.5 MB unpacked."""
    import lzma  # with the next one 30 modules, for those who open the table
    from importlib.resources import files

    return lzma.decompress((files(__package__) / FILE).read_bytes())


def solved(ranks: int) -> LeadLayers:
    """All layers of a deck."""
    layers = LeadLayers(ranks)
    while layers.add():
        pass
    return layers


def packed(takes: Sequence[Sequence[int]], ranks: int) -> bytes:
    """The table, from the takes by kind of lead and the attacker's hand (LeadLayers.takes)."""
    leader, follower = takes
    low = (1 << ranks) - 1
    found = bytearray()
    for fourth in range(1 << ranks):
        for third in range(fourth + 1):
            rest = third << 2 * ranks | fourth << 3 * ranks
            others = (low ^ third) << 2 * ranks | (low ^ fourth) << 3 * ranks
            for theirs in range(1 << ranks):
                for own in range(1 << ranks):
                    mine = leader[rest | theirs << ranks | own]
                    # The other's hand, whose trumps come first for the other.
                    other = follower[others | (low ^ own) << ranks | (low ^ theirs)]
                    won = 1 + mine if mine <= MOST else DRAWN
                    found.append(LOST + other if other <= MOST else won)
    return bytes(found)
