"""The duel: both hands lie open."""

from __future__ import annotations

from harness.tables.kozyri import BEATING, pile, trumps
from harness.tables.sight import Sight, View, by_suit

HINTS = (
    "You win when your last card leaves your hand. Both hands lie open.",
    *BEATING,
    "LEAD: any card goes on the pile, and the other answers. BEAT: a card that beats the top; then",
    "you lead. TAKE: the whole pile goes to your hand, and the other leads again.",
)


def drawn(view: View, sight: Sight) -> list[str]:
    """The other's hand, the pile, the own hand."""
    (other,) = sight.others()
    if view["hands"][other] is None:
        return [f"  {sight.who(seat)}: {trumps(view, seat)}" for seat in (other, sight.seat)]
    lines = sight.row(sight.who(other), f"{trumps(view, other)}: {by_suit(view['hands'][other])}")
    lines += pile(view, sight)
    return lines + sight.row("you", f"{trumps(view, sight.seat)}: {by_suit(view['hands'][sight.seat])}")
