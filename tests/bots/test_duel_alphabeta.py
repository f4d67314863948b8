"""What the strong duel bot must be able to do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import engines
import harness
from bots.core.bot import Bot, Clock, Seen
from bots.core.testing import choice
from bots.duel_alphabeta import DuelAlphaBeta
from bots.uniform import Uniform


class Small(DuelAlphaBeta):
    """With a budget that is quick where nothing is compiled."""

    def __init__(self, game: Any, seat: int, rng: Random) -> None:
        super().__init__(game, seat, rng, nodes=60)


STATE = {
    "hands": [["KC", "KH", "AH", "AD"], ["KD", "KS", "AS", "AC"]],
    "dealer": 0,
    "turn": 0,
    "phase": "LEAD",
}


def test_it_finds_the_only_lead_that_wins() -> None:
    assert choice(DuelAlphaBeta, {"game": "kozyri-duel", "state": STATE}) == "LEAD AD"


def test_the_same_nodes_give_the_same_move_and_the_clock_is_kept() -> None:
    game = engines.load("kozyri-duel")
    state = game.deal(3)
    names = set()
    for clock in (Clock(nodes=150), Clock(nodes=150), Clock(decision=0.2)):
        seat = int(state.seat)
        bot = DuelAlphaBeta(game, seat, Random(1))
        moves = [game.table[move] for move in state.moves()]
        seen: Seen[Any] = Seen(seat, game.view(state, seat), moves, clock=clock)
        move = bot.act(seen)
        assert move in state.moves()
        if clock.nodes:
            names.add(move)
            assert seen.metrics["nodes"] <= 152
    assert len(names) == 1


@pytest.mark.parametrize(
    "rules",
    [
        {"suits": "chosen"},
        {"after_take": "taker"},
        {"repetition": 0, "cap": 60, "cap_result": "fewest_cards"},
        {"repetition": 2, "first_leader": "opponent"},
        {"deck": ["A"]},
        {"deck": "advanced"},
    ],
)
def test_it_plays_every_option(rules: dict[str, Any]) -> None:
    bots: list[type[Bot[Any]]] = [Small, Uniform]

    game = engines.load("kozyri-duel", **{"deck": "easy", "cap": 80, **rules})

    record = harness.play(game, bots, luck=5)

    assert [seat.faults for seat in record.seats] == [(), ()]


def test_nodes_are_a_whole_number_from_1() -> None:
    with pytest.raises(ValueError, match="nodes: expected"):
        DuelAlphaBeta(engines.load("kozyri-duel"), 0, Random(1), nodes=0)
