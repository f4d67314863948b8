"""A first bot for Seven Symbols and Seven Nations."""

from __future__ import annotations

from harness.starters.writing import Case

BOT = '''"""Takes symbols when it can win them, and otherwise plays its lowest card."""

from bots import Bot, Seen
from engines.seven_symbols import Kind, Move, SevenView


class $kind(Bot[SevenView]):
    games = ("$claim",)

    def act(self, seen: Seen[SevenView]) -> Move:
        if seen.moves[0].kind is Kind.GIVE:
            return min(seen.moves, key=lambda move: move.card.rank)
        symbols = [move for move in seen.moves if move.card.symbol]
        # seen.view.trick_cards are on the table, seen.view.trump is the trump colour, tricks and symbols
        # tell the score: here is where a better idea goes.
        return symbols[0] if symbols else min(seen.moves, key=lambda move: move.card.rank)
'''


def cases(seats: int) -> list[Case]:
    """Leading a symbol, following with a low card."""
    sides = seats if seats == 3 else 2
    others = [["5G", "6G", "9B"], ["8G", "11B", "12V"], ["10B", "11I", "12I"]][: seats - 1]
    last = seats - 1

    def state(hands: list[list[str]], trick: list[list[object]], leader: int) -> dict[str, object]:
        table = {"hands": hands, "display": "9V", "trick": trick, "leader": leader, "first_leader": leader}
        score = {key: [0] * sides for key in ("tricks", "symbols", "points")}
        return table | {"turn": 0, "phase": "PLAY"} | score

    led = [others[seat][: 2 if seat == last - 1 else 3] for seat in range(last)]
    following = state([["4G", "9G", "10G"], *led], [[last, "7G"]], last)
    return [
        Case("it_leads_a_symbol", state([["3R", "7O", "4G"], *others], [], 0), "PLAY 7O"),
        Case("it_follows_with_its_lowest_card", following, "PLAY 4G"),
    ]
