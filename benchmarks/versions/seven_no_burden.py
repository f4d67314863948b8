"""`seven-collector` that counts every trick of its own the same."""

from __future__ import annotations

from bots.seven_collector import Collector
from engines.seven_symbols import SevenView


class NoBurden(Collector):
    """It does not see a seventh trick coming."""

    def burden(self, view: SevenView, stake: float) -> float:
        return 0.3
