"""Exact uniform dealing of unseen cards to the places that may hold them.

A place (a hand, the cards left out) has room for so many cards and may hold only some of them: a hand
that has shown a void holds none of that colour, a card known to be elsewhere is in no other hand. Every
deal that fits is equally likely. Cards that may go to the same places are alike, so it is enough to draw
how many of each group go where, by the number of ways, and then which ones.
"""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Final

from mypy_extensions import i64

from engines.core.bits import indices, popcount
from engines.core.chance import Stream

NARROW: Final = 42
"""Up to so many cards for three places the ways are at most 42!/(14!)³ < 2**62."""

_WIDTH: Final[i64] = 64
_WAYS: Final[list[int]] = [comb(n, k) for n in range(64) for k in range(64)]
"""Binomials: n over k at 64 n + k, all below 2**62 as far as 63 cards go."""


def deal(stream: Stream, cards: i64, room: list[int], allowed: list[int]) -> list[int]:
    """A mask of cards for every place, uniform over all the ways that fit.

    `cards` is the mask of what is to be dealt (card numbers 0 to 62), `room[p]` how many of them place p
    takes, `allowed[p]` the mask of those it may hold (other bits are ignored). Raises ValueError where
    the rooms do not add up or no way fits.
    """
    total: i64 = 0
    for space in room:
        total += space
    if len(room) != len(allowed) or total != popcount(cards):
        raise ValueError(
            f"expected {popcount(cards)} cards' room in {len(allowed)} places, got room {list(room)}"
        )
    free: i64 = cards
    for mask in allowed:
        free &= mask
    if free == cards:
        return _shuffled(stream, cards, room)
    if len(room) <= 3 and total <= NARROW:
        return _narrow(stream, cards, room, allowed)
    return _wide(stream, cards, room, allowed)


def choose(stream: Stream, cards: i64, count: i64) -> i64:
    """A uniformly random set of `count` of the `cards`, as a mask: one draw, read card by card.

    Of the C(n, k) sets C(n - 1, k - 1) have the next card. Raises ValueError for more than there are.
    """
    size: i64 = popcount(cards)
    left: i64 = count
    if left < 0 or left > size:
        raise ValueError(f"expected to choose 0 to {size} cards, got {count}")
    rank: i64 = stream.wide_below(_WAYS[size * _WIDTH + left])
    rest: i64 = cards
    taken: i64 = 0
    while 0 < left < size:
        card: i64 = rest & -rest
        rest ^= card
        size -= 1
        ways: i64 = _WAYS[size * _WIDTH + left - 1]
        if rank < ways:
            taken |= card
            left -= 1
        else:
            rank -= ways
    return taken | rest if left else taken


def _shuffled(stream: Stream, cards: i64, room: list[int]) -> list[int]:
    """Every place may hold every card."""
    hands: list[int] = []
    rest: i64 = cards
    last: i64 = len(room) - 1
    place: i64 = 0
    while place < last:
        hand: i64 = choose(stream, rest, room[place])
        hands.append(hand)
        rest ^= hand
        place += 1
    if last >= 0:
        hands.append(rest)
    return hands


def _ways(n: i64, k: i64) -> i64:
    """The binomial n over k, 0 outside the triangle."""
    if k < 0 or k > n:
        return 0
    return _WAYS[n * _WIDTH + k]


def _narrow(stream: Stream, cards: i64, room: list[int], allowed: list[int]) -> list[int]:
    """Up to three places, in 64 bits.

    Of the cards that may go to places 0 and 1 only, a go to 0; of those for 0 and 2 only, b; of those for
    all three, the rest of place 0. What then remains for 1 and 2 may go to either, so that the ways are
    C(n01, a) C(n02, b) C(n012, r0 - a - b) C(n12 + n012 - (r0 - a - b), r1 - (n01 - a)).
    """
    places: i64 = len(room)
    may0: i64 = allowed[0] & cards
    may1: i64 = allowed[1] & cards if places > 1 else 0
    may2: i64 = allowed[2] & cards if places > 2 else 0
    room0: i64 = room[0]
    room1: i64 = room[1] if places > 1 else 0
    if (may0 | may1 | may2) != cards:
        raise _misfit(cards, room, allowed)
    hand0: i64 = may0 & ~may1 & ~may2
    hand1: i64 = may1 & ~may0 & ~may2
    pair01: i64 = may0 & may1 & ~may2
    pair02: i64 = may0 & may2 & ~may1
    pair12: i64 = may1 & may2 & ~may0
    every: i64 = may0 & may1 & may2
    n01: i64 = popcount(pair01)
    n02: i64 = popcount(pair02)
    n12: i64 = popcount(pair12)
    n012: i64 = popcount(every)
    room0 -= popcount(hand0)
    room1 -= popcount(hand1)

    total: i64 = _scan(n01, n02, n12, n012, room0, room1, -1)
    if total == 0:
        raise _misfit(cards, room, allowed)
    sizes: i64 = _scan(n01, n02, n12, n012, room0, room1, stream.wide_below(total))
    a: i64 = sizes >> 6
    b: i64 = sizes & 63

    part: i64 = choose(stream, pair01, a)
    hand0 |= part
    hand1 |= pair01 ^ part
    hand0 |= choose(stream, pair02, b)
    part = choose(stream, every, room0 - a - b)
    hand0 |= part
    hand1 |= choose(stream, pair12 | (every ^ part), room1 - n01 + a)
    hands: list[int] = [hand0, hand1, cards & ~hand0 & ~hand1]
    return hands[: len(room)]


def _scan(n01: i64, n02: i64, n12: i64, n012: i64, room0: i64, room1: i64, target: i64) -> i64:
    """All ways of the formula of `_narrow`; with a `target` below that, 64 a + b of the way so numbered."""
    seen: i64 = 0
    a: i64 = 0
    while a <= n01:
        outer: i64 = _ways(n01, a)
        b: i64 = 0
        while b <= n02:
            shared: i64 = room0 - a - b
            if 0 <= shared <= n012:
                ways: i64 = _ways(n12 + n012 - shared, room1 - n01 + a)
                if ways:
                    seen += outer * _ways(n02, b) * _ways(n012, shared) * ways
                    if seen > target >= 0:
                        return (a << 6) | b
            b += 1
        a += 1
    return seen


def _misfit(cards: i64, room: list[int], allowed: list[int]) -> ValueError:
    """Say what has to go where."""
    may = [indices(mask & cards) for mask in allowed]
    return ValueError(f"no deal fits: cards {indices(cards)}, room {list(room)}, allowed {may}")


def _wide(stream: Stream, cards: i64, room: list[int], allowed: list[int]) -> list[int]:
    """Any number of places and ways, in Python's own integers: place by place, the first one first."""
    places = len(room)
    groups: list[int] = [0] * (1 << places)
    for card in indices(cards):
        groups[sum([1 << p for p in range(places) if allowed[p] >> card & 1])] |= 1 << card
    memo: dict[tuple[int, tuple[int, ...]], int] = {}
    hands: list[int] = []
    for place in range(places):
        sizes = [group.bit_count() for group in groups]
        options = _splits(place, sizes, room[place])
        weights = [ways * _count(place + 1, rest, room, memo) for ways, _, rest in options]
        if sum(weights) == 0:
            raise _misfit(cards, room, allowed)
        drawn = _below(stream, sum(weights))
        index = 0
        while drawn >= weights[index]:
            drawn -= weights[index]
            index += 1
        hand = 0
        moved: list[int] = [0] * len(groups)
        for signature, group in enumerate(groups):
            taken = choose(stream, group, options[index][1][signature])
            hand |= taken
            moved[signature & ~(1 << place)] |= group & ~taken
        groups = moved
        hands.append(hand)
    return hands


def _splits(place: int, sizes: list[int], room: int) -> list[tuple[int, list[int], list[int]]]:
    """How `place` can take `room` cards: (ways, taken from each group, groups that remain)."""
    mine = [s for s in range(len(sizes)) if s >> place & 1 and sizes[s]]
    ranges = [range(sizes[s] if s == 1 << place else 0, min(room, sizes[s]) + 1) for s in mine]
    found: list[tuple[int, list[int], list[int]]] = []
    for counts in product(*ranges):
        if sum(counts) != room:
            continue
        ways = 1
        taken = [0] * len(sizes)
        for signature, count in zip(mine, counts, strict=True):
            ways *= comb(sizes[signature], count)
            taken[signature] = count
        rest = [0] * len(sizes)
        for signature, size in enumerate(sizes):
            rest[signature & ~(1 << place)] += size - taken[signature]
        found.append((ways, taken, rest))
    return found


def _count(
    place: int, sizes: list[int], room: list[int], memo: dict[tuple[int, tuple[int, ...]], int]
) -> int:
    """In how many ways the places from `place` on can take all that is left."""
    if sizes[0]:
        return 0
    if place == len(room):
        return 1
    key = (place, tuple(sizes))
    if key not in memo:
        memo[key] = sum(
            [
                ways * _count(place + 1, rest, room, memo)
                for ways, _, rest in _splits(place, sizes, room[place])
            ]
        )
    return memo[key]


def _below(stream: Stream, n: int) -> int:
    """A uniform integer in 0 … n - 1, for n of any size."""
    bits = n.bit_length()
    while True:
        drawn = 0
        for _ in range((bits + 31) // 32):
            word: int = stream.word()  # as Python's int: with an i64 operand the sum would be one too
            drawn = drawn << 32 | word
        drawn >>= -bits % 32
        if drawn < n:
            return drawn
