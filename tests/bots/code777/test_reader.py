"""What code777-reader hears: what rivals know, what their play tells, and what waiting is worth."""

from __future__ import annotations

from math import log2
from random import Random
from typing import Any

import pytest

import engines
from bots import Seen
from bots.code777.listener import Listener
from bots.code777.outlook import Outlook
from bots.code777.tells import Tells
from bots.code777.waiting import Waiting, gains_of
from bots.code777_reader import Reader
from bots.code777_threshold import Threshold
from bots.core.bot import Clock
from bots.core.search.budget import Budget
from engines.code777 import Code777View, posterior
from engines.code777.tiles import NUMBER_INDEX, NUMBER_NAMES
from engines.core.play import legal


def played(game: Any, luck: int, questions: int, levels: float = 0.5) -> Any:
    """A state after so many questions among bots that dare much."""
    state = game.deal(luck)
    bots = [Threshold(game, seat, Random(seat), threshold=levels) for seat in range(game.seats)]
    while state.seat >= 0 and int(state.asked_total) < questions:
        seat = int(state.seat)
        state.play(bots[seat].act(Seen(seat, game.view(state, seat), legal(game, state))))
    return state


@pytest.mark.parametrize("rules", [{"target": 9}, {"seats": 3, "target": 9}, {"refresh": 0, "target": 9}])
def test_with_the_true_racks_a_rivals_view_is_the_one_that_it_has(rules: dict[str, Any]) -> None:
    game = engines.load("code777", **rules)
    checked = 0
    for luck in range(6):
        state = played(game, luck, 15)
        view = game.view(state, 0)
        if state.seat < 0 or None in view.own_past:  # former racks that it would have to draw
            continue
        outlook = Outlook(view, Random(1))
        place = outlook.codes.index(state.rack(0))
        for rival in range(1, game.seats):
            best = outlook.of(rival, place)
            odds = posterior(game.view(state, rival))
            assert best.chance == pytest.approx(max(odds.values()))
            assert odds[NUMBER_NAMES[best.place]] == pytest.approx(best.chance)
            checked += 1
    assert checked


def test_what_rivals_do_makes_the_true_code_likelier_on_average() -> None:
    game = engines.load("code777")
    exact = heard = 0.0
    for luck in range(2):
        state = game.deal(luck)
        bots = [Threshold(game, seat, Random(seat)) for seat in range(4)]
        listener = Listener(4, 0, 76, Random(luck))
        while state.seat >= 0:
            seat = int(state.seat)
            view = game.view(state, seat)
            if seat == 0:
                listener.hear(view)
                listener.look(view, Budget(Clock(nodes=30)))
                true = NUMBER_INDEX[state.rack(0)]
                exact += log2(posterior(view)[NUMBER_NAMES[true]])
                pairs = zip(listener.codes, listener.chances, strict=True)
                heard += log2(sum(p for code, p in pairs if NUMBER_INDEX[code] == true))
            state.play(bots[seat].act(Seen(seat, view, legal(game, state))))

    assert heard > exact


def test_silence_speaks_against_racks_that_would_have_made_the_rival_sure() -> None:
    tells = Tells(76)
    tells.suppose(3, 0.95, 10)
    tells.suppose(4, 0.1, 10)
    tells.passed([3, 4])
    sure, unsure = tells.weights([3, 4])

    assert sure < unsure


def test_an_announcement_speaks_for_racks_that_made_it_likely() -> None:
    tells = Tells(76)
    tells.suppose(3, 0.8, 10)
    tells.suppose(4, 0.8, 11)
    tells.suppose(5, 0.1, 10)
    tells.announced([3, 4, 5], 10)
    fitting, other, unsure = tells.weights([3, 4, 5])

    assert fitting > 5 * other
    assert fitting > 5 * unsure


def test_a_rival_that_announces_whatever_it_knows_is_found_out_and_told_apart() -> None:
    wild, calm = Tells(76), Tells(76)
    for _ in range(4):
        for rack in (3, 4):
            wild.look()
            wild.suppose(rack, 0.08, 10)
            calm.look()
            calm.suppose(rack, 0.08, 10)
        wild.announced([3, 4], 50)
        calm.passed([3, 4])

    assert wild.random([3, 4], [0.5, 0.5]) > 0.99
    assert calm.random([3, 4], [0.5, 0.5]) < 0.01


def test_a_rival_never_seen_to_announce_is_not_read() -> None:
    tells = Tells(76)
    for _ in range(3):  # racks of its own that it knew for certain, in silence
        tells.suppose(3, 1.0, 10)
        tells.passed([3])
        tells.close([3], [1.0])
        tells.renew()
    tells.suppose(3, 1.0, 10)
    tells.suppose(4, 0.1, 10)
    tells.passed([3, 4])
    sure, unsure = tells.weights([3, 4])

    assert sure > 0.9 * unsure


def test_later_points_grow_with_time_up_to_those_that_count() -> None:
    gains = gains_of(4, 3)

    assert gains[3][0] == 0
    assert all(early <= late for early, late in zip(gains[3], gains[3][1:], strict=False))
    assert gains[1][-1] <= 1
    assert gains[1][-1] < gains[2][-1] < gains[3][-1] < 3


def test_it_waits_with_a_fresh_rack_and_announces_a_certain_one() -> None:
    game = engines.load("code777")
    state = game.deal(3)
    view: Code777View = game.view(state, 0)
    fresh = Waiting(view, [0x863, 0x864, 0x865], [0.34, 0.33, 0.33], [0.0] * 4, gains_of(4, 3))
    known = Waiting(view, [0x863], [1.0], [0.0] * 4, gains_of(4, 3))
    for _ in range(50):
        fresh.draw(1)
        known.draw(1)

    assert not fresh.better_now()
    assert known.better_now()


@pytest.mark.parametrize("nodes", [1, 2, 7])
def test_no_decision_uses_more_than_its_nodes(nodes: int) -> None:
    game = engines.load("code777", seats=3)
    state = played(game, 2, 6)
    seat = int(state.seat)
    for bot, clock in [
        (Reader(game, seat, Random(1), nodes=nodes), Clock()),
        (Reader(game, seat, Random(1), nodes=50), Clock(nodes=nodes)),
    ]:
        seen = Seen(seat, game.view(state, seat), legal(game, state), clock=clock)
        bot.act(seen)
        assert 1 <= seen.metrics["nodes"] <= nodes


def test_a_budget_that_is_none_is_refused() -> None:
    game = engines.load("code777")
    with pytest.raises(ValueError, match="nodes: expected a whole number of views and futures from 1, got 0"):
        Reader(game, 0, Random(0), nodes=0)
