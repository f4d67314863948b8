"""Beats with the cheapest card, takes when it must."""

from bots import Bot, Seen
from engines.kozyri.hund import HundView, Kind, Move


class Miser(Bot[HundView]):
    """Never adds a card of its own accord: the shortest bot that knows Hund, to start from."""

    games = ("hund",)

    def act(self, seen: Seen[HundView]) -> Move:
        beats = [m for m in seen.moves if m.kind is Kind.BEAT]
        return min(beats, key=lambda m: m.card.rank) if beats else seen.moves[-1]
