"""`seven-collector` that gives away its lowest cards without looking at colours' lengths."""

from __future__ import annotations

from bots.seven_collector import Collector
from engines.seven_symbols import Card, SevenView


class BlindGifts(Collector):
    """Symbols and trumps it keeps."""

    def keep(self, view: SevenView, card: Card) -> float:
        return card.rank - card.suit + 5 * (card.suit == view.trump) + 4 * card.symbol + 20 * card.sherman
