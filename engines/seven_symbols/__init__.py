"""7 Symbols, and 7 Nations: the types that a bot's file needs."""

from engines.seven_symbols.cards import (
    CARDS,
    COLOURS,
    SHERMAN,
    SYMBOLS,
    Card,
    card_named,
    cards_of,
    mask_of,
)
from engines.seven_symbols.game import SevenRules, SevenSymbols
from engines.seven_symbols.moves import MOVES, Kind, Move
from engines.seven_symbols.seven_state import SevenState
from engines.seven_symbols.view import SevenView

__all__ = [
    "CARDS",
    "COLOURS",
    "MOVES",
    "SHERMAN",
    "SYMBOLS",
    "Card",
    "Kind",
    "Move",
    "SevenRules",
    "SevenState",
    "SevenSymbols",
    "SevenView",
    "card_named",
    "cards_of",
    "mask_of",
]
