"""Beats with the cheapest card, takes when it must.

An example to start from, and no strong one: it never adds a second card. Against `uniform`, in all 14 mixed
seatings (deals 5000 … 5074, 1,050 matches), it scores -0.098 ± 0.005 a seat, where 0 is even.
"""

from bots import Bot, Seen
from engines.kozyri.hund import HundView, Kind, Move


class Miser(Bot[HundView]):
    """Never adds a card of its own accord: the shortest bot that knows Hund, to start from."""

    games = ("hund",)

    def act(self, seen: Seen[HundView]) -> Move:
        beats = [m for m in seen.moves if m.kind is Kind.BEAT]
        return min(beats, key=lambda m: m.card.rank) if beats else seen.moves[-1]
