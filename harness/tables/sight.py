"""From whose chair a table is drawn, and what the drawings share."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from types import ModuleType
from typing import Any

View = Mapping[str, Any]
"""What a seat knows, as JSON values."""
HIDDEN = "??"


@dataclass(frozen=True)
class Sight:
    """Who looks, and at whom."""

    seat: int
    names: Sequence[str]
    """What everybody is called, by seat; the own seat is `you`."""
    sides: Sequence[int]
    questions: Sequence[str] = ()
    """The texts of a game's questions by number, where it has such."""
    width: int = 80

    def who(self, seat: int) -> str:
        """`seat 2 (uniform)`, or `you`."""
        return "you" if seat == self.seat else f"seat {seat} ({self.names[seat]})"

    def others(self) -> list[int]:
        """The other seats, clockwise from the left."""
        count = len(self.names)
        return [(self.seat + step) % count for step in range(1, count)]

    def row(self, label: str, text: str) -> list[str]:
        """A labelled line, wrapped under itself."""
        return wrapped(f"  {label:<{self.label}}", text, self.width)

    @property
    def label(self) -> int:
        """Columns of a label."""
        return max(len(self.who(seat)) for seat in range(len(self.names))) + 2


def table_of(game: str) -> ModuleType:
    """The module that draws a game."""
    place = f"harness.tables.{game.replace('-', '_')}"
    return importlib.import_module(place if find_spec(place) else "harness.tables.any_game")


def wrapped(head: str, text: str, width: int) -> list[str]:
    """`head` and `text` in lines; those after the first begin below the text."""
    room = max(20, width - len(head))
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    return [head + lines[0], *(" " * len(head) + line for line in lines[1:])]


def by_suit(cards: Iterable[str]) -> str:
    """`7S 10S   QH   9C`: suits apart, in the order in which they come."""
    groups: dict[str, list[str]] = {}
    for card in cards:
        groups.setdefault(card[-1], []).append(card)
    return "   ".join(" ".join(group) for group in groups.values()) or "none"


def count(number: int, one: str) -> str:
    """`1 card`, `7 cards`."""
    return f"{number} {one}{'' if number == 1 else 's'}"
