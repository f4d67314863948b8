"""`seven-collector` that gives no thought to what a card would be worth later."""

from __future__ import annotations

from bots.seven_collector import Collector
from engines.seven_symbols import Card, SevenView


class FreeCards(Collector):
    """Every trick is played as if it were the last."""

    def price(self, view: SevenView, card: Card) -> float:
        return 0.0
