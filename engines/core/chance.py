"""Luck with an address: every chance event is a function of (luck, event, counter).

A stream is xoshiro128++ (Blackman and Vigna 2021) on 32-bit words, started from a mix of the
address. All arithmetic is masked or below 2**63, so compiled and interpreted runs agree bit for bit.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

WORD: Final[i64] = 0xFFFFFFFF
LUCK_LIMIT: Final = 2**53
"""`luck` is an integer from 0 up to this: exact in JSON and in every column."""


def checked_luck(luck: object) -> int:
    """`luck` as an int; raises TypeError for no whole number, ValueError for one that is out of range."""
    if isinstance(luck, bool) or not hasattr(luck, "__index__"):
        raise TypeError(f"luck: expected a whole number from 0 to 2**53 - 1, got {luck!r}")
    number = int(luck.__index__())
    if not 0 <= number < LUCK_LIMIT:
        raise ValueError(f"luck: expected a whole number from 0 to 2**53 - 1, got {number}")
    return number


def event_code(name: str) -> int:
    """The 32-bit number of an event's name (FNV-1a), for use as `event`."""
    code = 0x811C9DC5
    for byte in name.encode():
        code = (code ^ byte) * 0x01000193 & 0xFFFFFFFF
    return code


PLAYOUT: Final = event_code("playout")


def mix(word: i64) -> i64:
    """A bijection on 32-bit words whose every output bit depends on every input bit."""
    x: i64 = word & WORD
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & WORD
    x = ((x ^ (x >> 15)) * 0x31848BAB) & WORD
    x = ((x ^ (x >> 17)) * 0x21F0AAAD) & WORD
    return x ^ (x >> 15)


class Stream:
    """The random words of one chance event. Equal addresses give equal streams."""

    def __init__(self, luck: i64, event: i64, counter: i64 = 0) -> None:
        low: i64 = luck & WORD
        high: i64 = (luck >> 32) & WORD
        self.a: i64 = mix(mix(mix(mix(low ^ 0x243F6A88) ^ high) ^ event) ^ counter)
        self.b: i64 = mix(mix(mix(mix(low ^ 0x05A308D3) ^ high) ^ event) ^ counter)
        self.c: i64 = mix(mix(mix(mix(low ^ 0x13198A2E) ^ high) ^ event) ^ counter)
        self.d: i64 = mix(mix(mix(mix(low ^ 0x03707344) ^ high) ^ event) ^ counter) | 1

    def word(self) -> i64:
        """The next 32 random bits."""
        a: i64 = self.a
        b: i64 = self.b
        c: i64 = self.c
        d: i64 = self.d
        total: i64 = (a + d) & WORD
        result: i64 = ((((total << 7) & WORD) | (total >> 25)) + a) & WORD
        shifted: i64 = (b << 9) & WORD
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        self.a = a
        self.b = b
        self.c = c
        self.d = ((d << 11) & WORD) | (d >> 21)
        return result

    def below(self, n: i64) -> i64:
        """An exactly uniform integer in 0 … n-1, n from 1 to 2**30 (Lemire 2019, with rejection)."""
        product: i64 = self.word() * n
        low: i64 = product & WORD
        if low < n:
            threshold: i64 = (0x100000000 - n) % n
            while low < threshold:
                product = self.word() * n
                low = product & WORD
        return product >> 32

    def wide_below(self, n: i64) -> i64:
        """An exactly uniform integer in 0 … n-1 for n up to 2**62."""
        if n <= 0x40000000:
            return self.below(n)
        bits: i64 = 62
        limit: i64 = 0x4000000000000000
        while (limit >> 1) >= n:
            limit >>= 1
            bits -= 1
        while True:
            drawn: i64 = (((self.word() << 31) ^ self.word()) & 0x3FFFFFFFFFFFFFFF) >> (62 - bits)
            if drawn < n:
                return drawn

    def shuffle(self, items: list[int]) -> None:
        """Put `items` in a uniformly random order, in place (Fisher and Yates)."""
        last: i64 = len(items) - 1
        while last > 0:
            other: i64 = self.below(last + 1)
            kept = items[last]
            items[last] = items[other]
            items[other] = kept
            last -= 1
