"""A first bot for Code 777."""

from __future__ import annotations

from harness.starters.writing import Case

BOT = '''"""Announces its code once the tiles that it does not see leave no other; hears no answers yet."""

from bots import Bot, Seen
from engines.code777 import Code777View, Kind, Move


class $kind(Bot[Code777View]):
    games = ("$claim",)

    def act(self, seen: Seen[Code777View]) -> Move:
        unseen = seen.view.unseen  # three of these tiles stand on the own rack
        if seen.moves[0].kind is Kind.RACK or len(unseen) > 3:
            return seen.moves[0]  # PASS, or the first ownerless rack
        # seen.view.log has all answers, self.game.sample(seen.view, self.rng) a world that fits them:
        # here is where a better idea goes.
        code = tuple(sorted(tile.number for tile in unseen))
        return next(move for move in seen.moves if move.numbers == code)
'''

RACKS = (("5R", "6P", "7C"), ("2Y", "4B", "4B"), ("1G", "3K", "6G"), ("5R", "7C", "7Y"), ("3K", "5K", "7P"))
"""Whose own rack is the first."""


def cases(seats: int) -> list[Case]:
    """Knowing, and not knowing."""

    def state(draw: list[str]) -> dict[str, object]:
        racks = [list(rack) for rack in RACKS[: max(4, seats)]]
        # Question 8, how many colours: seat 1 answers, and does not see its own rack.
        colours = {tile[1] for rack in (racks[0], *racks[2:]) for tile in rack}
        stack = [card for card in range(1, 24) if card != 8]
        table = {
            "racks": racks,
            "draw": draw,
            "stack": stack,
            "asked": [8],
            "question": 8,
            "answer": len(colours),
        }
        return table | {"asked_total": 1, "reader": 1, "turn": 0, "phase": "WINDOW"}

    return [
        Case("it_announces_what_can_only_be", state([]), "ANNOUNCE 5-6-7"),
        Case("it_passes_while_it_cannot_know", state(["2Y", "4B", "6G", "6P", "7Y"]), "PASS"),
    ]
