"""A game's options as numbers, for the states in play; compiled. What users write is `SevenRules`."""

from __future__ import annotations

from typing import final

from mypy_extensions import i64


@final
class Setup:
    """A game's options as numbers; shared by its states and never changed."""

    def __init__(self, seats: i64, simple: bool, target: i64, deals: i64) -> None:
        self.seats: i64 = seats
        self.symbols: i64 = 4 if seats == 4 else 3
        """K of SY-10: with so many symbols a deal is won."""
        self.cards: i64 = 12 if seats == 4 else 16
        self.simple: bool = simple
        self.target: i64 = target
        """Points that end the match (SY-15)."""
        self.deals: i64 = deals
        """Exactly so many deals; 0: until `target`."""
