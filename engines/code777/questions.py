"""The 23 questions (rules CO-8 and the table of questions), answered from visible racks; compiled.

Questions 1 to 7 ask of how many racks something is true: a rack's *features* hold a 1 in four bits for
each such question, so that the features of several racks add up. The others look at all visible tiles.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from engines.code777.tiles import RACKS, tiles_of
from engines.core.bits import bit

LEFT: Final[i64] = 0
EQUAL: Final[i64] = 1
RIGHT: Final[i64] = 2
WORDS: Final = ("LEFT", "EQUAL", "RIGHT")
"""Answers to comparisons (questions 12 to 23) in words, in the order of their numbers."""

TEXTS: Final = (
    "",
    "On how many racks is the sum of the numbers 18 or more?",
    "On how many racks is the sum of the numbers 12 or less? (q2=GE: 12 or more)",
    "On how many racks does one number stand in two colours?",
    "On how many racks are there three different colours?",
    "On how many racks are all numbers even, or all odd?",
    "On how many racks are there two identical tiles, in number and colour?",
    "On how many racks are the numbers three in a row?",
    "How many colours do you see?",
    "How many colours do you see at least three times?",
    "How many of the numbers 1 to 7 do you not see?",
    "How many tiles do you see of green 1, black 5 and pink 7 together?",
    "Do you see more 3s or more pink 6s?",
    "Do you see more green 6s or more yellow 7s?",
    "Do you see more 2s or more yellow 7s?",
    "Do you see more pink 6s or more green 6s?",
    "Do you see more blue 7s or more 7s of other colours?",
    "Do you see more brown or more blue?",
    "Do you see more red or more pink?",
    "Do you see more green or more blue?",
    "Do you see more yellow or more pink?",
    "Do you see more black or more brown?",
    "Do you see more black or more red?",
    "Do you see more green or more yellow?",
)
"""What each question asks, by its number; LEFT is the first named of a comparison."""


def counts_of(code: i64) -> i64:
    """The counts of a rack."""
    return bit(4 * (code & 15)) + bit(4 * ((code >> 4) & 15)) + bit(4 * (code >> 8))


def _features(code: int) -> int:
    """Which of the rack questions count this rack; question 2 read as "or more" stands in place 8."""
    tiles = tiles_of(code)
    numbers = [tile.number for tile in tiles]
    colours = {tile.colour for tile in tiles}
    total = sum(numbers)
    true = (
        total >= 18,
        total <= 12,
        any(a.number == b.number and a.colour != b.colour for a in tiles for b in tiles),
        len(colours) == 3,
        len({number % 2 for number in numbers}) == 1,
        len(set(tiles)) < 3,
        numbers == list(range(numbers[0], numbers[0] + 3)),
        total >= 12,
    )
    return sum(yes << 4 * place for place, yes in enumerate(true))


FEATURES: Final[list[int]] = [0] * 4096
"""The features of every code."""
for _code in RACKS:
    FEATURES[_code] = _features(_code)


def compared(left: i64, right: i64) -> i64:
    """LEFT, EQUAL or RIGHT."""
    if left > right:
        return LEFT
    return RIGHT if left < right else EQUAL


def answer(question: i64, counts: i64, features: i64, at_least: bool) -> i64:
    """The true answer from the visible tiles and the summed features of the visible racks.

    `at_least` reads question 2 as "sum 12 or more" (A49). Comparisons give LEFT, EQUAL or RIGHT.
    """
    if question <= 7:
        place: i64 = 7 if question == 2 and at_least else question - 1
        return (features >> (4 * place)) & 15
    if question >= 17:
        return _colours_compared(question, counts)
    if question >= 12:
        return _tiles_compared(question, counts)
    if question == 10:
        seen: i64 = _over(counts & 0xF, 0) + _over(counts & 0xF0, 0) + _over(counts & 0xF00, 0)
        seen += _over(counts & 0xF000, 0) + _over(counts & 0xFF0000, 0) + _over(counts & 0xFF000000, 0)
        return 7 - seen - _over(counts >> 32, 0)
    if question == 11:
        return (counts & 15) + ((counts >> 20) & 15) + (counts >> 40)
    least: i64 = 0 if question == 8 else 2
    colours: i64 = _over(_green(counts), least) + _over(_yellow(counts), least)
    colours += _over(_black(counts), least) + _over(_brown(counts), least) + _over(_red(counts), least)
    return colours + _over(_pink(counts), least) + _over(_blue(counts), least)


def _green(counts: i64) -> i64:
    return (counts & 15) + ((counts >> 28) & 15)


def _yellow(counts: i64) -> i64:
    return ((counts >> 4) & 15) + ((counts >> 36) & 15)


def _black(counts: i64) -> i64:
    return ((counts >> 8) & 15) + ((counts >> 20) & 15)


def _brown(counts: i64) -> i64:
    return (counts >> 12) & 15


def _red(counts: i64) -> i64:
    return (counts >> 16) & 15


def _pink(counts: i64) -> i64:
    return ((counts >> 24) & 15) + (counts >> 40)


def _blue(counts: i64) -> i64:
    return (counts >> 32) & 15


def _over(count: i64, least: i64) -> i64:
    """1 if `count` is more than `least`, else 0."""
    return 1 if count > least else 0


def _tiles_compared(question: i64, counts: i64) -> i64:
    """Questions 12 to 16."""
    if question == 12:
        return compared((counts >> 8) & 15, (counts >> 24) & 15)
    if question == 13:
        return compared((counts >> 28) & 15, (counts >> 36) & 15)
    if question == 14:
        return compared((counts >> 4) & 15, (counts >> 36) & 15)
    if question == 15:
        return compared((counts >> 24) & 15, (counts >> 28) & 15)
    return compared((counts >> 32) & 15, ((counts >> 36) & 15) + (counts >> 40))


def _colours_compared(question: i64, counts: i64) -> i64:
    """Questions 17 to 23."""
    left: i64
    right: i64
    if question <= 19:
        left = _brown(counts) if question == 17 else _red(counts) if question == 18 else _green(counts)
        right = _pink(counts) if question == 18 else _blue(counts)
    elif question == 20:
        left, right = _yellow(counts), _pink(counts)
    elif question == 23:
        left, right = _green(counts), _yellow(counts)
    else:
        left = _black(counts)
        right = _brown(counts) if question == 21 else _red(counts)
    return compared(left, right)


def answer_for(question: i64, racks: list[int], hidden: i64, at_least: bool) -> i64:
    """The true answer of the seat that sees all `racks` (codes) but number `hidden` (CO-8)."""
    counts: i64 = 0
    features: i64 = 0
    place: i64 = 0
    while place < len(racks):
        if place != hidden:
            code: i64 = racks[place]
            counts += counts_of(code)
            features += FEATURES[code]
        place += 1
    return answer(question, counts, features, at_least)


def answer_range(question: int, visible: int) -> tuple[int, int]:
    """The least and the greatest answer that `visible` racks can give to a counting question."""
    if question == 8:
        return 3, 7
    if question == 10:
        return 0, 5
    if question == 11:
        return 0, 3
    return 0, visible


def answer_name(question: int, value: int) -> int | str:
    """An answer as positions write it: a number, or LEFT, EQUAL, RIGHT."""
    return int(value) if question < 12 else WORDS[value]
