"""Counting and finding bits in 64-bit masks, native when compiled.

mypyc emits the literal of `1 << n` as a 32-bit C int, so `bit` shifts a variable. A literal of 2**62
and more is a Python object, unboxed at every use, so hot code has none. `x & -x` and the arithmetic
below stay within 63 bits, so compiled and interpreted agree.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

COMPILED: Final = not __file__.endswith(".py")
"""True where this module runs as machine code."""


def bit(index: i64) -> i64:
    """The mask with only bit `index` (0 to 62) set."""
    zero: i64 = index & 0
    return (zero | 1) << index


def popcount(mask: i64) -> i64:
    """How many bits of a non-negative `mask` are set."""
    if not COMPILED:
        return int(mask).bit_count()
    x: i64 = mask
    x = x - ((x >> 1) & 0x1555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x = x + (x >> 8)
    x = x + (x >> 16)
    return (x + (x >> 32)) & 0x7F


def lowest(mask: i64) -> i64:
    """The index of the lowest set bit of a positive `mask`."""
    if not COMPILED:
        return int(mask & -mask).bit_length() - 1
    return popcount((mask & -mask) - 1)


def nth(mask: i64, n: i64) -> i64:
    """The index of the n-th set bit (0 is the lowest) of a `mask` that has more than n."""
    rest: i64 = mask
    left: i64 = n
    while left > 0:
        rest &= rest - 1
        left -= 1
    return lowest(rest)


def indices(mask: i64, offset: i64 = 0) -> list[int]:
    """The set bits' indices, ascending, each with `offset` added."""
    found: list[int] = []
    rest: i64 = mask
    if not COMPILED:
        below: i64 = offset - 1
        while rest:
            one: i64 = rest & -rest
            found.append(below + int(one).bit_length())
            rest ^= one
        return found
    while rest:
        found.append(offset + lowest(rest))
        rest &= rest - 1
    return found


def mask_of(items: list[int]) -> i64:
    """The mask of a list of indices."""
    mask: i64 = 0
    for item in items:
        mask |= bit(item)
    return mask
