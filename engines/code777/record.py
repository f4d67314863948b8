"""What has happened, as a chain of words: questions answered, announcements, racks refilled; compiled.

States share the chain and never change it, so that a copy costs no more after a long game. A word is an
int with its kind in the two lowest bits; the functions here pack one, `view.py` turns them into entries.
The racks that a question was asked of are not in its word: they follow from the racks now and the tiles
that left each rack since.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

ASKED: Final[i64] = 0
ANNOUNCED: Final[i64] = 1
REFILLED: Final[i64] = 2


@final
class Entry:
    """Four words, and all before."""

    def __init__(self, first: i64, second: i64, third: i64, fourth: i64, before: Entry | None) -> None:
        self.first: i64 = first
        self.second: i64 = second
        self.third: i64 = third
        self.fourth: i64 = fourth
        self.before: Entry | None = before
        self.count: i64 = 4 if before is None else before.count + 4
        """How many words there are up to and with these."""


def asked_word(question: i64, reader: i64, answer: i64) -> i64:
    """Question bits 2-6, reader 7-9, answer from bit 10."""
    return ASKED | question << 2 | reader << 7 | answer << 10


def announced_word(seat: i64, right: bool, announcement: i64) -> i64:
    """Seat bits 2-4, right bit 5, the announcement's place in the list of all from bit 6."""
    return ANNOUNCED | seat << 2 | (32 if right else 0) | announcement << 6


def refilled_word(rack: i64, refresh: bool, pile: i64, out: i64) -> i64:
    """Rack bits 2-4, refresh bit 5, tiles left in the draw pile 6-10, code of what left it from bit 11.

    A code of 0 (three green 1s, which no rack can hold) is one that the reader of the word has not seen.
    """
    return REFILLED | rack << 2 | (32 if refresh else 0) | pile << 6 | out << 11


HIDDEN_OUT: Final[i64] = 0x7FF
"""What of a REFILLED word is left where the tiles are not shown."""


def add_older(found: list[int], entry: Entry | None, already: i64) -> None:
    """Add the words of a chain without the first `already`, newest first."""
    node = entry
    while node is not None and node.count > already:
        left: i64 = node.count - already
        found.append(node.fourth)
        if left > 1:
            found.append(node.third)
        if left > 2:
            found.append(node.second)
        if left > 3:
            found.append(node.first)
        node = node.before


def hide_own(words: list[int], before: i64, seat: i64) -> None:
    """Make of words what `seat` may know; `before` is the word before the first of them, 0 for none.

    What left the own rack is hidden unless the announcement before it was right (CO-15).
    """
    own: i64 = REFILLED | seat << 2
    right: i64 = ANNOUNCED | seat << 2 | 32
    last: i64 = before
    for place, word in enumerate(words):
        now: i64 = word
        if now & 31 == own and last & 63 != right:
            words[place] = now & HIDDEN_OUT
        last = now
