"""Playouts of a deal: legal, ended with the deal, greedy in the right direction."""

from __future__ import annotations

from typing import Any

import pytest

import engines
from bots.core.search import Payoff
from bots.seven.outlook import Outlook
from bots.seven.playout import DealPlayout, beaters
from engines.core.chance import Stream
from engines.seven_symbols.masks import beats


def playout(game: Any, number: int = 1) -> DealPlayout:
    payoff = Payoff(game)
    leaf = DealPlayout(payoff, Outlook(game.setup, payoff).table())
    leaf.number = number
    return leaf


@pytest.mark.parametrize("rules", [{}, {"seats": 3}, {"deals": 1}, {"seats": 3, "deals": 2}])
def test_a_playout_gives_every_seat_a_share_and_is_a_function_of_its_luck(rules: dict[str, Any]) -> None:
    game = engines.load("seven-symbols", **rules)
    leaf = playout(game)
    for luck in range(5):
        first = leaf.value(game.deal(luck), 11)

        assert leaf.value(game.deal(luck), 11) == first
        assert len(first) == game.seats
        assert all(0 <= share <= 1 for share in first)
        if game.seats == 4:
            assert first[:2] == first[2:]


def test_it_stops_with_the_deal_that_is_searched() -> None:
    game = engines.load("seven-symbols")
    leaf, state = playout(game), game.deal(2)

    assert not leaf.ended(state)
    leaf.value(state, 3)
    assert leaf.ended(state)
    assert int(state.number) == 2


def test_every_card_that_a_playout_lays_is_legal() -> None:
    game = engines.load("seven-symbols")
    leaf, state, stream = playout(game), game.deal(4), Stream(4, 4)
    for _ in range(12 + 24):
        giving = state.moves()[0] < 49
        card = int(leaf.gift(state, stream) if giving else leaf.card(state, stream))
        state.play(card if giving else card + 49)


def test_the_cards_that_take_a_trick_are_those_of_the_rules() -> None:
    for best in (0, 5, 9, 30, 48):
        for led in (0, 1, 4, 6):
            for trump in (0, 3, 6):
                if best // 7 not in (led, trump) and best:
                    continue
                colours = 0x7F << 7 * led, 0x7F << 7 * trump
                found = beaters((1 << 49) - 1 ^ 1 << best, 1 << best, *colours)
                rule = [i for i in range(49) if i != best and beats(1 << i, 1 << best, *colours)]
                assert [i for i in range(49) if found >> i & 1] == rule
