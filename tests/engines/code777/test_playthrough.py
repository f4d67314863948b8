"""A game written by another referee, line by line: positions, legal moves, views, the outcome."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import engines

DATA = Path(__file__).parents[1] / "data" / "playthroughs" / "code777.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
GAME = engines.load("code777", **LINES[0]["rules"])


def as_sets(value: Any) -> Any:
    """Lists of tiles sorted: tiles have no order anywhere."""
    if isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            return sorted(value)
        return [as_sets(item) for item in value]
    return {key: as_sets(item) for key, item in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("line", LINES[1:-1], ids=lambda line: f"move {line['n']}")
def test_a_position_is_written_as_it_was_read(line: dict[str, Any]) -> None:
    state = GAME.from_position(line["state"])
    written = GAME.position(state)["state"]

    assert list(written) == list(line["state"])
    assert as_sets(written) == as_sets(line["state"])
    for ours, theirs in zip(written["log"], line["state"]["log"], strict=True):
        assert list(ours) == list(theirs)
    assert state.seat == line["seat"]
    assert [GAME.table[move].name for move in state.moves()] == line["legal"]


@pytest.mark.parametrize("line", LINES[1:-1], ids=lambda line: f"move {line['n']}")
def test_a_position_proves_what_each_seat_has_learnt(line: dict[str, Any]) -> None:
    state = GAME.from_position(line["state"])
    for seat, expected in enumerate(line["views"]):
        view = GAME.view_position(GAME.view(state, seat))

        assert list(view) == list(expected)
        assert as_sets(view) == as_sets(expected)


def test_the_same_moves_lead_through_the_same_lines_until_chance_differs() -> None:
    """The referee draws chance elsewhere: what it drew is read from its next line."""
    for line, after in pairwise(LINES[1:]):
        state = GAME.from_position(line["state"])
        state.play(GAME.parse(state, line["move"]))
        ours, theirs = as_sets(GAME.position(state)["state"]), as_sets(after["state"])

        if ours["refills"] == line["state"]["refills"]:
            assert ours == theirs
        else:
            for key in ("refills", "turn", "phase", "done", "sealed", "scores", "asked", "stack", "reader"):
                assert ours[key] == theirs[key]
            assert len(ours["draw"]) == len(theirs["draw"])
            assert ours["away"] == theirs["away"]


def test_the_end_is_read_and_scored_as_the_referee_did() -> None:
    end = LINES[-1]
    state = GAME.from_position(end["state"])
    outcome = state.outcome()

    assert as_sets(GAME.position(state)["state"]) == as_sets(end["state"])
    assert {
        key: list(value) if isinstance(value, tuple) else value for key, value in outcome._asdict().items()
    } == end["outcome"]
