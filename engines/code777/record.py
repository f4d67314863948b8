"""What has happened, as a chain of words: questions answered, announcements, racks refilled; compiled.

States share the chain and never change it, so a copy costs nothing however long the game. A word is an
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
    """One word, or an announcement with the refill that follows it, and all before."""

    def __init__(self, word: i64, second: i64, before: Entry | None, count: i64) -> None:
        self.word: i64 = word
        self.second: i64 = second
        """The second word, -1 for none."""
        self.before: Entry | None = before
        self.count: i64 = count
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


def longer(entry: Entry | None, word: i64) -> Entry:
    """The chain with one more word."""
    return Entry(word, -1, entry, 1 if entry is None else entry.count + 1)


def longer_by_two(entry: Entry | None, word: i64, second: i64) -> Entry:
    """The chain with two more words."""
    return Entry(word, second, entry, 2 if entry is None else entry.count + 2)


def chain(words: list[int]) -> Entry | None:
    """A chain of these words, oldest first."""
    entry: Entry | None = None
    for word in words:
        entry = longer(entry, word)
    return entry


def words_of(entry: Entry | None) -> list[int]:
    """All words, oldest first."""
    return _newest(entry, 0)


def _newest(entry: Entry | None, already: i64) -> list[int]:
    """The words after the first `already`, oldest first."""
    found: list[int] = []
    node = entry
    while node is not None and node.count > already:
        if node.second >= 0:
            found.append(node.second)
        if node.second < 0 or node.count > already + 1:
            found.append(node.word)
        node = node.before
    found.reverse()
    return found


def seen_words(entry: Entry | None, seat: i64, known: tuple[int, ...]) -> tuple[int, ...]:
    """All words as `seat` may know them, given those it was shown before (`known`, a prefix of them).

    What left the own rack is hidden unless the announcement before it was right (CO-15).
    """
    already: i64 = len(known)
    if entry is None or entry.count == already:
        return known
    words = _newest(entry, already)
    own: i64 = REFILLED | seat << 2
    right: i64 = ANNOUNCED | seat << 2 | 32
    before: i64 = known[-1] if already else 0
    for place, word in enumerate(words):
        now: i64 = word
        if now & 31 == own and before & 63 != right:
            words[place] = now & HIDDEN_OUT
        before = now
    return known + tuple(words)
