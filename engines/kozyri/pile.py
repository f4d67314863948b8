"""The pile on the table: its cards as a set, its top, and the order in which they lie."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.core.bits import bit

WORD_SLOTS: Final[i64] = 10
"""Cards in one word: six bits each."""
SLOT_MASK: Final[i64] = 63


@final
class Pile:
    """Up to 52 cards, bottom to top, as native ints: a copy is a dozen stores, a push one.

    The order is only read where somebody looks; play needs `mask`, `size` and `top`.
    """

    def __init__(self) -> None:
        self.mask: i64 = 0
        """The cards as a set."""
        self.size: i64 = 0
        self.top: i64 = -1
        """The card on top, -1 where there is none."""
        self.word0: i64 = 0
        self.word1: i64 = 0
        self.word2: i64 = 0
        self.word3: i64 = 0
        self.word4: i64 = 0
        self.word5: i64 = 0

    def push(self, card: i64) -> None:
        """Lay a card on top."""
        slot: i64 = self.size
        if slot < 10:
            self.word0 |= card << (6 * slot)
        elif slot < 20:
            self.word1 |= card << (6 * (slot - 10))
        elif slot < 30:
            self.word2 |= card << (6 * (slot - 20))
        elif slot < 40:
            self.word3 |= card << (6 * (slot - 30))
        elif slot < 50:
            self.word4 |= card << (6 * (slot - 40))
        else:
            self.word5 |= card << (6 * (slot - 50))
        self.mask |= bit(card)
        self.size = slot + 1
        self.top = card

    def card(self, slot: i64) -> i64:
        """The card at a place, 0 at the bottom, `size - 1` on top."""
        word: i64 = self.word0
        if slot >= 50:
            word = self.word5
        elif slot >= 40:
            word = self.word4
        elif slot >= 30:
            word = self.word3
        elif slot >= 20:
            word = self.word2
        elif slot >= 10:
            word = self.word1
        return (word >> (6 * (slot % WORD_SLOTS))) & SLOT_MASK

    def pop(self) -> i64:
        """Take the top card of a pile that has one."""
        card: i64 = self.top
        slot: i64 = self.size - 1
        gone: i64 = card << (6 * (slot % WORD_SLOTS))
        if slot < 10:
            self.word0 ^= gone
        elif slot < 20:
            self.word1 ^= gone
        elif slot < 30:
            self.word2 ^= gone
        elif slot < 40:
            self.word3 ^= gone
        elif slot < 50:
            self.word4 ^= gone
        else:
            self.word5 ^= gone
        self.mask ^= bit(card)
        self.size = slot
        self.top = self.card(slot - 1) if slot > 0 else -1
        return card

    def clear(self) -> None:
        """Take all of it away."""
        self.mask = 0
        self.size = 0
        self.top = -1
        self.word0 = 0
        self.word1 = 0
        self.word2 = 0
        self.word3 = 0
        self.word4 = 0
        self.word5 = 0

    def copy(self) -> Pile:
        """An equal pile of its own."""
        twin = Pile()
        twin.mask = self.mask
        twin.size = self.size
        twin.top = self.top
        twin.word0 = self.word0
        if self.size > 10:
            twin.word1 = self.word1
            twin.word2 = self.word2
            twin.word3 = self.word3
            twin.word4 = self.word4
            twin.word5 = self.word5
        return twin

    def order(self) -> list[int]:
        """The cards, bottom to top."""
        cards: list[int] = []
        slot: i64 = 0
        while slot < self.size:
            cards.append(self.card(slot))
            slot += 1
        return cards
