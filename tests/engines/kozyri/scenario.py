"""Worked scenarios as data: a position, what is legal there, moves, and what they lead to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import engines
from engines.core.game import Game
from engines.core.playthrough import plain

DATA = Path(__file__).parent.parent / "data"


def load(name: str) -> dict[str, dict[str, Any]]:
    """The scenarios of one file by their number."""
    entries = json.loads((DATA / "scenarios" / name).read_text(encoding="utf-8"))
    return {entry["id"]: entry for entry in entries}


def game_of(position: dict[str, Any]) -> Game[Any, Any]:
    """The game and rules that a position names."""
    return engines.load(position["game"], **position["rules"])


def legal(game: Game[Any, Any], state: Any) -> list[str]:
    """The names of the legal moves, in the order of their numbers."""
    return [game.table[move].name for move in state.moves()]


def played(game: Game[Any, Any], state: Any, moves: Sequence[str]) -> Any:
    """The state after the moves of these names."""
    for name in moves:
        state.play(int(game.parse(state, name)))
    return state


def as_sets(value: Any) -> Any:
    """Hands as sets of names, so that their order does not matter."""
    return [sorted(hand) for hand in value]


def check(scenario: dict[str, Any]) -> None:
    """Play a scenario and compare everything it says."""
    game = game_of(scenario["position"])
    state = game.from_position(scenario["position"])
    if "legal" in scenario:
        assert set(scenario["legal"]) == set(legal(game, state))

    played(game, state, scenario.get("moves", []))
    reached = game.position(state)["state"]
    for key, expected in scenario.get("then", {}).items():
        if key in ("hands", "known"):
            assert as_sets(expected) == as_sets(reached[key])
        else:
            assert expected == reached[key], key
    if "then_legal" in scenario:
        assert set(scenario["then_legal"]) == set(legal(game, state))
    if "outcome" in scenario:
        assert scenario["outcome"] == {k: plain(v) for k, v in state.outcome()._asdict().items()}
