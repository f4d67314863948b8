"""A first bot for Hund."""

from __future__ import annotations

from harness.starters.writing import Case

BOT = '''"""Beats with the cheapest card, takes when it must, and never adds a second card."""

from bots import Bot, Seen
from engines.kozyri.hund import HundView, Kind, Move


class $kind(Bot[HundView]):
    games = ("$claim",)

    def act(self, seen: Seen[HundView]) -> Move:
        cards = [move for move in seen.moves if move.kind in (Kind.LEAD, Kind.BEAT, Kind.QUEEN)]
        if not cards:
            return seen.moves[-1]  # PASS or TAKE; FREE would add a second card
        return min(cards, key=lambda move: move.card.rank)
'''


def cases(seats: int) -> list[Case]:
    """Leading, beating, leaving it at that."""
    del seats
    others = [["7H", "KC"], ["8H", "JD"], ["9H", "3C"]]
    trumps = ["S", "H", "D", "C"]

    def state(hand: list[str], pile: list[str], phase: str) -> dict[str, object]:
        hands = [hand, *others]
        return {"hands": hands, "pile": pile, "trumps": trumps, "dealer": 0, "turn": 0, "phase": phase}

    return [
        Case("it_leads_its_lowest_card", state(["10S", "9D", "QD"], [], "TURN"), "LEAD 9D"),
        Case("it_beats_with_the_cheapest_card", state(["QS", "10D", "KD"], ["9D"], "TURN"), "BEAT 10D"),
        Case("it_adds_no_second_card", state(["QS", "8C", "KD"], ["9D", "10D"], "SECOND"), "PASS"),
    ]
