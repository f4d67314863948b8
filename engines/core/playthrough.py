"""A whole game as JSON lines: every position, every legal move, the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engines.core.game import Game, Move
from engines.core.play import turns


def playthrough(
    game: Game[Any, Any],
    luck: int,
    choose: Callable[[Any, tuple[Move, ...]], int],
    *,
    bots: Sequence[str],
    views: bool = False,
) -> Iterator[dict[str, Any]]:
    """The lines of one game from the deal of `luck`: a heading, one a move, the outcome.

    `choose(state, legal)` decides where there is a choice. With `views` each line also has what every
    seat knows. The repetition table of the first line follows from the moves later, so it is left out.
    """
    yield {"game": game.name, "rules": game.rules.changed(), "seed": luck, "bots": list(bots)}
    state = game.deal(luck)
    n = 0
    for turn, before in turns(game, state, choose):
        line: dict[str, Any] = {
            "n": turn.n,
            "seat": turn.seat,
            "legal": [move.name for move in turn.legal],
            "move": turn.move.name,
            "state": written(game.position(before)["state"], first=turn.n == 0),
        }
        if views:
            line["views"] = all_views(game, before)
        yield line
        n = turn.n + 1
    outcome = state.outcome()
    line = {
        "n": n,
        "outcome": {key: plain(value) for key, value in outcome._asdict().items()},
        "state": written(game.position(state)["state"], first=n == 0),
    }
    yield line


def all_views(game: Game[Any, Any], state: Any) -> list[dict[str, Any]]:
    """What every seat knows, as JSON values: each whole by itself, as a bot is shown it."""
    return [game.view_position(game.view(state, seat)) for seat in range(game.seats)]


def written(state: dict[str, Any], *, first: bool) -> dict[str, Any]:
    """A state as a line shows it: `repeats` only in the first."""
    return state if first else {key: value for key, value in state.items() if key != "repeats"}


def plain(value: Any) -> Any:
    """Tuples as lists, whole floats as ints: `[0, 1]` rather than `[0.0, 1.0]`."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def dumps(line: dict[str, Any]) -> str:
    """One line of a playthrough as text."""
    return json.dumps(line, ensure_ascii=False)
