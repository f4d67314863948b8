"""What bots and other people's code say, made fit for one line of a terminal, a log or a file."""

from __future__ import annotations

import json


def one_line(said: object) -> str:
    """`str(said)` in one line; a control character is shown as Python would write it, and not obeyed.

    Raises whatever `str` does.
    """
    text = " ".join(str(said).split())
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def named(error: BaseException) -> str:
    """`KeyError: 7`: an exception in one line, whatever its class and its own text do."""
    try:
        kind = one_line(type(error).__name__)
    except BaseException:  # noqa: BLE001 - a bot's own exception has a class with a class of its own
        kind = "an exception without a name"
    try:
        text = one_line(error)
    except BaseException:  # noqa: BLE001 - its __str__ may raise anything, SystemExit too
        text = "(its text cannot be shown)"
    return f"{kind}{': ' if text else ''}{text}"


def visible(line: str) -> str:
    """A line of a bot's output with a mark for every character that a terminal would obey; tabs stay."""
    return "".join(c if c.isprintable() or c == "\t" else "�" for c in line)


def with_rules(game: str, rules: str) -> str:
    """`kozyri-duel, deck = "easy"`: a game with the options that were changed, given as canonical JSON."""
    return game + "".join(f", {key} = {json.dumps(value)}" for key, value in json.loads(rules).items())


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 deal`, `1,200 deals`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
