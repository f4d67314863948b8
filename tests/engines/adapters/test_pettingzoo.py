"""PettingZoo's own tests accept every game as an AEC environment."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import engines

pytest.importorskip("pettingzoo", reason="needs the extra pettingzoo")

from pettingzoo.test import api_test, seed_test

from engines.adapters import pettingzoo as adapter


@pytest.mark.parametrize("name", engines.available())
def test_every_game_passes_the_api_test(name: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(adapter.env(name), num_cycles=200)


@pytest.mark.parametrize("name", engines.available())
def test_every_game_passes_the_seed_test(name: str) -> None:
    seed_test(lambda: adapter.env(name), num_cycles=60)


def test_an_illegal_action_is_refused_with_the_legal_ones() -> None:
    env = adapter.env("kozyri-duel")
    env.reset(seed=3)
    mask = env.observe(env.agent_selection)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])

    with pytest.raises(ValueError, match="legal here: LEAD"):
        env.step(illegal)


def test_the_view_in_the_info_is_that_of_the_agent_to_act() -> None:
    env = adapter.env("seven-symbols", seats=3)
    env.reset(seed=5)
    seat = env.possible_agents.index(env.agent_selection)

    assert env.infos[env.agent_selection]["view"] == env.game.view(env.state_of_play, seat)


def test_at_the_end_every_agent_has_its_view_of_the_end() -> None:
    env = adapter.env("code777", max_questions=1)
    env.reset(seed=1)
    while env.state_of_play.seat >= 0:
        env.step(0)

    assert all(env.infos[agent]["view"].turn == -1 for agent in env.agents)
