"""The worked scenarios S1 to S19 of the rules, by number."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import engines
from engines.code777 import Code777, Code777State, code_of, posterior, tile_named
from engines.code777.questions import FEATURES, answer_for, answer_name
from engines.code777.rack_state import TILES as TILES_EVENT
from engines.core.chance import Stream
from engines.core.errors import BadPosition

SCENARIOS = json.loads((Path(__file__).parents[1] / "data" / "scenarios" / "code777.json").read_text())


def of_kind(kind: str) -> pytest.MarkDecorator:
    cases = [pytest.param(case, id=case["id"]) for case in SCENARIOS if case["kind"] == kind]
    return pytest.mark.parametrize("case", cases)


def game_of(rules: dict[str, Any]) -> Code777:
    game = engines.load("code777", **rules)
    assert isinstance(game, Code777)
    return game


def test_scenarios_of_every_number_are_here() -> None:
    """S1 to S19 are all in the data, and each is of a kind that a test below plays."""
    numbers = {int(case["id"].split("-")[0].strip("Sabcd")) for case in SCENARIOS}
    assert numbers == set(range(1, 20))
    assert {case["kind"] for case in SCENARIOS} == {
        "answers", "rack", "play", "piles", "posterior", "posterior_equal"
    }  # fmt: skip


@of_kind("answers")
def test_scenarios_of_answers(case: dict[str, Any]) -> None:
    """A reader's answers to the questions about the racks it sees."""
    game = game_of(case["position"]["rules"])
    state = game.from_position(case["position"])
    racks = [state.rack(place) for place in range(game.setup.racks)]

    answers = {
        number: answer_name(int(number), answer_for(int(number), racks, case["reader"], game.setup.at_least))
        for number in case["expect"]
    }

    assert answers == case["expect"]


@of_kind("rack")
def test_scenarios_of_racks(case: dict[str, Any]) -> None:
    """Which rack questions count a rack."""
    code = code_of(map(tile_named, case["rack"]))

    counted = {number: FEATURES[code] >> 4 * (int(number) - 1) & 15 for number in case["expect"]}

    assert counted == case["expect"]


@of_kind("piles")
def test_scenarios_of_piles(case: dict[str, Any]) -> None:
    """How many tiles the draw pile has after refills one after another (CO-16)."""
    game = game_of(case["rules"])
    state = game.deal(7)

    piles = []
    for turn in range(len(case["expect"])):
        state.refill(turn % game.seats)
        piles.append(state.draw_size)

    assert piles == case["expect"]


def posterior_of(problem: dict[str, Any]) -> dict[str, float]:
    """The odds in a problem given as what a seat sees and hears."""
    game = game_of(problem["rules"])
    events = problem["events"]
    racks = [["5K", "7P", "5R"], *(events[0]["see"][str(place)] for place in (1, 2, 3))]
    log = [{**event, "racks": racks} for event in events[1:]]
    asked = [event["q"] for event in log] or [8]
    last = log[-1] if log else {"q": 8, "reader": problem["seat"], "answer": 7}
    codes = [code_of(map(tile_named, rack)) for rack in racks]
    full = [tile.name for tile in engines.code777.TILES for _ in range(tile.copies)]
    for name in [name for rack in racks for name in rack]:
        full.remove(name)
    assert answer_for(last["q"], codes, last["reader"], at_least=False) == last["answer"]
    state = game.from_position(
        {
            "racks": racks,
            "draw": full,
            "stack": [card for card in range(1, 24) if card not in asked],
            "asked": asked,
            "reader": last["reader"],
            "turn": 0,
            "question": last["q"],
            "answer": last["answer"],
            "asked_total": len(asked),
            "log": log,
        }
    )
    return posterior(game.view(state, problem["seat"]))


@of_kind("posterior")
def test_scenarios_of_deduction(case: dict[str, Any]) -> None:
    """The odds of the own rack after an answer."""
    odds = posterior_of(case["problem"])

    assert odds == pytest.approx({name: float(Fraction(p)) for name, p in case["expect"].items()})


@of_kind("posterior_equal")
def test_scenarios_of_no_news(case: dict[str, Any]) -> None:
    """What a reader answers tells the reader nothing."""
    assert posterior_of(case["problem"]) == posterior_of(case["other"])


def looked_up(position: dict[str, Any], path: str) -> Any:
    """The value at `draw.len`, `log.-1.right` and the like."""
    value: Any = position
    for step in path.split("."):
        if step == "len":
            value = len(value)
        elif isinstance(value, list):
            value = value[int(step)]
        else:
            value = value[step]
    return value


def unordered(value: Any) -> Any:
    """Lists of tiles sorted; tiles have no order anywhere."""
    if isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            return sorted(value)
        return [unordered(item) for item in value]
    if isinstance(value, dict):
        return {key: unordered(item) for key, item in value.items()}
    return value


def check_facts(game: Code777, state: Code777State, facts: dict[str, Any]) -> None:
    position = game.position(state)["state"]
    legal = [game.table[move].name for move in state.moves()]
    for path, expected in facts.items():
        actual: Any
        if path in ("legal", "legal.len"):
            actual = legal if path == "legal" else len(legal)
        elif path.startswith("outcome."):
            value = getattr(state.outcome(), path.removeprefix("outcome."))
            actual = list(value) if isinstance(value, tuple) else value
        else:
            actual = looked_up(position, path)
        assert unordered(actual) == unordered(expected), path


@of_kind("play")
def test_scenarios_of_play(case: dict[str, Any]) -> None:
    """A position, what is true there, and what is true after each move."""
    game = game_of(case["position"]["rules"])
    if "refused" in case:
        with pytest.raises(BadPosition, match=case["refused"]):
            game.from_position(case["position"])
        return
    state = game.from_position(case["position"])
    check_facts(game, state, case.get("facts", {}))
    names = [game.table[move].name for move in state.moves()]
    assert set(case.get("includes", [])) <= set(names)
    assert not set(case.get("excludes", [])) & set(names)
    for step in case.get("moves", []):
        if "refused" in step:
            with pytest.raises(ValueError, match=step["refused"]):
                state.play(game.parse(state, step["move"]))
            continue
        if "nxt" in step:  # what chance may have made of it
            lucks = range(2_000)
            reached = (played(game, case["position"], step["move"], luck, state) for luck in lucks)
            state = next(after for after in reached if agrees(game, after, step))
        else:
            state.play(game.parse(state, step["move"]))
        check_facts(game, state, step.get("facts", {}))


def played(game: Code777, start: dict[str, Any], move: str, luck: int, before: Code777State) -> Code777State:
    """The state after a move from `before`, with another luck."""
    position = game.position(before)
    position["state"]["luck"] = luck
    state = game.from_position(position)
    state.play(game.parse(state, move))
    return state


def agrees(game: Code777, state: Code777State, step: dict[str, Any]) -> bool:
    """Whether chance has done what the scenario supposes: the question asked, or the tiles drawn."""
    now, then = game.position(state)["state"], step["nxt"]
    return (now["question"], unordered(now["racks"])) == (then["question"], unordered(then["racks"]))


def test_scenario_s11_is_the_same_for_any_rack() -> None:
    """S11: sizes do not depend on which racks are refilled."""
    game = game_of({})
    one, other = game.deal(1), game.deal(1)
    for turn in range(12):
        one.refill(turn % 4)
        other.refill(2)
        assert one.draw_size == other.draw_size
    assert Stream(1, TILES_EVENT, 2).word() != Stream(1, TILES_EVENT, 3).word()
