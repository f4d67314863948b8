"""What points are worth between deals: a chance of winning, and fair."""

from __future__ import annotations

from typing import Any

import pytest

import engines
from bots.core.search import Payoff
from bots.seven.outlook import Outlook


def outlook(**rules: Any) -> Outlook:
    game = engines.load("seven-symbols", **rules)
    return Outlook(game.setup, Payoff(game))  # type: ignore[attr-defined]  # the game's own


@pytest.mark.parametrize("seats", [3, 4])
def test_nobody_is_ahead_where_points_are_equal(seats: int) -> None:
    worth = outlook(seats=seats).worth((3,) * (2 if seats == 4 else 3))

    assert worth == pytest.approx([worth[0]] * seats)


def test_more_points_are_worth_more_to_their_side_and_less_to_the_other() -> None:
    it = outlook()

    for mine in range(5):
        assert it.worth((mine + 1, 3))[0] > it.worth((mine, 3))[0]
        assert it.worth((mine + 1, 3))[1] < it.worth((mine, 3))[1]
    assert it.worth((5, 1))[0] == it.worth((5, 1))[2]


def test_a_match_that_is_over_is_worth_its_payoff() -> None:
    game = engines.load("seven-symbols", seats=3)
    payoff = Payoff(game)

    assert Outlook(game.setup, payoff).worth((9, 4, 0)) == payoff.of([9.0, 4.0, 0.0])  # type: ignore[attr-defined]  # the game's own


@pytest.mark.parametrize("rules", [{}, {"seats": 3}, {"scoring": "simple"}, {"win_at": 10}])
def test_the_table_has_every_score_of_a_match_that_goes_on(rules: dict[str, Any]) -> None:
    it = outlook(**rules)
    target, table = int(it.setup.target), it.table()

    assert len(table) == target**it.sides
    assert table[2 % target + (1 % target) * target] == it.worth((2 % target, 1 % target, 0)[: it.sides])


def test_a_fixed_number_of_deals_has_no_table() -> None:
    assert outlook(deals=3).table() == []
