"""What a seat knows, and that samples are uniform over the deals and gifts that its view allows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.chance import Stream
from engines.core.dealing import deal
from engines.seven_symbols import Kind, SevenState, SevenSymbols, SevenView, cards_of, mask_of
from tests.engines.seven_symbols.tables import load, midway, play, position
from tests.engines.uniformity import assert_uniform

World = tuple[Any, ...]


def world(state: SevenState, seats: int) -> World:
    """Who holds what and who gave what; the order of gifts apart."""
    hands = tuple(int(state.hand(seat)) for seat in range(seats))
    return hands, tuple(mask_of(state.given(seat)) for seat in range(seats))


def splits(cards: list[int], sizes: list[int]) -> Iterator[list[int]]:
    """All ways to deal `cards` into hands of these sizes, as masks."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in splits(rest, sizes[1:]):
            yield [mask_of(hand), *others]


def every_world(game: SevenSymbols, state: SevenState, seat: int) -> set[World]:
    """All worlds whose view is that of `seat`, by brute force over the *deals* and *gifts*."""
    seats, view = game.seats, game.view(state, seat)
    start = [int(state.hand(s)) for s in range(seats)]
    data = game.position(state)["state"]
    spent, found = list(view.spent), set()
    gifts_known = bool(view.given) and view.phase.value == "PLAY"
    unseen = [card for card in range(49) if view.unseen >> card & 1]
    others = [s for s in range(seats) if s != seat]
    for split in splits(unseen, [start[s].bit_count() for s in others]):
        hands = dict(zip(others, split, strict=True)) | {seat: start[seat]}
        full = [hands[s] | spent[s] for s in range(seats)]
        options: list[list[tuple[int, ...]]] = [[()] for _ in range(seats)]
        if gifts_known:
            to = [(s + 2) % 4 if seats == 4 else (s + 1) % 3 for s in range(seats)]
            options = [list(combinations([int(c) for c in cards_of(full[to[s]])], 3)) for s in range(seats)]
        for gifts in every_choice(options):
            names = [[c.name for c in cards_of(mask_of(gift))] for gift in gifts]
            received = (
                [names[s - 2] for s in range(seats)] if seats == 4 else [names[s - 1] for s in range(seats)]
            )
            try:
                other = game.from_position(
                    data
                    | {
                        "hands": [[c.name for c in cards_of(hands[s])] for s in range(seats)],
                        "given": names if gifts_known else data["given"],
                        "received": received if gifts_known else data["received"],
                    }
                )
            except ValueError:
                continue
            seen = game.view(other, seat)
            if seen._replace(given=()) == view._replace(given=()) and set(seen.given) == set(view.given):
                found.add(world(other, seats))
    return found


def every_choice(options: list[Any]) -> Iterator[list[Any]]:
    if not options:
        yield []
        return
    for first in options[0]:
        for rest in every_choice(options[1:]):
            yield [first, *rest]


def assert_samples_are_uniform(game: SevenSymbols, state: SevenState, seat: int, *, each: int = 20) -> None:
    view, rng = game.view(state, seat), Random(7)
    worlds = every_world(game, state, seat)
    assert len(worlds) > 1
    draws = [world(game.sample(view, rng), game.seats) for _ in range(each * len(worlds))]
    assert_uniform(draws, worlds)


def test_unseen_hands_are_uniform_without_gifts() -> None:
    game = load()
    state = game.from_position(position(["4G 9G", "5G AR", "6G 7B", "8G 3O"]))

    assert_samples_are_uniform(game, state, 2)


def test_voids_shown_are_respected() -> None:
    """Seat 1 discards on green, so the green cards are with seats 2 and 3."""
    game = load()
    state = game.from_position(position(["4G 9G 2R", "5B AR 3O", "6G 7B 10G", "8G 4O 5O"]))
    play(game, state, "4G 5B 6G")

    assert game.view(state, 0).voids == (0, 1 << 3, 0, 0)
    assert_samples_are_uniform(game, state, 0)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_deals_and_gifts_are_uniform_with_three_seats(seat: int) -> None:
    """Each seat knows what it gave and got; the third gift, and so the deal, counts in every way."""
    game = load(seats=3)
    state = game.from_position(
        position(
            ["4G 9G 2R 3R", "5G 5B AR 3O", "6G 7B 10G 4O"],
            given=[["5G", "AR", "3O"], ["6G", "10G", "4O"], ["9G", "4G", "2R"]],
            received=[["9G", "4G", "2R"], ["5G", "AR", "3O"], ["6G", "10G", "4O"]],
        )
    )

    assert_samples_are_uniform(game, state, seat)


def test_deals_and_gifts_are_uniform_after_cards_were_played() -> None:
    game = load(seats=3)
    state = game.from_position(
        position(
            ["4G 9G 2R 3R", "5B 2O AR 3O", "6G 7B 10G 4O"],
            given=[["2O", "AR", "3O"], ["6G", "10G", "4O"], ["9G", "4G", "2R"]],
            received=[["9G", "4G", "2R"], ["2O", "AR", "3O"], ["6G", "10G", "4O"]],
        )
    )
    play(game, state, "4G 2O")

    for seat in range(3):
        assert_samples_are_uniform(game, state, seat)


def test_deals_and_gifts_are_uniform_with_partners() -> None:
    """The own team's gifts are known; those of the others are any three of the receiver's cards."""
    game = load()
    state = game.from_position(
        position(
            ["4G 9G 2R", "5G AR 3O", "6G 7B 10G", "8G 4O 5O"],
            given=[["6G", "7B", "10G"], ["8G", "4O", "5O"], ["4G", "9G", "2R"], ["5G", "AR", "3O"]],
            received=[["4G", "9G", "2R"], ["5G", "AR", "3O"], ["6G", "7B", "10G"], ["8G", "4O", "5O"]],
        )
    )

    assert_samples_are_uniform(game, state, 0)


@pytest.mark.parametrize("moves", [0, 1, 3, 5, 6])
def test_sealed_gifts_are_uniform_over_deals_and_gifts(moves: int) -> None:
    """While cards are given, worlds are deals and what others have laid aside so far."""
    game = load(seats=3)
    state = game.from_position(
        position(["4G 9G 2R", "5G AR 3O", "6G 7B 10G"], phase="GIVE", given=[[], [], []])
    )
    for _ in range(moves):
        state.play(state.moves()[0])
    for seat in range(3):
        view, rng = game.view(state, seat), Random(3)
        size = [int(state.gift_size(s)) for s in range(3)]
        others = [s for s in range(3) if s != seat]
        pool = [card for card in range(49) if view.unseen >> card & 1]
        worlds: set[World] = set()
        for dealt in splits(pool, [3, 3]):
            choices = [
                combinations([int(c) for c in cards_of(hand)], size[s])
                for s, hand in zip(others, dealt, strict=True)
            ]
            for gifts in every_choice([list(choice) for choice in choices]):
                hands, given = {seat: view.hand}, {seat: mask_of(view.given)}
                for s, hand, gift in zip(others, dealt, gifts, strict=True):
                    hands[s], given[s] = hand & ~mask_of(gift), mask_of(gift)
                worlds.add((tuple(hands[s] for s in range(3)), tuple(given[s] for s in range(3))))

        assert_uniform([world(game.sample(view, rng), 3) for _ in range(25 * len(worlds))], worlds)


RULES = [{}, {"seats": 3}, {"deals": 2}, {"seats": 3, "scoring": "simple"}]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 2**53 - 1), st.integers(0, 160), st.integers(0, 99))
def test_a_sample_has_the_same_view_turn_and_moves(
    rules: dict[str, Any], luck: int, moves: int, seed: int
) -> None:
    game = load(**rules)
    state = midway(game, luck, moves)
    for seat in range(game.seats):
        view = game.view(state, seat)
        drawn = game.sample(view, Random(seed))

        assert game.view(drawn, seat) == view
        assert drawn.seat == state.seat
        if state.seat == seat:
            assert drawn.moves() == state.moves()
        read = game.from_position(json.loads(json.dumps(game.position(drawn))))
        assert game.position(read) == game.position(drawn)
        assert game.view(read, seat) == view


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 2**53 - 1), st.integers(13, 160))
def test_a_seat_knows_exactly_what_holds_in_every_world(rules: dict[str, Any], luck: int, moves: int) -> None:
    """A card is known to be in a hand if and only if no deal that fits has it elsewhere."""
    game = load(**rules)
    state = midway(game, luck, moves)
    seat = luck % game.seats
    view = game.view(state, seat)
    if view.phase is Kind.GIVE:
        return
    others = [s for s in range(game.seats) if s != seat]
    room = [view.sizes[s] for s in others]
    for place, other in enumerate(others):
        for card in cards_of(view.unseen):
            allowed = [could_hold(view, s) for s in others]
            allowed[place] &= ~(1 << card)
            known = view.known[other] >> card & 1
            if known:
                with pytest.raises(ValueError, match="no deal fits"):
                    deal(Stream(1, 1), view.unseen, room, allowed)
            else:
                deal(Stream(1, 1), view.unseen, room, allowed)


def could_hold(view: SevenView, seat: int) -> int:
    """The unseen cards that `seat` has not shown to lack, and that were not given to another."""
    target = (view.seat + 2) % 4 if len(view.sizes) == 4 else (view.seat + 1) % 3
    mask = view.unseen
    for card in cards_of(mask):
        if view.voids[seat] >> card.suit & 1 or (seat != target and card in view.given):
            mask &= ~(1 << card)
    return mask


def test_counting_tells_where_cards_are() -> None:
    """When seat 2 has shown to hold no green, seat 1 holds the green card that is left."""
    game = load(seats=3)
    state = game.from_position(position(["4G 5B 9G", "5G 10G 6B", "3O 4O 2R"]))
    play(game, state, "4G 5G 3O")
    assert [card.name for card in cards_of(game.view(state, 0).known[1])] == ["10G"]

    play(game, state, "10G 4O 9G")
    view = game.view(state, 0)
    assert view.voids == (0, 0, 1 << 3)
    assert view.known == (view.hand, 0, 0)


def test_a_full_hand_of_known_cards_leaves_the_rest_to_the_others() -> None:
    """Seat 0 gave seat 1 three cards, which are all it holds: the rest is with seat 2."""
    game = load(seats=3)
    state = game.from_position(
        position(
            ["4G 9G 2R", "5G AR 3O", "6G 7B 10G"],
            given=[["5G", "AR", "3O"], ["6G", "7B", "10G"], ["4G", "9G", "2R"]],
            received=[["4G", "9G", "2R"], ["5G", "AR", "3O"], ["6G", "7B", "10G"]],
        )
    )

    assert game.view(state, 0).known == tuple(int(state.hand(seat)) for seat in range(3))


@pytest.mark.parametrize("seats", [3, 4])
def test_no_seat_sees_in_which_order_another_gave(seats: int) -> None:
    """SY-6: a seat knows what it gave and what it got, nothing else."""
    game = load(seats=seats)
    gifts = [game.deal(11).moves()[:3]]
    views = []
    for order in permutations(gifts[0]):
        state = game.deal(11)
        for move in order:
            state.play(move)
        while state.phase == 0:
            state.play(state.moves()[0])
        views.append([game.view(state, seat) for seat in range(1, seats)])

    assert all(view == views[0] for view in views)


@pytest.mark.parametrize("seats", [3, 4])
def test_gifts_are_sealed_until_all_have_given(seats: int) -> None:
    """Whatever seat 0 gives, the others see no more than how many cards."""
    game = load(seats=seats)
    seen = []
    for choice in ([0, 1, 2], [-1, -2, -3]):
        state = game.deal(12)
        moves = state.moves()
        for index in choice:
            state.play(moves[index])
        seen.append([game.view(state, seat) for seat in range(1, seats)])

    assert seen[0] == seen[1]
    assert not any(game.public(move) for move in game.table[:49])
    assert all(game.public(move) for move in game.table[49:])
