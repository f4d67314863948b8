"""What code777-racer weighs: its forecast is calibrated, it dares when a rival is about to win."""

from __future__ import annotations

from random import Random
from statistics import mean
from typing import Any

import pytest

import engines
from bots import Seen
from bots.code777.forecast import AHEAD, Forecast
from bots.code777.rivals import likeliest, until_over
from bots.code777_racer import Racer
from engines.code777 import Code777View, posterior
from engines.core.play import legal


def asked(game: Any, luck: int, questions: int) -> Any:
    """A state after so many questions that nobody announced after."""
    state = game.deal(luck)
    while int(state.asked_total) < questions:
        state.play(0)
    return state


@pytest.mark.parametrize("rules", [{}, {"seats": 2}, {"seats": 5, "colours": True}])
def test_what_it_knows_now_is_its_posterior(rules: dict[str, Any]) -> None:
    game = engines.load("code777", **rules)
    view = game.view(asked(game, 3, 4), 1)
    forecast = Forecast(view)

    best = forecast.best(list(range(len(forecast.racks))))
    assert best == pytest.approx(max(posterior(view).values()))


def test_a_path_never_knows_less_and_comes_to_know_nearly_everything() -> None:
    game = engines.load("code777")
    forecast, rng = Forecast(game.view(asked(game, 3, 6), 2)), Random(1)
    paths = [forecast.path(rng) for _ in range(20)]

    assert all(len(path) == AHEAD for path in paths)
    assert mean(path[0] for path in paths) < mean(path[-1] for path in paths)
    assert mean(path[-1] for path in paths) > 0.8


def test_its_own_question_tells_it_nothing() -> None:
    game = engines.load("code777", seats=2)
    state = asked(game, 3, 3)
    reader = int(state.reader)
    forecast = Forecast(game.view(state, 1 - reader))

    assert forecast.path(Random(1))[0] == forecast.best(list(range(len(forecast.racks))))


def test_a_rival_knows_what_its_view_says() -> None:
    game = engines.load("code777")
    state = asked(game, 3, 12)
    sure = likeliest(game, game.view(state, 0), Random(2))

    assert sure[0] == 0
    assert all(0 < chance <= 1 for chance in sure[1:])


def test_the_game_is_sooner_over_where_a_rival_needs_one_point_and_knows_its_rack() -> None:
    game = engines.load("code777")
    view: Code777View = game.view(asked(game, 3, 5), 0)
    near = view._replace(scores=(0, 2, 0, 0))

    def left(one: Code777View, sure: list[float]) -> float:
        rng = Random(4)
        return mean(until_over(one, 3, sure, rng) for _ in range(200))

    assert left(near, [0, 0.9, 0.1, 0.1]) < left(near, [0, 0.1, 0.1, 0.1]) < left(view, [0, 0.1, 0.1, 0.1])


def test_it_dares_where_a_rival_is_about_to_win_and_not_before() -> None:
    game = engines.load("code777", seats=5)

    def announced(scores: tuple[int, ...]) -> int:
        count = 0
        for luck in range(4):
            state = asked(game, luck, 5)
            seat = int(state.seat)
            view = game.view(state, seat)._replace(scores=scores)
            chance = max(posterior(view).values())
            move = Racer(game, seat, Random(luck), nodes=16, threshold=0.99).act(
                Seen(seat, view, legal(game, state))
            )
            count += chance < 0.99 and move.name != "PASS"
        return count

    assert announced((0, 0, 0, 0, 0)) == 0
    assert announced((1, 1, 1, 1, 1)) == 0
    assert announced((2, 2, 2, 2, 2)) > 0


def test_a_threshold_or_budget_that_is_none_is_refused() -> None:
    game = engines.load("code777")
    with pytest.raises(ValueError, match=r"threshold: expected a number above 0, up to 1, got 1\.5"):
        Racer(game, 0, Random(0), threshold=1.5)
    with pytest.raises(ValueError, match="nodes: expected a whole number of futures from 1, got 0"):
        Racer(game, 0, Random(0), nodes=0)
