"""7 Symbols and 7 Nations: the trick, the score, the own hand."""

from __future__ import annotations

from harness.tables.sight import Sight, View, by_suit, count, wrapped

HINTS = (
    "Seven colours of seven cards: R 1-7, O 2-8, Y 3-9, G 4-10, B 5-11, I 6-12, V 7-13. The seven 7s",
    "are the symbols. First give three cards away (GIVE), to your partner or your left neighbour.",
    "Then play tricks: follow the colour led if you can. AR, the Sherman, wins any trick, then the",
    "highest trump (the colour of the card on display), then the highest card of the colour led.",
    "A deal is won with four symbols (three, where three play); but whoever takes a seventh trick",
    "before that has lost it. The winner scores what it is ahead in symbols, and one more.",
)
COLOURS = {"R": "red", "O": "orange", "Y": "yellow", "G": "green", "B": "blue", "I": "indigo", "V": "violet"}


def drawn(view: View, sight: Sight) -> list[str]:
    """The score, the others, the trick, the own hand."""
    display = view["display"]
    lines = sight.row("trumps", f"{COLOURS[display[-1]]} ({display} on display); deal {view['deal']}")
    own = sight.sides[sight.seat]
    for side in dict.fromkeys([own, *sight.sides]):
        members = [seat for seat, other in enumerate(sight.sides) if other == side]
        who = " and ".join(sight.who(seat) for seat in members)
        score = f"{count(view['tricks'][side], 'trick')}, {count(view['symbols'][side], 'symbol')}"
        lines += wrapped("  ", f"{who}: {score}, {count(view['points'][side], 'point')}", sight.width)
    for seat in sight.others():
        known, voids = view["known"][seat], view["voids"][seat]
        holds = f"; holds {by_suit(known)}" if known else ""
        without = f"; has no {', '.join(COLOURS[colour] for colour in voids)}" if voids else ""
        lines += sight.row(sight.who(seat), f"{count(view['sizes'][seat], 'card')}{holds}{without}")
    trick = "; ".join(f"{card} by {sight.who(seat)}" for seat, card in view["trick"])
    lines += sight.row("trick", trick or ("not yet" if view["phase"] == "GIVE" else "you lead"))
    lines += sight.row("you", by_suit(view["hands"][sight.seat]))
    return lines
