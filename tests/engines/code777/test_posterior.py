"""`posterior` against worlds enumerated one by one, and against what happens in simulated games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.code777 import TILES, posterior
from tests.engines.code777.filtering import Filter
from tests.engines.code777.tables import load, random_play, right_move, small_position, some_move

CASES = [
    pytest.param(seats, refresh, draw, away, id=f"{seats} seats, refresh {refresh}, {draw}+{away} tiles")
    for seats, refresh, draw, away in [
        (4, 1, 4, 0),
        (4, 1, 1, 3),
        (4, 0, 4, 0),
        (4, 0, 1, 3),
        (4, 0, 5, 0),
        (4, 0, 2, 3),
        (4, 1, 5, 0),
        (4, 4, 4, 2),
        (4, 7, 5, 1),
        (3, 1, 4, 1),
        (3, 0, 4, 0),
        (2, 1, 4, 0),
        (2, 0, 1, 3),
        (5, 1, 4, 0),
        (5, 0, 4, 0),
    ]
]


def compared(rules: dict[str, Any], draw: int, away: int, seed: int, events: int) -> int:
    """Play from a small position and compare the odds of every seat at every turn; how often."""
    game, rng, times = load(**rules), Random(seed), 0
    start = small_position(game, rng, draw, away)
    state = game.from_position(start)
    while state.seat >= 0 and sum(state.refills(place) for place in range(game.setup.racks)) < events:
        for seat in range(game.seats):
            view = game.view(state, seat)
            expected = Filter(game, start, seat, game.view_position(view)).odds()
            assert posterior(view) == pytest.approx(expected), (seat, game.position(state))
            times += 1
        before = len(view.record)
        while state.seat >= 0 and len(game.view(state, 0).record) == before:
            state.play(some_move(game, state, rng, 0.7))
    return times


@pytest.mark.parametrize(("seats", "refresh", "draw", "away"), CASES)
def test_odds_are_those_of_all_worlds_with_wrong_announcements_and_refreshes(
    seats: int, refresh: int, draw: int, away: int
) -> None:
    for seed in range(2):
        rules = {"seats": seats, "refresh": refresh, "target": 9}
        assert compared(rules, draw, away, seed, events=5) > seats


def test_an_open_answer_counts_while_its_window_lasts_also_if_it_is_not_on_record() -> None:
    """A position may lack the entry of its open question; what it proves counts all the same."""
    game, rng = load(target=9), Random(5)
    start = small_position(game, rng, draw=4)
    late = game.from_position({**start, "log": []})
    state = game.from_position(start)
    for move in (5, 0, 0, 0, 0, 7, 0):
        for seat in range(4):
            assert posterior(game.view(late, seat)) == posterior(game.view(state, seat))
        state.play(move)
        late.play(move)


@pytest.mark.parametrize("moves", [(), (9, 0, 0, 0), (0, 9, 12, 0)])
@pytest.mark.parametrize("questions", [1, 40])
def test_what_an_answer_not_on_record_proves_outlasts_its_window(
    moves: tuple[int, ...], questions: int
) -> None:
    """S8's racks: seat 0 knows that it has 5K and 7P, after the next question and at the cap too."""
    game = load(max_questions=questions)
    racks = [["5K", "7P", "2Y"], ["7C", "6P", "4B"], ["1G", "2Y", "3K"], ["6G", "5R", "7Y"]]
    draw = [tile.name for tile in TILES for _ in range(tile.copies)]
    for name in [name for rack in racks for name in rack]:
        draw.remove(name)
    keys = {"reader": 1, "turn": 0, "asked": [11], "stack": [8, 1], "question": 11, "answer": 3}
    position: dict[str, Any] = {"racks": racks, "draw": draw, "asked_total": 1, **keys}
    entry = {"q": 11, "reader": 1, "answer": 3, "racks": racks}
    late, full = game.from_position(position), game.from_position({**position, "log": [entry]})
    assert len(posterior(game.view(late, 0))) == 6
    assert game.position(late)["state"]["log"] == []
    for move in moves:
        late.play(move)
        full.play(move)
    halfway = game.from_position(game.position(late))
    while late.question == 11 and late.seat >= 0:
        for state in (late, full, halfway):
            state.play(0)

    assert game.position(late) == game.position(halfway) == game.position(full)
    assert late.words(0)[0] & 3 == 0
    for seat in range(4):
        view = game.view(full, seat)
        assert game.view(late, seat) == game.view(halfway, seat) == view
        assert posterior(game.view(late, seat)) == posterior(view)
    if not moves or moves[0] == 0:  # its rack still stands
        assert len(posterior(game.view(late, 0))) <= 6


def test_an_answer_counts_in_a_finished_game_whose_racks_never_changed() -> None:
    game, rng = load(max_questions=1), Random(5)
    start = small_position(game, rng, draw=4)
    logged: dict[str, Any] = {**start, "turn": None}
    ended = {**logged, "log": []}
    for seat in range(4):
        odds = posterior(game.view(game.from_position(logged), seat))
        assert posterior(game.view(game.from_position(ended), seat)) == odds


@pytest.mark.parametrize("rules", [{"colours": True}, {"q2": "GE"}, {"colours": True, "refresh": 0}])
def test_odds_follow_the_options(rules: dict[str, Any]) -> None:
    for seed in range(2):
        assert compared({**rules, "seats": 2, "target": 9}, 4, 0, seed, events=5) > 2


def test_odds_in_a_larger_pile_are_those_of_all_worlds() -> None:
    """With 12 unseen tiles, a wrong announcement of the seat's own, and what others drew before and after."""
    game, rng = load(), Random(11)
    start = small_position(game, rng, draw=9)
    state = game.from_position(start)
    for move in (0, 9, 9, 0) + 14 * (0,):
        state.play(move)
    assert [state.refills(place) for place in range(4)] == [0, 1, 1, 0]
    for seat in (0, 1):
        view = game.view(state, seat)

        assert posterior(view) == pytest.approx(Filter(game, start, seat, game.view_position(view)).odds())


@pytest.mark.parametrize(
    "rules", [{}, {"seats": 5}, {"seats": 3, "refresh": 4}, {"seats": 2, "colours": True}]
)
def test_events_happen_as_often_as_their_odds_say(rules: dict[str, Any]) -> None:
    """Over games whose moves do not depend on hidden tiles, odds near p come true with frequency p."""
    game = load(**rules, max_questions=12)
    bins = [[0.0, 0.0, 0] for _ in range(10)]
    spread = [0.0] * 10
    for luck in range(60):
        rng = Random(luck)
        state = game.deal(luck)
        while state.seat >= 0:
            if state.seat == 0:
                truth = name_of_own(game, state)
                for name, chance in posterior(game.view(state, 0)).items():
                    part = bins[min(9, int(chance * 10))]
                    part[0] += chance
                    part[1] += name == truth
                    part[2] += 1
                    spread[min(9, int(chance * 10))] += chance * (1 - chance)
            moves = state.moves()
            state.play(0 if rng.random() < 0.95 and len(moves) > 2 else rng.choice(moves))
    for (expected, happened, times), variance in zip(bins, spread, strict=True):
        # Odds of one game are not independent; a game gives about a dozen of them, hence the factor.
        assert abs(expected - happened) <= 4.5 * (12 * variance) ** 0.5 + 1e-6, (expected, happened, times)


def name_of_own(game: Any, state: Any) -> str:
    rack = game.position(state)["state"]["racks"][0]
    return "-".join(rack) if game.setup.colours else "-".join(name[0] for name in rack)


def test_certainty_is_never_wrong() -> None:
    """Where the odds are 1 the rack is that, also after wrong announcements and refreshes."""
    for seats in (2, 3, 4, 5):
        game, certain = load(seats=seats, max_questions=40), 0
        for state in random_play(game, seats, passing=0.97):
            if state.seat < 0:
                break
            odds = posterior(game.view(state, state.seat))
            rack = game.position(state)["state"]["racks"][state.seat]
            truth = "-".join(name[0] for name in rack)
            assert odds[truth] > 0
            certain += len(odds) == 1
        assert certain > 0


def test_the_winner_has_been_shown_its_rack() -> None:
    game = load(target=1)
    state = game.deal(3)
    state.play(right_move(game, state))
    while state.seat >= 0:
        state.play(0)
    rack = game.position(state)["state"]["racks"][0]

    assert posterior(game.view(state, 0)) == {"-".join(name[0] for name in rack): 1.0}
    assert len(posterior(game.view(state, 1))) > 1
