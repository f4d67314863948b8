"""A game's options as numbers, for the states in play; compiled. What users write is `Code777Rules`."""

from __future__ import annotations

from typing import final

from mypy_extensions import i64


@final
class Setup:
    """A game's options as numbers; shared by its states and never changed."""

    def __init__(
        self,
        seats: i64,
        refresh: i64,
        target: i64,
        colours: bool,
        at_least: bool,
        pre_window: bool,
        winner_takes_all: bool,
        max_questions: i64,
        names: list[str],
    ) -> None:
        self.seats: i64 = seats
        self.racks: i64 = max(4, seats)
        self.refresh: i64 = refresh
        """T of CO-16."""
        self.target: i64 = target
        self.colours: bool = colours
        self.at_least: bool = at_least
        """Question 2 asks for 12 or more (A49)."""
        self.pre_window: bool = pre_window
        self.winner_takes_all: bool = winner_takes_all
        self.max_questions: i64 = max_questions
        self.names: list[str] = names
        """The moves' names."""
        self.announcements: i64 = 251 if colours else 76
        self.all_moves: list[int] = list(range(self.announcements + 1))
        """What is legal in a window: PASS and every announcement (CO-11)."""
