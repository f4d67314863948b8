"""Any game as a PettingZoo AEC environment: `env("hund", second="must")`.

Needs the extra `pettingzoo`. An observation is a dict of `observation` (see numbers.encode) and
`action_mask`; the typed view is in `infos[agent]["view"]`. Rewards are the scores, given at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

import engines
from engines.adapters.numbers import LIMIT, encode, width
from engines.core.chance import LUCK_LIMIT
from engines.core.errors import IllegalMove

Observation = dict[str, Any]


class TableGame(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """One game at one table; `reset(seed=s)` deals a game that is a function of s."""

    metadata = {"render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - PettingZoo's own form

    def __init__(self, name: str, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.game = engines.load(name, **options)
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"{name}_v{self.game.version}"}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        size, moves = width(self.game), len(self.game.table)
        numbers = spaces.Box(-LIMIT, LIMIT, (size,), np.int64)
        mask = spaces.Box(0, 1, (moves,), np.int8)
        self._observation_space = spaces.Dict({"observation": numbers, "action_mask": mask})
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}
        self._lucks = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Move i of the game's table is action i."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; without a seed the next one of the environment's own."""
        if seed is not None:
            self._lucks = np.random.default_rng(seed)
        self.state_of_play = self.game.deal(int(self._lucks.integers(LUCK_LIMIT)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        """What the agent's seat knows, and which moves are legal for it now."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(self.game.table), dtype=np.int8)
        if self.state_of_play.seat == seat:
            mask[self.state_of_play.moves()] = 1
        return {"observation": encode(self.game.view(self.state_of_play, seat)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play move number `action` for the agent that is to act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMove(f"{agent} is to move: expected the number of a move, got None")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.state_of_play.play(int(action))
        if self.state_of_play.seat < 0:
            outcome = self.state_of_play.outcome()
            self.rewards = {
                a: float(score) for a, score in zip(self.possible_agents, outcome.scores, strict=True)
            }
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()

    def render(self) -> str:
        """The position as text."""
        return str(self.game.position(self.state_of_play)["state"])

    def close(self) -> None:
        """Nothing to close."""

    def _select(self) -> None:
        """Hand the turn on; the acting seat's typed view goes into its info, at the end everybody's."""
        seat = int(self.state_of_play.seat)
        asked = [self.possible_agents[seat]] if seat >= 0 else self.agents
        self.agent_selection = asked[0]
        self.infos = {agent: {} for agent in self.agents}
        for agent in asked:
            number = self.possible_agents.index(agent)
            self.infos[agent] = {"view": self.game.view(self.state_of_play, number)}


def env(name: str, **options: Any) -> TableGame:
    """The game called `name` as an environment; options are the game's own."""
    return TableGame(name, **options)
