"""Hund: trumps come with the Queen of Clubs."""

from __future__ import annotations

from harness.tables.kozyri import BEATING, table
from harness.tables.sight import Sight, View

HINTS = (
    "Get rid of your cards: the last one who holds any is the Hund.",
    *BEATING,
    "There are no trumps until the Queen of Clubs is played: she goes on anything, and whoever plays",
    "her has trumps clubs, the players after that spades, hearts, diamonds.",
    "On an empty pile LEAD any card. Otherwise BEAT the top, and you may add any one card (FREE) or",
    "PASS; or TAKE the whole pile, and the next player leads.",
)


def drawn(view: View, sight: Sight) -> list[str]:
    """The table, and a card that must follow the Queen."""
    lines = table(view, sight)
    if view["phase"] == "QUEEN":
        lines += sight.row("", "a card of yours must follow the Queen")
    return lines
