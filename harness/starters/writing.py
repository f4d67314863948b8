"""From a starter's texts to the two files."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from string import Template
from typing import Any, NamedTuple

LINE = 100
"""Columns of the files that are written."""
_GENERAL = "any_game"
"""The starter of games that have none of their own."""
TEST = '''"""What $module plays, in the game's own words."""

from typing import Any

from bots.core.testing import check_bot, choice

from $module import $kind

$rules

def test_it_keeps_the_rules_of_the_house() -> None:
    check_bot($kind, $games, matches=1)
'''
CASE = """

def test_$name() -> None:
    state = $state
    assert choice($kind, $position) == "$move"
"""


class Case(NamedTuple):
    """A position and what the bot plays there."""

    name: str
    """A sentence: `it_beats_with_the_cheapest_card`."""
    state: Mapping[str, Any]
    """As in docs/notation.md."""
    move: str


class Starter(NamedTuple):
    """A bot's file and the file of its tests."""

    bot: str
    test: str


def starter(module: str, game: str, claim: str, seats: int, rules: Mapping[str, Any]) -> Starter:
    """The two files of a bot called `module` for `game`.

    `claim` is what it says it plays (`code777:3-5`), `seats` and `rules` are of the table in the tests.
    """
    place = f"harness.starters.{game.replace('-', '_')}"
    made = importlib.import_module(place if find_spec(place) else f"harness.starters.{_GENERAL}")
    kind = "".join(word.capitalize() for word in module.split("_"))
    words = {"module": module, "kind": kind, "claim": claim, "game": game}
    test = Template(TEST).substitute(
        words, games=f'["{claim}"]', rules=f"RULES: dict[str, Any] = {_python(rules, 0)}\n"
    )
    for case in made.cases(seats):
        position = f'{{"game": "{game}", "rules": RULES, "state": state}}'
        state = _python(case.state, 4)
        test += Template(CASE).substitute(words, **case._asdict() | {"state": state}, position=position)
    return Starter(Template(made.BOT).substitute(words), test)


def _python(value: Any, indent: int) -> str:
    """A value as it is written in Python, a mapping with a line for every key."""
    if not isinstance(value, Mapping):
        return _flat(value)
    if not value or len(_flat(value)) + indent < LINE - 30:
        return _flat(value)
    pad = " " * (indent + 4)
    lines = [f"{pad}{json.dumps(key)}: {_wrapped(item, indent + 4)},\n" for key, item in value.items()]
    return "{\n" + "".join(lines) + " " * indent + "}"


def _wrapped(value: Any, indent: int) -> str:
    """A list too long for a line has one for every entry."""
    flat = _flat(value)
    if not isinstance(value, Sequence) or isinstance(value, str) or len(flat) + indent < LINE - 20:
        return flat
    pad = " " * (indent + 4)
    return "[\n" + "".join(f"{pad}{_flat(item)},\n" for item in value) + " " * indent + "]"


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)}: {_flat(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flat(item) for item in value) + "]"
    return repr(value)
