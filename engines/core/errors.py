"""The mistakes a caller can make, each with its own name; all are ValueErrors."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class UnknownMove(ValueError):
    """A text that is no move of this game at all."""


class IllegalMove(ValueError):
    """A move of this game that is not legal here; the state is as it was."""


class BadPosition(ValueError):
    """A position that cannot be; the message names the key and the reason."""


class BadRules(ValueError):
    """An option that the game does not have, or a value the option does not take."""


class UnknownGame(ValueError):
    """A name that no game has; the message lists the known ones."""


class GameNotOver(Exception):
    """The outcome was asked for while a seat is still to move."""


def illegal_move(seat: int, move: int, legal: Iterable[int], table: Sequence[str]) -> IllegalMove:
    """Say what was played and what could have been; `table[i]` is the name of move i."""
    name = table[move] if 0 <= move < len(table) else f"move {move}"
    if seat < 0:
        return IllegalMove(f"nobody can play {name}: the game is over")
    names = ", ".join(table[i] for i in legal)
    return IllegalMove(f"seat {seat} cannot play {name}: legal here: {names}")


def choices_hint(given: str, known: Iterable[str]) -> str:
    """`did you mean "x"? known: a, b, x`, the nearest first where one is near."""
    names = sorted(known)
    near = difflib.get_close_matches(given, names, n=1)
    hint = f'did you mean "{near[0]}"? ' if near else ""
    return f"{hint}known: {', '.join(names) if names else 'none'}"
