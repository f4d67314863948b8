"""Dealing unseen cards to places: every way that fits is equally likely, and what cannot be is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engines.core import dealing
from engines.core.chance import Stream
from engines.core.dealing import choose, deal
from tests.engines.uniformity import assert_uniform

Deal = tuple[int, ...]


def every_deal(cards: int, room: list[int], allowed: list[int]) -> Iterator[Deal]:
    """All ways, by trying every place for every card."""
    ids = [i for i in range(63) if cards >> i & 1]
    for places in product(range(len(room)), repeat=len(ids)):
        hands = [0] * len(room)
        for card, place in zip(ids, places, strict=True):
            hands[place] |= 1 << card
        fits = all(h.bit_count() == r and h & ~a == 0 for h, r, a in zip(hands, room, allowed, strict=True))
        if fits:
            yield tuple(hands)


def mask(*cards: int) -> int:
    return sum(1 << card for card in cards)


CASES = {
    "free": (mask(*range(6)), [2, 2, 2], [mask(*range(6))] * 3),
    "one place": (mask(3, 5, 61), [3], [mask(3, 5, 7, 61)]),
    "two places, one card bound": (mask(*range(6)), [3, 3], [mask(0, 1, 2, 3, 4), mask(1, 2, 3, 4, 5)]),
    "every kind of pair": (
        mask(0, 10, 20, 30, 40, 50, 60),
        [3, 2, 2],
        [mask(0, 10, 20, 30, 60), mask(0, 10, 40, 50, 60), mask(20, 30, 40, 50, 60)],
    ),
    "a void and a known card": (
        mask(*range(7)),
        [2, 2, 3],
        [mask(0, 1, 2), mask(1, 2, 3, 4, 5), mask(*range(7))],
    ),
    "no room in one place": (mask(*range(4)), [0, 2, 2], [mask(0, 1), mask(*range(4)), mask(*range(4))]),
    "four places": (
        mask(*range(6)),
        [1, 2, 1, 2],
        [mask(0, 1, 2), mask(*range(6)), mask(2, 3), mask(1, 4, 5, 3)],
    ),
    "only one way": (mask(*range(4)), [1, 3], [mask(2), mask(*range(4))]),
    "nothing": (0, [0, 0], [7, 7]),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_deals_are_uniform_over_all_ways_that_fit(case: tuple[int, list[int], list[int]]) -> None:
    worlds = set(every_deal(*case))
    stream = Stream(5, 1)

    assert_uniform([tuple(deal(stream, *case)) for _ in range(40 * len(worlds))], worlds)


@pytest.mark.parametrize(
    "name", ["every kind of pair", "a void and a known card", "two places, one card bound"]
)
def test_the_way_in_large_integers_is_uniform_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if dealing.__file__.endswith(".py"):
        monkeypatch.setattr(dealing, "NARROW", -1)
        draw: Callable[..., list[int]] = deal
    else:
        draw = dealing._wide
    worlds = set(every_deal(*CASES[name]))
    stream = Stream(6, 1)

    assert_uniform([tuple(draw(stream, *CASES[name])) for _ in range(40 * len(worlds))], worlds)


def test_deals_of_more_ways_than_64_bits_hold_fit() -> None:
    """60 cards for four places have some 10**33 ways; a quarter of them is bound."""
    cards = mask(*range(60))
    room, allowed = [15] * 4, [cards & ~mask(*range(5)), cards & ~mask(*range(5, 15)), cards, cards]
    stream, seen = Stream(1, 1), set()
    for _ in range(20):
        hands = deal(stream, cards, room, allowed)
        seen.add(tuple(hands))

        assert [hand.bit_count() for hand in hands] == room
        assert all(hand & ~may == 0 for hand, may in zip(hands, allowed, strict=True))
        assert hands[0] | hands[1] | hands[2] | hands[3] == cards
    assert len(seen) == 20


@pytest.mark.parametrize(
    ("cards", "room", "allowed"),
    [
        (mask(0, 1), [1, 2], [mask(0, 1), mask(0, 1)]),
        (mask(0, 1), [1], [mask(0, 1), mask(0, 1)]),
        (mask(0, 1), [1, 1], [mask(0), mask(0)]),
        (mask(0, 1, 2), [1, 2], [mask(0, 1), mask(0, 1)]),
        (mask(0, 1, 2), [3, 0], [mask(0, 1), mask(0, 1, 2)]),
        (mask(0, 1, 2, 3), [2, 1, 1], [mask(3), mask(0, 1, 2, 3), mask(0, 1, 2, 3)]),
        (mask(0, 1, 2, 3), [1, 1, 1, 1], [mask(3), mask(3), mask(0, 1, 2, 3), mask(0, 1, 2, 3)]),
        (mask(0, 1), [3, -1], [mask(0, 1), mask(0, 1)]),
    ],
)
def test_what_cannot_be_dealt_is_refused(cards: int, room: list[int], allowed: list[int]) -> None:
    with pytest.raises(ValueError, match=r"expected|no deal fits"):
        deal(Stream(1, 1), cards, room, allowed)


@given(st.data())
def test_a_deal_is_found_exactly_where_there_is_one(data: st.DataObject) -> None:
    places = data.draw(st.integers(1, 4))
    ids = data.draw(st.lists(st.integers(0, 62), min_size=places, max_size=6, unique=True))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(ids)), min_size=places - 1, max_size=places - 1)))
    room = [b - a for a, b in zip([0, *cuts], [*cuts, len(ids)], strict=True)]
    allowed = [mask(*data.draw(st.sets(st.sampled_from(ids)))) for _ in range(places)]
    worlds = set(every_deal(mask(*ids), room, allowed))
    if worlds:
        assert tuple(deal(Stream(data.draw(st.integers(0, 99)), 1), mask(*ids), room, allowed)) in worlds
    else:
        with pytest.raises(ValueError, match="no deal fits"):
            deal(Stream(0, 1), mask(*ids), room, allowed)


@pytest.mark.parametrize("count", range(6))
def test_choices_are_uniform(count: int) -> None:
    cards = mask(0, 7, 33, 61, 62)
    worlds = {hands[0] for hands in every_deal(cards, [count, 5 - count], [cards, cards])}
    stream = Stream(9, 1)

    assert_uniform([choose(stream, cards, count) for _ in range(400)], worlds)


@given(st.integers(0, 2**62 - 1), st.integers(0, 62), st.integers(0, 2**53 - 1))
def test_a_choice_has_as_many_of_the_cards_as_asked(cards: int, count: int, luck: int) -> None:
    assume(count <= cards.bit_count())
    chosen = int(choose(Stream(luck, 1), cards, count))

    assert chosen & ~cards == 0
    assert chosen.bit_count() == count
