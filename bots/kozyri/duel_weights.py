"""The weights of the duel's evaluation (bots/kozyri/alphabeta.py), in 1/256 of a unit of log odds.

Learnt by benchmarks/tune_duel.py (two rounds of 250 games, 50 nodes a move, easy, standard and advanced
decks), which starts from the weights here: another run goes on from them. In order: sizes 1 … 12 of a hand;
0 … 6 cards that can be beaten; own trumps, the other's trumps, other suits: how many cards, how many above
all of the other's, pairs below one of the other's; a hand without trumps; the lead; each card of the pile.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final = [
    261, 110, 27, 69, -1, -70, -58, -79, -79, -62, -60, -59,
    121, 98, -58, -33, -78, -36, -14,
    2, 21, -14,
    17, 12, -13,
    7, -7, -11,
    38,
    10,
    1,
]  # fmt: skip
