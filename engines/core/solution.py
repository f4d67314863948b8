"""What a game that can be solved says about a position; a game that can has a method `solve`."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.game import Move


@dataclass(frozen=True)
class Solution:
    """The proven value of a position, and the play that shows it."""

    value: str
    """`win`, `draw` or `loss` for the seat to move."""
    line: tuple[Move, ...]
    """The main line: the shortest that the proof has, against the longest resistance; empty for a draw."""
    nodes: int
    """Positions expanded by the search."""
    depth: int
    """Moves after which the game is over at the latest, if who wins keeps to the proof; 0 for a draw."""
    best: tuple[Move, ...] | None = None
    """All first moves with this value, in the order of moves; None where they were not asked for."""


class Undecided(Exception):
    """The value was not found; the message says what has stood in the way."""
