"""Games of all options, random play, and positions small enough to enumerate."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import engines
from engines.code777 import TILES, Code777, Code777State, code_of, tile_named
from engines.code777.questions import answer_for, answer_name

OPTIONS: list[dict[str, Any]] = [
    {},
    {"refresh": 0},
    {"refresh": 4},
    {"refresh": 7},
    {"colours": True},
    {"q2": "GE"},
    {"pre_window": True},
    {"payoff": "winner"},
    {"refresh": 0, "colours": True, "pre_window": True, "q2": "GE", "payoff": "winner", "target": 1},
]
SEATS = (2, 3, 4, 5)


def load(**rules: Any) -> Code777:
    game = engines.load("code777", **rules)
    assert isinstance(game, Code777)
    return game


def random_play(game: Code777, luck: int, passing: float = 0.9) -> Iterator[Code777State]:
    """The states of a game in which seats mostly pass and else play anything; the same object each time.

    A fifth of the announcements are right, so that games have right and wrong ones.
    """
    rng = Random(luck)
    state = game.deal(luck)
    while state.seat >= 0:
        yield state
        state.play(some_move(game, state, rng, passing))
    yield state


def some_move(game: Code777, state: Code777State, rng: Random, passing: float) -> int:
    moves = state.moves()
    if len(moves) > 2 and rng.random() < passing:
        return 0
    if len(moves) > 2 and rng.random() < 0.2:
        return right_move(game, state)
    return rng.choice(moves)


def right_move(game: Code777, state: Code777State) -> int:
    """The announcement of what stands on the rack of the seat to move."""
    rack = game.position(state)["state"]["racks"][state.seat]
    said = "-".join(rack) if game.setup.colours else "-".join(name[0] for name in rack)
    return game.parse(state, f"ANNOUNCE {said}")


def small_position(game: Code777, rng: Random, draw: int, away: int = 0) -> dict[str, Any]:
    """A position with few tiles beside those on the racks, and any open question."""
    tiles = [tile.name for tile in TILES for _ in range(tile.copies)]
    rng.shuffle(tiles)
    racks = [[tiles.pop() for _ in range(3)] for _ in range(game.setup.racks)]
    asked = rng.randrange(1, 24)
    state: dict[str, Any] = {
        "racks": racks,
        "draw": [tiles.pop() for _ in range(draw)],
        "away": [tiles.pop() for _ in range(away)],
        "stack": rng.sample([card for card in range(1, 24) if card != asked], 22),
        "asked": [asked],
        "reader": rng.randrange(game.seats),
        "turn": 0,
        "question": asked,
        "asked_total": 1,
        "luck": rng.getrandbits(53),
    }
    state["answer"] = true_answer(game, state)
    entry = {"q": asked, "reader": state["reader"], "answer": state["answer"], "racks": racks}
    return state | {"log": [entry]}


def true_answer(game: Code777, state: dict[str, Any]) -> int | str:
    """The answer to the open question of a position."""
    codes = [code_of(map(tile_named, rack)) for rack in state["racks"]]
    value = answer_for(state["question"], codes, state["reader"], game.setup.at_least)
    return answer_name(state["question"], value)
