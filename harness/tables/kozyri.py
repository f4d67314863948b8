"""What the games of the Kozyri family share: a pile, and hands with trumps of their own."""

from __future__ import annotations

from harness.tables.sight import Sight, View, by_suit, count

SHOWN = 12
"""Cards of the pile that are shown, from the top down."""
BEATING = (
    "A card beats the top of the pile if it is of the same suit and higher, or if it is of your own",
    "trump suit and the top is not. Everybody has trumps of their own. Ranks go up to the ace.",
)
NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def pile(view: View, sight: Sight) -> list[str]:
    """The pile, its top first."""
    cards = list(reversed(view["pile"]))
    if not cards:
        return sight.row("pile", "empty")
    more = f" and {len(cards) - SHOWN} more" if len(cards) > SHOWN else ""
    below = f", below it {' '.join(cards[1:SHOWN])}{more}" if cards[1:] else ""
    return sight.row("pile", f"{cards[0]} on top{below} ({count(len(cards), 'card')})")


def trumps(view: View, seat: int) -> str:
    """`trumps hearts`."""
    suits = view["trumps"]
    suit = suits[seat] if suits else None
    return f"trumps {NAMES[suit]}" if suit else "no trumps yet"


def table(view: View, sight: Sight) -> list[str]:
    """The table of the games with hidden hands: the others, the pile, the own hand."""
    lines = []
    for seat in sight.others():
        if seat in view["out"]:
            place = view["out"].index(seat) + 1
            lines += sight.row(sight.who(seat), f"out, number {place} to go")
            continue
        known = view["known"][seat]
        seen = f"; it is known to hold {by_suit(known)}" if known else ""
        text = f"{count(view['sizes'][seat], 'card')}, {trumps(view, seat)}{seen}"
        lines += sight.row(sight.who(seat), text)
    lines += pile(view, sight)
    return lines + sight.row("you", f"{trumps(view, sight.seat)}: {by_suit(view['hands'][sight.seat])}")
