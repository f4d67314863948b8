"""A first bot for the duel."""

from __future__ import annotations

from harness.starters.writing import Case

BOT = '''"""Leads the lowest card, beats with the cheapest one, takes only when it must."""

from bots import Bot, Seen
from engines.kozyri.duel import DuelView, Kind, Move


class $kind(Bot[DuelView]):
    games = ("$claim",)

    def act(self, seen: Seen[DuelView]) -> Move:
        view = seen.view
        cards = [move for move in seen.moves if move.kind in (Kind.LEAD, Kind.BEAT)]
        if not cards:
            return seen.moves[0]  # TAKE, or a suit to choose
        # Both hands lie open: view.opponent has the other one. Here is where a better idea goes.
        return min(cards, key=lambda move: (move.card.suit == view.trump, move.card.rank))
'''


def cases(seats: int) -> list[Case]:
    """Leading, beating, taking."""
    del seats
    suits = {"trumps": ["S", "H"], "seconds": ["C", "D"]}
    lead = {"hands": [["7S", "10H", "9D", "QD"], ["8S", "KH", "AC"]], "pile": [], "turn": 0, "phase": "LEAD"}
    beat = {"hands": [["7S", "10D", "KD"], ["8S", "KH", "AC"]], "pile": ["9D"], "turn": 0, "phase": "RESPOND"}
    take = {"hands": [["10H", "8D"], ["8S", "KH", "AC"]], "pile": ["9D"], "turn": 0, "phase": "RESPOND"}
    return [
        Case("it_leads_its_lowest_card_and_keeps_trumps", suits | lead, "LEAD 9D"),
        Case("it_beats_with_the_cheapest_card", suits | beat, "BEAT 10D"),
        Case("it_takes_when_it_must", suits | take, "TAKE"),
    ]
