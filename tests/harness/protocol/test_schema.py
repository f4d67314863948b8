"""The schemas say what is really sent: every view of whole games, and both sides' messages."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

import msgspec
import pytest

import engines
from engines.core.play import turns
from harness.protocol import messages
from harness.protocol.schema import DIALECT, game_schema

jsonschema = pytest.importorskip("jsonschema", reason="the package jsonschema checks the schemas")

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "code777": [{}, {"colours": True, "pre_window": True}, {"seats": 2, "refresh": 4}],
    "hund": [{}, {"second": "must", "queen_trumps": "seats"}],
    "kozyri-classic": [{}, {"trumps": "chosen", "seats": 3}],
    "kozyri-duel": [{}, {"suits": "chosen", "deck": "easy"}],
    "seven-symbols": [{}, {"seats": 3}],
}
GAMES = [(name, rules) for name in engines.available() for rules in VARIANTS.get(name, [{}])]


def validator(game: Any, part: str | None = None) -> Any:
    schema = game_schema(game)
    kind = jsonschema.Draft202012Validator
    kind.check_schema(schema)
    if part is not None:
        schema = {"$schema": DIALECT, "$ref": f"#/$defs/{part}", "$defs": schema["$defs"]}
    return kind(schema)


@pytest.mark.parametrize(("name", "rules"), GAMES)
def test_every_view_of_a_game_is_what_its_schema_says(name: str, rules: dict[str, Any]) -> None:
    game = engines.load(name, **rules)
    check = validator(game, "view")
    rng = Random(5)
    state = game.deal(5)
    seen = 0

    for turn, now in turns(game, state, lambda _, moves: rng.choice(moves)):
        if turn.n % 7 == 0:
            seat = seen % game.seats
            check.validate(json.loads(json.dumps(game.view_position(game.view(now, seat)))))
            seen += 1
        if turn.n > 100:
            break
    for seat in range(game.seats):
        check.validate(game.view_position(game.view(state, seat)))

    assert seen > 2


@pytest.mark.parametrize("name", engines.available())
def test_a_view_with_a_key_too_many_or_too_few_is_refused(name: str) -> None:
    game = engines.load(name)
    check = validator(game, "view")
    view = game.view_position(game.view(game.deal(1), 0))
    key = next(iter(view))

    assert not check.is_valid({**view, "luck": 1})
    assert not check.is_valid({k: v for k, v in view.items() if k != key})
    assert check.is_valid(view)


def test_messages_of_both_sides_fit_the_schema_and_wrong_ones_do_not() -> None:
    game = engines.load("hund")
    check = validator(game)
    clock = messages.Clock(0.2, None, None)
    view = game.view_position(game.view(game.deal(1), 0))
    sent: list[messages.FromReferee | messages.FromBot] = [
        messages.Hello(1, "hund", {"second": "may"}, 0, 4, [0, 1, 2, 3], {}, 77),
        messages.Act(5, view, ["TAKE"], [1], [(2, "TAKE")], clock),
        messages.End(messages.Outcome([1, 0, 0, 0], [1, 2, 2, 2], [0, 1, 2, 3], "won")),
        messages.End(None),
        messages.Ready(1),
        messages.Chosen(5, "TAKE", {"nodes": 3.0}),
        messages.Chosen(5, 12),
    ]

    for message in sent:
        check.validate(json.loads(msgspec.json.encode(message)))
    wrong: Any
    for wrong in ({"type": "move", "id": 5}, {"type": "ready", "protocol": 1, "x": 1}, {"type": "hallo"}, []):
        assert not check.is_valid(wrong)


def test_moves_are_listed_by_name() -> None:
    game = engines.load("seven-symbols")

    assert game_schema(game)["$defs"]["name"]["enum"] == [move.name for move in game.table]


def test_the_command_prints_the_schema_of_a_game_with_its_options() -> None:
    command = [sys.executable, "-m", "harness", "schema", "kozyri-classic", "--rules", "seats=3"]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert json.loads(done.stdout) == game_schema(engines.load("kozyri-classic", seats=3))
