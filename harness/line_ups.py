"""Which bots meet: all line-ups of a size, or a balanced sample where those are too many.

A sample is a block design: everybody is in as many line-ups as everybody else, within one, and every two
meet as often as every other two, as nearly as a search that is the same everywhere can make it.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, NamedTuple

from harness.designs import Exchanges, LineUp, Search, Turns

MOST: Final = 500
"""Line-ups up to which all are played; where there are more, about so many are taken."""
_STARTS: Final = 2
"""Searches of each kind, from other beginnings."""


class Spread(NamedTuple):
    """How even line-ups are: the least and the most of what should be equal."""

    games: tuple[int, int]
    """Line-ups of a bot."""
    meetings: tuple[int, int]
    """Line-ups of two bots together."""


def count(bots: int, size: int, wanted: int = 0) -> int:
    """How many line-ups of `size` are played: `wanted`, or all; with 0 all, or a sample of about MOST."""
    every = math.comb(bots, size)
    if wanted:
        return min(wanted, every)
    return every if every <= MOST else _even(bots, size)


def choose(bots: int, size: int, wanted: int = 0) -> Iterator[LineUp]:
    """The line-ups in ascending order; lazy where all of them are played."""
    number = count(bots, size, wanted)
    if number == math.comb(bots, size):
        return itertools.combinations(range(bots), size)
    return iter(sample(bots, size, number))


def spread(bots: int, line_ups: Iterable[LineUp]) -> Spread:
    """How even these line-ups are."""
    games: Counter[int] = Counter()
    meetings: Counter[tuple[int, ...]] = Counter()
    for line_up in line_ups:
        games.update(line_up)
        meetings.update(itertools.combinations(line_up, 2))
    alone = [games[bot] for bot in range(bots)]
    pairs = [meetings[pair] for pair in itertools.combinations(range(bots), 2)]
    return Spread((min(alone), max(alone)), (min(pairs), max(pairs)))


def share(number: int, bots: int, left: int, size: int) -> int:
    """How many line-ups `left` of `bots` bots have, if each is to be in about as many as before, never more.

    A multiple of `even_games` where there are so many, so that each is in equally many.
    """
    fair = number * left // bots
    return max(1, fair - fair % even_games(left, size) or fair)


def even_games(bots: int, size: int) -> int:
    """The fewest line-ups with which everybody can be in equally many; so can its multiples."""
    return bots // math.gcd(bots, size)


def _even(bots: int, size: int) -> int:
    """The largest number up to MOST with which everything can be equal; else all games; never fewer."""
    pairs, each = math.comb(bots, 2), math.comb(size, 2)
    for step in (math.lcm(bots, pairs // math.gcd(pairs, each)), bots, even_games(bots, size)):
        if step <= MOST:
            return MOST - MOST % step
    return even_games(bots, size)


@functools.lru_cache(maxsize=64)
def sample(bots: int, size: int, number: int) -> tuple[LineUp, ...]:
    """`number` different line-ups, as even as was found; the same ones whenever it is asked for.

    More than half of all are all without an even sample of the rest.
    """
    every = math.comb(bots, size)
    if not 0 < number <= every:
        raise ValueError(f"expected 1 to {every} line-ups of {size} of {bots} bots, got {number}")
    if 2 * number > every:
        left_out = set(sample(bots, size, every - number)) if number < every else set()
        return tuple(found for found in itertools.combinations(range(bots), size) if found not in left_out)
    best: Search | None = None
    for search in _searches(bots, size, number):
        search.run()
        if best is None or search.uneven < best.uneven:
            best = search
        if best.uneven == 0:
            break
    assert best is not None, "there is at least one search"
    return tuple(sorted(best.line_ups()))


def _searches(bots: int, size: int, number: int) -> Iterator[Search]:
    """Ways to look for a sample, the quickest first."""
    for start in range(_STARTS):
        if Turns.can(bots, size, number):
            yield Turns(bots, size, number, Random(start))
    for start in range(_STARTS):
        yield Exchanges(bots, size, number, Random(start))
