"""The laws of the contract, on games of every option and number of seats."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core.laws import check_game
from tests.engines.code777.tables import OPTIONS, SEATS, load


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_games_keep_the_laws(seats: int, rules: dict[str, Any]) -> None:
    check_game(load(**rules, seats=seats, max_questions=7), range(1))


@pytest.mark.parametrize("seats", SEATS)
def test_games_of_many_refreshes_keep_the_laws(seats: int) -> None:
    check_game(load(seats=seats, max_questions=24), [7])
