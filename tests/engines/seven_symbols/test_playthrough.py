"""A game written by another referee, line by line: positions, legal moves, views, the outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engines

DATA = Path(__file__).parents[1] / "data" / "playthroughs" / "seven-symbols.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
GAME = engines.load("seven-symbols", **LINES[0]["rules"])
AS_SETS = ("hands", "received", "known")


def as_sets(state: dict[str, Any]) -> dict[str, Any]:
    """That referee writes hands, and a view's gift of another, in the order in which cards came."""
    return {
        key: [row if row is None else set(row) for row in value] if key in AS_SETS else value
        for key, value in state.items()
    }


@pytest.mark.parametrize("line", LINES[1:-1], ids=lambda line: f"move {line['n']}")
def test_a_position_is_written_as_it_was_read(line: dict[str, Any]) -> None:
    state = GAME.from_position(line["state"])
    written = GAME.position(state)["state"]

    assert list(written) == list(line["state"])
    assert as_sets(written) == as_sets(line["state"])


@pytest.mark.parametrize("line", LINES[1:-1], ids=lambda line: f"move {line['n']}")
def test_a_position_proves_what_each_seat_has_learnt(line: dict[str, Any]) -> None:
    state = GAME.from_position(line["state"])
    for seat, expected in enumerate(line["views"]):
        view = GAME.view_position(GAME.view(state, seat))

        assert list(view) == list(expected)
        assert as_sets(view) == as_sets(expected)


def test_the_same_moves_lead_through_the_same_lines() -> None:
    state = GAME.from_position(LINES[1]["state"])
    for line in LINES[1:-1]:
        assert as_sets(GAME.position(state)["state"]) == as_sets(line["state"])
        assert state.seat == line["seat"]
        assert [GAME.table[move].name for move in state.moves()] == line["legal"]
        for seat, expected in enumerate(line["views"]):
            assert as_sets(GAME.view_position(GAME.view(state, seat))) == as_sets(expected)
        state.play(GAME.parse(state, line["move"]))

    end, outcome = LINES[-1], state.outcome()
    assert as_sets(GAME.position(state)["state"]) == as_sets(end["state"])
    assert list(outcome.scores) == end["outcome"]["scores"]
    assert list(outcome.places) == end["outcome"]["places"]
    assert list(outcome.sides) == end["outcome"]["sides"]
    assert outcome.reason == end["outcome"]["reason"]
