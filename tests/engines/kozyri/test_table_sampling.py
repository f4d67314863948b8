"""What seats know in the classic game and Hund, and worlds drawn from it, against all worlds that fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

import engines
from engines.core.errors import BadPosition
from engines.kozyri.classic import ClassicRules, KozyriClassic
from engines.kozyri.common import mask_of, names_of
from engines.kozyri.hund import Hund, HundRules
from tests.engines.kozyri.scenario import played
from tests.engines.kozyri.tables import games, lucks, seeds, walk

CLASSIC = {"dealer": 0, "turn": 1, "phase": "TURN"}
HUND = {"dealer": 0, "turn": 1, "phase": "TURN", "pile": ["9H"]}
QUEEN_OUT = {**HUND, "trumps": ["C", "S", "H", "D"]}

SMALL: list[tuple[str, Any, dict[str, Any]]] = [
    (
        "Hund, nothing known",
        Hund(HundRules()),
        {**HUND, "trumps": None, "hands": [["8H", "2D"], ["QC", "3S"], ["4S", "KD"], ["5S"]]},
    ),
    (
        "Hund, some known",
        Hund(HundRules()),
        {
            **QUEEN_OUT,
            "hands": [["8H"], ["QC", "3S", "7D"], ["4S", "KD"], ["5S", "6S"]],
            "known": [["8H"], ["3S"], [], ["6S"]],
        },
    ),
    (
        "Hund, at the start",
        Hund(HundRules()),
        {
            **HUND,
            "trumps": None,
            "pile": [],
            "phase": "START",
            "hands": [["8H"], ["2C", "3S"], ["4S", "KD"], ["5S"]],
        },
    ),
    (
        "Hund, one seat out",
        Hund(HundRules()),
        {**QUEEN_OUT, "hands": [["8H"], ["3S", "7D"], [], ["5S", "6S", "7S"]], "out": [2]},
    ),
    (
        "classic, trump sixes and a six that is nobody's",
        KozyriClassic(ClassicRules(seats=3)),
        {
            **CLASSIC,
            "trumps": ["S", "H", "D"],
            "pile": ["JD"],
            "hands": [["7S", "6S"], ["6H", "6C", "AS"], ["6D", "KD", "QD"]],
            "known": [[], [], ["KD"]],
        },
    ),
    (
        "classic, four seats",
        KozyriClassic(ClassicRules()),
        {
            **CLASSIC,
            "trumps": list("SHDC"),
            "pile": ["JD"],
            "hands": [["7S"], ["9H", "8C"], ["8D"], ["AS", "KH"]],
        },
    ),
    (
        "classic, two seats",
        KozyriClassic(ClassicRules(seats=2)),
        {**CLASSIC, "trumps": list("SH"), "pile": ["JD"], "hands": [["7S", "6C"], ["9H", "8C"]]},
    ),
]


def splits(cards: Sequence[str], sizes: Sequence[int]) -> Iterator[list[list[str]]]:
    """Every way to hand out all the cards, so many to each."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        for rest in splits([card for card in cards if card not in hand], sizes[1:]):
            yield [list(hand), *rest]


def all_worlds(game: Any, state: Any, viewer: int) -> set[tuple[int, ...]]:
    """The hands of every state that gives the viewer the view that it has: by trying them all."""
    written = game.position(state)["state"]
    view = game.view(state, viewer)
    others = [seat for seat in range(game.seats) if seat != viewer]
    hidden = [card for seat in others for card in written["hands"][seat]]
    found = set()
    for hands in splits(hidden, [len(written["hands"][seat]) for seat in others]):
        dealt = list(hands)
        dealt.insert(viewer, written["hands"][viewer])
        try:
            world = game.from_position({**written, "hands": dealt})
        except BadPosition:
            continue
        if game.view(world, viewer) == view:
            found.add(tuple(world.hand(seat) for seat in range(game.seats)))
    return found


@pytest.mark.parametrize(("game", "state"), [case[1:] for case in SMALL], ids=[case[0] for case in SMALL])
@pytest.mark.parametrize("viewer", [0, 1])
def test_every_world_that_fits_is_drawn_equally_often(game: Any, state: dict[str, Any], viewer: int) -> None:
    """Chi-square over all worlds, found by trying every hand: at most five deviations above its mean."""
    start = game.from_position(state)
    worlds = all_worlds(game, start, viewer)
    rng, draws = Random(5), 60 * len(worlds)
    view = game.view(start, viewer)
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        world = game.sample(view, rng)
        drawn[tuple(world.hand(seat) for seat in range(game.seats))] += 1

    assert set(drawn) == worlds
    free = len(worlds) - 1
    square = sum((count - 60) ** 2 / 60 for count in drawn.values())
    assert square <= free + 5 * sqrt(2 * free)


def test_with_two_seats_both_hands_are_known() -> None:
    """CL-5."""
    game = KozyriClassic(ClassicRules(seats=2))
    state = game.deal(3)

    for seat in (0, 1):
        view = game.view(state, seat)
        assert view.known_masks == (state.hand(0), state.hand(1))
        assert view.unseen == ()
        assert (
            game.position(game.sample(view, Random(1)))["state"]["hands"]
            == (game.position(state)["state"]["hands"])
        )


@settings(max_examples=40, deadline=None)
@given(game=games, luck=lucks, seed=seeds)
def test_a_seat_knows_what_it_has_seen_and_no_more(game: Any, luck: int, seed: int) -> None:
    """Perfect recall against a diary of the moves: taken from the open pile, and not played since."""
    rng = Random(seed)
    diary: list[set[str]] | None = None
    for state, move in walk(game, luck, seed):
        if game.phases[state.phase] == "TRUMP":
            continue
        if diary is None:
            diary = [set(names_of(mask)) for mask in state.public_hands()]
        if rng.random() < 0.2:
            viewer = rng.randrange(game.seats)
            view = game.view(state, viewer)
            truth = [state.hand(seat) for seat in range(game.seats)]
            assert [set(names_of(mask)) for mask in view.public_masks] == diary
            assert view.hand_mask == view.known_masks[viewer] == truth[viewer]
            assert all(known & ~hand == 0 for known, hand in zip(view.known_masks, truth, strict=True))
            hidden = sum(view.sizes) - sum(mask.bit_count() for mask in view.known_masks)
            assert view.unseen_mask.bit_count() == hidden
            assert all(view.may_hold(seat) & truth[seat] == truth[seat] for seat in range(game.seats))
            assert (
                hidden == 0
                or sum(known != hand for known, hand in zip(view.known_masks, truth, strict=True)) > 1
            )
            assert game.view(game.sample(view, rng), viewer) == view
        if move is None:
            break
        name, mine, pile = game.table[move].name, diary[state.seat], names_in(state.pile.order())
        if name.startswith("TAKE"):
            mine.update(pile[-int((name + f" {len(pile)}").split()[1]) :])
        elif name != "PASS":
            mine.discard("QC" if name == "QUEEN" else name.split()[1])


def names_in(order: Sequence[int]) -> list[str]:
    return [names_of(mask_of([card]))[0] for card in order]


def test_a_sampled_world_keeps_what_the_others_know_of_the_own_hand() -> None:
    game = Hund(HundRules())
    state = game.from_position(
        {**QUEEN_OUT, "hands": [["8H", "2D"], ["3S"], ["4S"], ["5S"]], "known": [["8H"], [], [], []]}
    )
    world = game.sample(game.view(state, 0), Random(1))

    assert [names_of(mask) for mask in world.public_hands()] == [["8H"], [], [], []]


def test_taken_cards_are_known_until_they_are_played() -> None:
    game = KozyriClassic(ClassicRules())
    state = game.from_position(
        {
            **CLASSIC,
            "trumps": list("SHDC"),
            "hands": [["7S"], ["8C", "9H"], ["KC", "8D"], ["AS"]],
            "pile": ["6S", "JD", "QC"],
            "turn": 1,
        }
    )
    played(game, state, ["TAKE 3"])
    assert [str(card) for card in game.view(state, 3).known[1]] == ["6S", "JD", "QC"]

    played(game, state, ["LEAD 8D", "TAKE 1", "LEAD 7S", "BEAT 9H", "FREE JD"])
    view = game.view(state, 3)
    assert [str(card) for card in view.known[1]] == ["6S", "QC"]
    assert [str(card) for card in view.known[3]] == ["AS", "8D"]
    assert [str(card) for card in view.pile] == ["7S", "9H", "JD"]
    assert view.out == (0,)
    assert view.active == (3, 1, 2)
    assert [str(card) for card in view.unseen] == ["8C", "KC"]
    assert view.top == view.pile[-1]


def test_a_view_gives_cards_and_trumps() -> None:
    game = Hund(HundRules())
    before = game.view(game.deal(1), 2)
    after = game.view(game.from_position({**QUEEN_OUT, "hands": [["8H"], ["3S"], ["4S"], ["5S"]]}), 2)

    assert (before.trumps_set, before.trump, before.top) == (False, None, None)
    assert (after.trumps_set, after.trump, str(after.top)) == (True, "H", "9H")
    assert after.trumps == ("C", "S", "H", "D")
    assert [str(card) for card in after.hand] == ["4S"]
    hash(after)


@pytest.mark.parametrize("name", ["hund", "kozyri-classic"])
def test_every_card_is_dealt_to_every_seat_equally_often(name: str) -> None:
    """HU-2, CL-3: chi-square over cards and seats, trump sixes left out."""
    game = engines.load(name)
    deals = 1200
    counts: Counter[tuple[int, str]] = Counter()
    for luck in range(deals):
        state = game.deal(luck)
        for seat in range(4):
            for card in names_of(state.hand(seat)):
                if name == "hund" or not card.startswith("6"):
                    counts[seat, card] += 1
    cells = 4 * (52 if name == "hund" else 32)
    expected = deals / 4
    free = cells * 3 / 4
    square = sum((count - expected) ** 2 / expected for count in counts.values())

    assert len(counts) == cells
    assert square <= free + 5 * sqrt(2 * free)


@pytest.mark.parametrize(("game", "state"), [case[1:] for case in SMALL], ids=[case[0] for case in SMALL])
@pytest.mark.parametrize("viewer", [0, 1])
def test_the_chance_of_an_answer_is_its_share_of_all_worlds(
    game: Any, state: dict[str, Any], viewer: int
) -> None:
    """In each world the other seat faces the card: does it have more than TAKE?"""
    start = game.from_position(state)
    view, worlds = game.view(start, viewer), all_worlds(game, start, viewer)
    for seat in view.active[1:]:
        for card in view.hand:
            faced = 0
            for hands in worlds:
                world = game.from_position({**game.position(start)["state"], "known": [[]] * game.seats})
                for place, hand in enumerate(hands):
                    world.hold(place, hand, 0)
                world.hold(viewer, hands[viewer] & ~(1 << card), 0)
                world.pile.push(card)
                world.seat, world.phase = seat, game.phases.index("TURN")
                faced += len(world.moves()) > 1
            # The Queen sets trumps when she is laid, which the shortcut above does not do.
            if str(card) != "QC" or game.name != "hund" or view.trumps_set:
                assert view.answer_chance(seat, card) == pytest.approx(faced / len(worlds))
