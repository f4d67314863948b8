"""A first bot for Code 777."""

from __future__ import annotations

from harness.starters.writing import Case

BOT = '''"""Imagines a few worlds that could be, and announces its code where all of them agree on it."""

from bots import Bot, Seen
from engines.code777 import Code777View, Kind, Move

WORLDS = 12
"""How many must agree: fewer is bolder."""


class $kind(Bot[Code777View]):
    games = ("$claim",)

    def act(self, seen: Seen[Code777View]) -> Move:
        if seen.moves[0].kind is Kind.RACK:
            return seen.moves[0]
        code = self.imagined(seen.view)
        for _ in range(WORLDS - 1):
            if self.imagined(seen.view) != code:
                return seen.moves[0]  # PASS
        return next(move for move in seen.moves if move.numbers == code)

    def imagined(self, view: Code777View) -> tuple[int, ...]:
        """The numbers on the own rack in a world that looks the same from here."""
        world = self.game.sample(view, self.rng)
        rack = self.game.position(world)["state"]["racks"][self.seat]
        return tuple(sorted(int(tile[0]) for tile in rack))
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
