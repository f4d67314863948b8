"""The classic game: the last one who holds cards loses."""

from __future__ import annotations

from harness.tables.kozyri import BEATING, table
from harness.tables.sight import Sight, View

HINTS = (
    "Get rid of your cards: the last one who holds any has lost.",
    *BEATING,
    "On an empty pile LEAD any card. Otherwise BEAT the top, and you may add any one card (FREE) or",
    "PASS; or TAKE: three cards off the pile, five if the top is of your trump suit, all if it is",
    "your trump ace. After a TAKE that leaves cards, the next player faces the new top.",
)


def drawn(view: View, sight: Sight) -> list[str]:
    """The table, and whether one leads although there is a pile."""
    lines = table(view, sight)
    if view["free"]:
        lines += sight.row("", "you lead freely: any one card goes on top of the pile")
    return lines
