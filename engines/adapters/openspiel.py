"""Any game as an OpenSpiel game: `game("hund", second="must")`, or `pyspiel.load_game("croupier_hund")`.

Needs the extra `openspiel`; importing this module registers every game. A game's luck is drawn first, in
DRAWS chance nodes of BITS bits each, and decides all later chance, as everywhere in Croupier. The
information state of a player is its view as JSON.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pyspiel

import engines
from engines.adapters.numbers import encode, width
from engines.core.game import Game
from engines.core.rules import Rules

BITS = 10
DRAWS = 5
LONGEST = 20_000
"""Moves that no game exceeds with its default options; see `longest`."""


def short_name(name: str) -> str:
    """OpenSpiel's name of a game: `croupier_seven_symbols`."""
    return "croupier_" + name.replace("-", "_")


def game(name: str, **options: Any) -> pyspiel.Game:
    """The game called `name` with the game's own options."""
    rules = engines.load(name, **options).rules
    fields = {field.name: field for field in dataclasses.fields(rules)}
    params = {key: _written(fields[key], value) for key, value in rules.changed().items()}
    return pyspiel.load_game(short_name(name), params)


def longest(game: Game[Any, Any]) -> int:
    """A number of moves that no play of these rules exceeds."""
    rules = vars(game.rules)
    most = LONGEST
    for name, moves in (("cap", 1), ("max_questions", 20), ("deals", 64), ("win_at", 64)):
        # A question is asked of up to five seats in up to five passes, a deal has up to 57 moves.
        if isinstance(rules.get(name), int):
            most = max(most, moves * rules[name] + 10)
    return most


def _parameter(field: dataclasses.Field[Any]) -> int | bool | str:
    """The default of an option as OpenSpiel has it; empty text stands for an option that mixes types."""
    values = [field.default, *(field.metadata["choices"] or ())]
    kinds = {type(value) for value in values}
    if kinds not in ({int}, {bool}):
        return ""
    default: int | bool = field.default  # type: ignore[assignment]  # the kinds say so
    return default


def _written(field: dataclasses.Field[Any], value: Any) -> int | bool | str:
    """A value as OpenSpiel's parameters can hold it: lists joined by `+`, numbers in texts after `#`."""
    if not isinstance(_parameter(field), str):
        kept: int | bool = value
        return kept
    if isinstance(value, list):
        return "+".join(value)
    return value if isinstance(value, str) else f"#{value}"


def _read(value: Any) -> Any:
    """A parameter as the option it stands for."""
    if not isinstance(value, str):
        return value
    if "+" in value:
        return value.split("+")
    return int(value[1:]) if value.startswith("#") else value


class _Table:
    """A game in play. OpenSpiel clones states with deepcopy, which costs here what a state's copy does."""

    def __init__(self, rules_game: Game[Any, Any], luck: int = 0, drawn: int = 0, state: Any = None) -> None:
        self.game = rules_game
        self.luck = luck
        self.drawn = drawn
        self.state = state

    def __deepcopy__(self, memo: dict[int, Any]) -> _Table:
        return _Table(self.game, self.luck, self.drawn, self.state and self.state.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        position = None if self.state is None else self.game.position(self.state)
        return _read_table, (self.game, self.luck, self.drawn, position)

    def draw(self, bits: int) -> None:
        """Take the next bits of the luck; deal when all are there."""
        self.luck = self.luck << BITS | bits
        self.drawn += 1
        if self.drawn == DRAWS:
            self.state = self.game.deal(self.luck)


def _read_table(rules_game: Game[Any, Any], luck: int, drawn: int, position: Any) -> _Table:
    """A table from its pickle; compiled states are pickled as positions."""
    return _Table(rules_game, luck, drawn, position and rules_game.from_position(position))


class TableState(pyspiel.State):  # type: ignore[misc]  # pyspiel ships no types
    """A state of play behind OpenSpiel's names."""

    def __init__(self, parent: TableGame) -> None:
        super().__init__(parent)
        self.table = _Table(parent.rules_game)

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's player for luck or the end."""
        if self.table.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.table.state.seat) if self.table.state.seat >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        moves: list[int] = self.table.state.moves() if player == self.table.state.seat else []
        return moves

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next bits of the luck, all as likely."""
        return [(outcome, 1 / 2**BITS) for outcome in range(2**BITS)]

    def _apply_action(self, action: int) -> None:
        if self.table.state is None:
            self.table.draw(int(action))
        else:
            self.table.state.play(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"LUCK {action}"
        return str(self.table.game.table[action].name)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table.state is not None and self.table.state.seat < 0

    def returns(self) -> list[float]:
        """The scores; all 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self.table.game.seats
        return [float(score) for score in self.table.state.outcome().scores]

    def __str__(self) -> str:
        if self.table.state is None:
            return f"luck {self.table.luck:b}"
        return json.dumps(self.table.game.position(self.table.state)["state"])


class ViewObserver:
    """What a player knows: its view as a vector of numbers and as JSON."""

    def __init__(self, rules_game: Game[Any, Any]) -> None:
        self.game = rules_game
        self.tensor = np.zeros(width(rules_game), np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: TableState, player: int) -> None:
        """Fill the tensor; large masks lose their low bits to float32, the string has all."""
        self.tensor[:] = 0 if state.table.state is None else encode(self._view(state, player))

    def string_from(self, state: TableState, player: int) -> str:
        """The view as JSON; before the deal nobody knows anything."""
        if state.table.state is None:
            return "{}"
        return json.dumps(self.game.view_position(self._view(state, player)))

    def _view(self, state: TableState, player: int) -> Any:
        return self.game.view(state.table.state, player)


class TableGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel ships no types
    """A game with its rules behind OpenSpiel's names; subclasses say which."""

    name: str
    game_type: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = {key: _read(value) for key, value in (params or {}).items() if value != ""}
        self.rules_game = engines.load(self.name, **options)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules_game.table),
            max_chance_outcomes=2**BITS,
            num_players=self.rules_game.seats,
            min_utility=float(self.rules_game.stakes[0]),
            max_utility=float(self.rules_game.highest),
            utility_sum=None,
            max_game_length=longest(self.rules_game),
        )
        super().__init__(self.game_type, info, params or {})

    def new_initial_state(self) -> TableState:
        """A state before its luck is drawn."""
        return TableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ViewObserver:
        """The view of a player, whatever is asked for: it holds all that the player may know."""
        return ViewObserver(self.rules_game)


def _seats(rules: type[Rules]) -> list[int] | None:
    """The numbers of seats that a game offers, where there is a choice."""
    for field in dataclasses.fields(rules):
        if field.name == "seats":
            return list(field.metadata["choices"])
    return None


def _register(name: str) -> None:
    kind = engines.game_type(name)
    default = engines.load(name)
    seats = _seats(kind.rules_type) or [default.seats]
    game_type = pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Croupier {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={f.name: _parameter(f) for f in dataclasses.fields(kind.rules_type)},
    )
    pyspiel.register_game(
        game_type, type(kind.__name__, (TableGame,), {"name": name, "game_type": game_type})
    )


for _name in engines.available():
    _register(_name)
