"""The bots for Code 777 do what they say: one is never wrong, the other dares as much as it is told to."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import engines
from bots import Bot, Seen
from bots.code777_certain import Certain
from bots.code777_threshold import Threshold
from engines.code777 import Announced, Code777View, posterior
from engines.core.play import legal


def told(game: Any, luck: int, bots: list[Bot[Code777View]], odds: list[float]) -> list[Announced]:
    """Play a game; collect the odds of every announcement when it was chosen, and all that were settled."""
    state = game.deal(luck)
    while state.seat >= 0:
        view, moves = game.view(state, state.seat), legal(game, state)
        move = game.table[bots[state.seat].act(Seen(state.seat, view, moves))]
        assert move in moves
        if move.name.startswith("ANNOUNCE"):
            odds.append(posterior(view)[move.name.removeprefix("ANNOUNCE ")])
        state.play(move)
    return [entry for entry in game.view(state, 0).log if isinstance(entry, Announced)]


@pytest.mark.parametrize(
    "rules", [{}, {"seats": 2}, {"seats": 3, "refresh": 0}, {"seats": 5, "colours": True}]
)
def test_the_certain_bot_is_never_wrong(rules: dict[str, Any]) -> None:
    game = engines.load("code777", **rules)
    bots: list[Bot[Code777View]] = [Certain(game, seat, Random(seat)) for seat in range(game.seats)]
    announced = told(game, 5, bots, [])

    assert announced
    assert all(entry.right for entry in announced)


@pytest.mark.parametrize("threshold", [0.3, 0.6, 0.9])
def test_the_other_announces_from_its_threshold_on(threshold: float) -> None:
    game = engines.load("code777")
    bots: list[Bot[Code777View]] = [
        Threshold(game, seat, Random(seat), threshold=threshold) for seat in range(4)
    ]
    odds: list[float] = []
    for luck in range(3):
        told(game, luck, bots, odds)

    assert min(odds) >= threshold
    assert min(odds) < threshold + 0.3


def test_what_the_bot_keeps_of_its_odds_is_what_they_are() -> None:
    game = engines.load("code777")
    bot = Threshold(game, 2, Random(0), threshold=1)
    state, rng = game.deal(8), Random(8)
    for _ in range(200):
        if state.seat == 2:
            view = game.view(state, 2)
            assert bot.likeliest(view)[1] == max(posterior(view).values())
        state.play(0 if rng.random() < 0.9 else rng.choice(state.moves()))


def test_a_threshold_that_is_none_is_refused() -> None:
    game = engines.load("code777")
    with pytest.raises(ValueError, match="threshold: expected a number above 0, up to 1, got 0"):
        Threshold(game, 0, Random(0), threshold=0)
