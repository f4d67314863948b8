"""What the collector sees in a trick: symbols to win, a seventh trick to avoid."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import engines
from bots.core.bot import Seen
from bots.seven_collector import Collector

STATE: dict[str, Any] = {"display": "13V", "leader": 0, "first_leader": 0}


def chosen(state: dict[str, Any], **options: Any) -> str:
    """The card that the seat to move plays or gives."""
    game = engines.load("seven-symbols", **options)
    position = game.from_position({**STATE, **state})
    seat = int(position.seat)
    moves = tuple(game.table[i] for i in position.moves())
    return Collector(game, seat, Random(1)).act(Seen(seat, game.view(position, seat), moves)).name


def test_it_takes_the_symbol_with_the_cheapest_sure_card() -> None:
    hands = [["2O"], ["3O"], ["4O"], ["8G", "10G"]]
    trick = [[0, "7G"], [1, "4G"], [2, "5G"]]

    assert chosen({"hands": hands, "trick": trick, "turn": 3}) == "PLAY 8G"


def test_it_gives_its_partner_the_symbol_and_the_rivals_none() -> None:
    hands = [["2O"], ["3O"], ["4O"], ["7B", "9B"]]
    partner_wins = [[0, "4G"], [1, "10G"], [2, "5G"]]
    rival_wins = [[0, "10G"], [1, "4G"], [2, "5G"]]

    assert chosen({"hands": hands, "trick": partner_wins, "turn": 3}) == "PLAY 7B"
    assert chosen({"hands": hands, "trick": rival_wins, "turn": 3}) == "PLAY 9B"


@pytest.mark.parametrize(("tricks", "card"), [(1, "PLAY 9G"), (6, "PLAY 4G")])
def test_it_shuns_a_seventh_trick_that_does_not_win(tricks: int, card: str) -> None:
    hands = [["2O"], ["3O"], ["4G", "9G"]]
    state = {"hands": hands, "trick": [[0, "7G"], [1, "5G"]], "turn": 2, "tricks": [4, 4, tricks]}

    assert chosen(state, seats=3) == card


def test_it_gives_low_cards_of_short_colours() -> None:
    hands = [["AR", "3O", "8G", "9G", "10G"], ["2O", "4O", "5O", "6O", "8O"], ["4G", "5G", "6G", "3Y", "4Y"]]

    assert chosen({"hands": hands, "phase": "GIVE", "turn": 0}, seats=3) == "GIVE 3O"
