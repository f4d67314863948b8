"""A first bot for the classic game."""

from __future__ import annotations

from harness.starters.writing import Case

BOT = '''"""Plays its lowest card whenever it may, and keeps its trumps for last."""

from bots import Bot, Seen
from engines.kozyri.classic import ClassicView, Kind, Move


class $kind(Bot[ClassicView]):
    games = ("$claim",)

    def act(self, seen: Seen[ClassicView]) -> Move:
        view = seen.view
        cards = [move for move in seen.moves if move.kind in (Kind.LEAD, Kind.BEAT, Kind.FREE)]
        if not cards:
            return seen.moves[0]  # TAKE, PASS, or a suit to choose
        # view.active[1] is the next player, view.answer_chance(seat, card) how likely it can answer:
        # here is where a better idea goes.
        return min(cards, key=lambda move: (move.card.suit == view.trump, move.card.rank))
'''


def cases(seats: int) -> list[Case]:
    """Leading, beating, adding a second card."""
    others = [["7H", "KC"], ["8H", "JD"], ["9H", "QC"]][: seats - 1]

    def state(hand: list[str], pile: list[str], phase: str) -> dict[str, object]:
        trumps = ["S", "H", "D", "C"][:seats]
        hands = [hand, *others]
        return {"hands": hands, "pile": pile, "trumps": trumps, "dealer": 0, "turn": 0, "phase": phase}

    return [
        Case("it_leads_its_lowest_card_and_keeps_trumps", state(["7S", "9D", "QD"], [], "TURN"), "LEAD 9D"),
        Case("it_beats_with_the_cheapest_card", state(["7S", "10D", "KD"], ["9D"], "TURN"), "BEAT 10D"),
        Case("it_adds_its_lowest_card", state(["7S", "8C", "AD"], ["9D", "10D"], "SECOND"), "FREE 8C"),
    ]
