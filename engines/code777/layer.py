"""One epoch's weights: how likely its draws are, by the own tiles out of play when it ends; compiled.

The argument is in posterior.py. An epoch with `pile` P, hidden own racks X1 … Xm of which X1 may have
been carried into it, and `unseen` tiles U has by its draws the weight

    prod over tile types t of (P_t - x1_t)! / (U_t - x1_t - … - xm_t)!

(x1 in the numerator only where it was carried), and every rack drawn in it 1 / prod x_t!.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.code777.evidence import Epoch, fits
from engines.code777.questions import counts_of
from engines.core.bits import bit

_FACTORIAL: Final = [1.0, 1.0, 2.0, 6.0, 24.0]


def factorials(counts: i64) -> float:
    """The product of the factorials of all counts."""
    product = 1.0
    rest: i64 = counts
    while rest:
        product *= _FACTORIAL[rest & 15]
        rest >>= 4
    return product


def ways(room: i64, code: i64) -> i64:
    """In how many orders the three tiles of a rack can be taken from `room`, 0 where they are not there.

    That is the product over its tile types of room! / (room - count)!.
    """
    low: i64 = code & 15
    middle: i64 = (code >> 4) & 15
    high: i64 = code >> 8
    first: i64 = (room >> (4 * low)) & 15
    second: i64 = (room >> (4 * middle)) & 15
    third: i64 = (room >> (4 * high)) & 15
    if middle == low:
        second -= 1
    if high == middle:
        third -= 2 if high == low else 1
    return first * second * third


def parts_of(code: i64, size: i64) -> list[int]:
    """The different multisets of `size` (0 to 2) of the rack's tiles, as counts."""
    if size == 0:
        return [0]
    found: list[int] = []
    for shift in (0, 4, 8):
        one: i64 = bit(4 * ((code >> shift) & 15))
        part: i64 = one if size == 1 else counts_of(code) - one
        if part not in found:
            found.append(part)
    return found


@final
class Layer:
    """One epoch's part of the forward pass."""

    def __init__(self, epoch: Epoch, next_pile: i64, last: bool) -> None:
        self.epoch: Epoch = epoch
        self.unseen: i64 = epoch.unseen
        self.next_pile: i64 = next_pile
        """The next epoch's `pile`."""
        self.last: bool = last
        """Whether this epoch goes on: no refresh has ended it."""
        self.own_split: bool = not last and epoch.split > 0 and epoch.split_code == 0
        self.removed: int = len(epoch.eras) - (1 if epoch.kept else 0)
        """How many of its eras ended within it."""
        self.spent: list[dict[int, float]] = []
        """Before each of its eras ends, and after all: the weight of every multiset of own tiles out of
        play."""
        self.chances: list[list[float]] = []
        """For each of its eras the weight of every candidate."""

    def tails(self) -> list[tuple[int, float]]:
        """What the rack refilled across the refresh that ends the epoch may have drawn before it, weighted.

        The weights hold what the next epoch's start contributes while the own rack does not go on into it.
        """
        if self.last:
            return [(0, 1.0)]
        if self.epoch.split == 0:
            return [(0, factorials(self.next_pile))]
        return self.split_tails(self.epoch.split_code)

    def split_tails(self, code: i64) -> list[tuple[int, float]]:
        """The same for a rack known to be `code`: its part before, with 1 / (part! rest!)."""
        counts: i64 = counts_of(code)
        tails: list[tuple[int, float]] = []
        for part in parts_of(code, self.epoch.split):
            if fits(part, self.next_pile):
                orders = factorials(part) * factorials(counts - part)
                tails.append((part, factorials(self.next_pile - part) / orders))
        return tails

    def start_of_next(self, part: i64, code: i64) -> float:
        """How the weight of a tail changes when the own rack goes on into the next epoch."""
        if self.last:
            return 1.0
        orders: i64 = ways(self.next_pile - part, code)
        return 1.0 / float(orders) if orders > 0 else 0.0

    def end_weight(self, spent: i64, part: i64, code: i64) -> float:
        """The weight of the tiles left unseen; `code` is the own rack that stands, 0 for none."""
        gone: i64 = spent + part
        if not fits(gone, self.unseen):
            return 0.0
        room: i64 = self.unseen - gone
        if code == 0:
            return 1.0 / factorials(room)
        orders: i64 = ways(room, code)
        return float(orders) / factorials(room)
