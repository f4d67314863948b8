"""The second layer of a state: racks, draw pile and tiles out of play, and how racks are refilled.

Racks are codes and multisets counts, as tiles.py says. Tiles of one type are alike, so counts are all that
there is to know of the draw pile.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from engines.code777.options import Setup
from engines.code777.questions import counts_of
from engines.code777.record import refilled_word
from engines.code777.record_state import RecordState
from engines.code777.tiles import FULL, PHYSICAL
from engines.core.bits import bit, lowest
from engines.core.chance import Stream, event_code

TILES: Final[i64] = event_code("code777 tiles")

WIDTH: Final[i64] = 20
LOW20: Final[i64] = 0xFFFFF
"""Refills and points are kept in 20 bits each, three to a word."""

_PLACES: Final[list[int]] = [4 * (tile & 15) + (tile >> 4) for tile in PHYSICAL] + [60] * 4
"""Where each of the 28 tiles stands in `places_of`; 28 to 31 stand where no tile is."""
_LOWEST: Final[i64] = 0x11111111111


class RackState(RecordState):
    """The tiles of one game; each refill goes on record."""

    def __init__(self, setup: Setup, luck: i64) -> None:
        super().__init__()
        self.setup: Setup = setup
        self.luck: i64 = luck
        # Codes of all racks, 12 bits each; how often they were refilled: racks 0 to 2, and from 3 on.
        self.racks: i64 = 0
        self.refills0: i64 = 0
        self.refills3: i64 = 0
        self.draw: i64 = 0
        self.away: i64 = 0
        self.draw_size: i64 = 0
        self.away_size: i64 = 0

    @final
    def rack(self, place: i64) -> i64:
        """The code of a rack."""
        return (self.racks >> (12 * place)) & 0xFFF

    @final
    def set_rack(self, place: i64, code: i64) -> None:
        """Put three tiles on an empty rack."""
        self.racks |= code << (12 * place)

    @final
    def refills(self, place: i64) -> i64:
        """How often a rack has been refilled."""
        if place < 3:
            return (self.refills0 >> (WIDTH * place)) & LOW20
        return (self.refills3 >> (WIDTH * (place - 3))) & LOW20

    @final
    def add_refills(self, place: i64, times: i64) -> None:
        """Count refills of a rack."""
        if place < 3:
            self.refills0 += times << (WIDTH * place)
        else:
            self.refills3 += times << (WIDTH * (place - 3))

    @final
    def fill_racks(self) -> None:
        """Draw three of this luck's tiles for every rack (CO-3)."""
        self.draw = FULL
        self.draw_size = 28
        place: i64 = 0
        while place < self.setup.racks:
            drawn: i64 = self.draw_tiles(Stream(self.luck, TILES, place), 3)
            self.set_rack(place, code_of_counts(drawn))
            place += 1

    @final
    def refill(self, place: i64) -> None:
        """Put a rack's tiles out of play and draw three new ones (CO-13, CO-16)."""
        out: i64 = self.rack(place)
        self.racks ^= out << (12 * place)
        self.away += counts_of(out)
        self.away_size += 3
        self.add_refills(place, 1)
        stream: Stream = Stream(self.luck, TILES, place + 8 * self.refills(place))
        refresh: bool = False
        if self.setup.refresh > 0 and self.draw_size <= self.setup.refresh:
            self.return_away()
            refresh = True
        drawn: i64
        if self.draw_size >= 3:
            drawn = self.draw_tiles(stream, 3)
        else:  # only with refresh=0, or in a game with fewer tiles
            drawn = self.draw
            left: i64 = 3 - self.draw_size
            self.draw = 0
            self.draw_size = 0
            self.return_away()
            refresh = True
            drawn += self.draw_tiles(stream, left)
        self.set_rack(place, code_of_counts(drawn))
        self.note(refilled_word(place, refresh, self.draw_size, out))

    @final
    def return_away(self) -> None:
        """Shuffle the tiles out of play into the draw pile (CO-16)."""
        self.draw += self.away
        self.draw_size += self.away_size
        self.away = 0
        self.away_size = 0

    @final
    def draw_tiles(self, stream: Stream, count: i64) -> i64:
        """Draw `count` tiles, no more than there are; their counts.

        The order of all 28 tiles is that in which they first come up in uniform draws, five bits each.
        Of a type with c tiles in the pile, its copies 0 to c - 1 are taken to be those in the pile.
        """
        drawn: i64 = 0
        if self.draw_size == count:
            drawn = self.draw
        else:
            pile: i64 = places_of(self.draw)
            word: i64 = 0
            parts: i64 = 0
            left: i64 = count
            while left:
                if parts == 0:
                    word = stream.word()
                    parts = 6
                place: i64 = _PLACES[word & 31]
                word >>= 5
                parts -= 1
                if (pile >> place) & 1:
                    pile ^= bit(place)
                    drawn += bit(place & 60)
                    left -= 1
        self.draw -= drawn
        self.draw_size -= count
        return drawn

    @final
    def copy_racks(self, new: RackState) -> None:
        """Let `new` have this layer's values; setup and luck it has."""
        new.racks = self.racks
        new.refills0 = self.refills0
        new.refills3 = self.refills3
        new.draw = self.draw
        new.away = self.away
        new.draw_size = self.draw_size
        new.away_size = self.away_size


def places_of(counts: i64) -> i64:
    """Counts in unary: of each type's four bits as many are set, from the lowest on, as there are tiles."""
    ones: i64 = counts & _LOWEST
    twos: i64 = (counts >> 1) & _LOWEST
    four: i64 = (counts >> 2) & _LOWEST
    return ones | twos | four | (twos | four) << 1 | (ones & twos | four) << 2 | four << 3


def code_of_counts(counts: i64) -> i64:
    """The code of three tiles given as counts."""
    low: i64 = lowest(counts) >> 2
    rest: i64 = counts - bit(4 * low)
    middle: i64 = lowest(rest) >> 2
    return low | middle << 4 | (lowest(rest - bit(4 * middle)) >> 2) << 8
