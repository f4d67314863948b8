"""OpenSpiel's own random simulation accepts every game."""

from __future__ import annotations

import dataclasses

import pytest

import engines

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")

from engines.adapters import openspiel as adapter  # noqa: E402 - skipped without the extra


def seat_choices(name: str) -> list[dict[str, int]]:
    fields = {field.name: field for field in dataclasses.fields(engines.game_type(name).rules_type)}
    return [{"seats": n} for n in fields["seats"].metadata["choices"]] if "seats" in fields else [{}]


CASES = [(name, options) for name in engines.available() for options in seat_choices(name)]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_every_game_passes_the_random_simulation(name: str, options: dict[str, int]) -> None:
    short = {"cap": 60} if "cap" in fields_of(name) else {"max_questions": 10} if name == "code777" else {}

    pyspiel.random_sim_test(adapter.game(name, **options, **short), num_sims=2, serialize=True, verbose=False)


def fields_of(name: str) -> set[str]:
    return {field.name for field in dataclasses.fields(engines.game_type(name).rules_type)}


@pytest.mark.parametrize("name", engines.available())
def test_the_same_luck_gives_the_same_game_as_here(name: str) -> None:
    state = adapter.game(name).new_initial_state()
    for bits in (1, 2, 3, 4, 5):
        state.apply_action(bits)
    luck = ((((1 << 10 | 2) << 10 | 3) << 10 | 4) << 10) | 5
    game = engines.load(name)
    mine = game.deal(luck)

    assert state.current_player() == mine.seat
    assert state.legal_actions() == mine.moves()
    assert [state.action_to_string(a) for a in state.legal_actions()] == [
        game.table[move].name for move in mine.moves()
    ]


def test_options_are_the_games_own() -> None:
    game = adapter.game("kozyri-duel", deck=["Q", "K", "A"], suits="chosen")
    state = game.new_initial_state()
    for _ in range(adapter.DRAWS):
        state.apply_action(0)

    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        "TRUMP S",
        "TRUMP H",
        "TRUMP D",
        "TRUMP C",
    ]


@pytest.mark.parametrize(
    ("name", "options", "least"),
    [
        ("hund", {"cap": 50_000}, 50_000),
        ("code777", {"max_questions": 5_000}, 5_000 * 15),
        ("seven-symbols", {"deals": 500}, 500 * 60),
    ],
)
def test_the_longest_game_follows_the_options(name: str, options: dict[str, int], least: int) -> None:
    assert adapter.game(name, **options).max_game_length() >= least
