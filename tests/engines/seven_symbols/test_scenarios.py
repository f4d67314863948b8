"""The worked scenarios Q1-Q18 (four seats) and T1-T13 (three), as positions, moves and facts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import engines

DATA = Path(__file__).parents[1] / "data" / "scenarios" / "seven_symbols.json"
SCENARIOS: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))


def fact(game: Any, state: Any, path: str) -> Any:
    """The value at a path: `hands.0.len` of the position, `legal`, `outcome.places`."""
    if path == "legal":
        return {game.table[move].name for move in state.moves()}
    if path == "outcome":
        return state.outcome() if state.seat < 0 else None
    if path.startswith("outcome."):
        value = getattr(state.outcome(), path.removeprefix("outcome."))
        return list(value) if isinstance(value, tuple) else value
    value = game.position(state)["state"]
    for step in path.split("."):
        value = len(value) if step == "len" else value[int(step)] if isinstance(value, list) else value[step]
    return value


def check(game: Any, state: Any, facts: dict[str, Any]) -> None:
    for path, expected in facts.items():
        assert fact(game, state, path) == (set(expected) if path == "legal" else expected), path


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_scenarios(scenario: dict[str, Any]) -> None:
    game = engines.load("seven-symbols", **scenario["position"]["rules"])
    state = game.from_position(scenario["position"])
    check(game, state, scenario.get("facts", {}))
    for step in scenario.get("moves", []):
        state.play(game.parse(state, step["move"]))
        check(game, state, step.get("facts", {}))


def test_scenarios_are_complete() -> None:
    """Every number of the rules has at least one."""
    numbers = {re.match(r"[QT]\d+", scenario["id"]).group() for scenario in SCENARIOS}  # type: ignore[union-attr]  # every id matches

    assert numbers == {f"Q{n}" for n in range(1, 19)} | {f"T{n}" for n in range(1, 14)}
