"""The 28 tiles (CO-1), the racks of three that they allow, and how racks are packed into ints.

A *code* is a rack as one int: its three tile types ascending, four bits each, the lowest first. *Counts*
are a multiset of tiles as one int: four bits for each tile type, type 0 lowest.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Final

from engines.core.interned import Interned


class Tile(Interned):
    """A tile type, as its place in the tile list. Interned: `Tile(0)` is always the green 1."""

    number: int
    """1 to 7."""
    colour: str
    """Letter of its colour: G, Y, K (black), B (brown), R, P (pink) or C (blue)."""
    name: str
    """What positions and people call it: `5R`."""
    copies: int
    """How many of the 28 tiles are of this type."""

    def __new__(cls, place: int) -> Tile:  # noqa: PYI034 - interned, so never of a subclass
        if not 0 <= place < 11:
            raise ValueError(f"expected a tile type from 0 to 10, got {place}")
        return TILES[place]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.name}>"


_LIST: Final = ["1G1", "2Y2", "3K3", "4B4", "5R4", "5K1", "6P3", "6G3", "7C4", "7Y2", "7P1"]


def _make(place: int) -> Tile:
    tile = int.__new__(Tile, place)
    text = _LIST[place]
    tile.number, tile.colour, tile.copies = int(text[0]), text[1], int(text[2])
    tile.name = text[:2]
    return tile


TILES: Final = tuple(_make(place) for place in range(11))
"""The 11 tile types in list order."""
COLOURS: Final = "GYKBRPC"
"""Letters of the seven colours, four tiles each."""
BY_NAME: Final = {tile.name: tile for tile in TILES}
"""Tile types by their names."""
FULL: Final = sum(tile.copies << 4 * tile for tile in TILES)
"""Counts of all 28 tiles."""
PHYSICAL: Final = [int(tile) | copy << 4 for tile in TILES for copy in range(tile.copies)]
"""Each of the 28 tiles as its type, and from bit 4 on which of that type's copies it is."""


def code_of(tiles: Iterable[int]) -> int:
    """The code of three tiles given in any order."""
    low, middle, high = sorted(map(int, tiles))
    return low | middle << 4 | high << 8


def tiles_of(code: int) -> tuple[Tile, ...]:
    """The three tiles of a rack, in list order."""
    return TILES[code & 15], TILES[code >> 4 & 15], TILES[code >> 8]


def counted(tiles: Iterable[int]) -> int:
    """Tiles as counts."""
    return sum(1 << 4 * tile for tile in tiles)


def expanded(counts: int) -> tuple[Tile, ...]:
    """The tiles of some counts, in list order."""
    return tuple([tile for tile in TILES for _ in range(counts >> 4 * tile & 15)])


def names_of(tiles: Iterable[Tile]) -> list[str]:
    """The tiles' names, in their order."""
    return [tile.name for tile in tiles]


def numbers_of(code: int) -> tuple[int, int, int]:
    """The three numbers of a rack, ascending."""
    low, middle, high = tiles_of(code)
    return low.number, middle.number, high.number


def tile_named(name: object) -> Tile:
    """The tile type of that name; raises ValueError."""
    found = BY_NAME.get(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"expected one of the tiles {', '.join(BY_NAME)}, got {name!r}")
    return found


def _possible(kinds: Iterable[int]) -> bool:
    kinds = list(kinds)
    return all(kinds.count(kind) <= TILES[kind].copies for kind in kinds)


RACKS: Final = [code_of(kinds) for kinds in combinations_with_replacement(range(11), 3) if _possible(kinds)]
"""The codes of the 251 racks that the tiles allow, in list order tile by tile."""
CODES: Final = sorted({numbers_of(code) for code in RACKS})
"""The 76 multisets of three numbers that the tiles allow (CO-11), number by number."""
RACK_INDEX: Final = [-1] * 4096
"""Where a code stands in `RACKS`; -1 for what is no rack."""
NUMBER_INDEX: Final = [-1] * 4096
"""Where the numbers of a code stand in `CODES`; -1 for what is no rack."""

for _index, _code in enumerate(RACKS):
    RACK_INDEX[_code] = _index
    NUMBER_INDEX[_code] = CODES.index(numbers_of(_code))

RACK_NAMES: Final = ["-".join(names_of(tiles_of(code))) for code in RACKS]
"""The racks' names: `5R-5R-7P`."""
NUMBER_NAMES: Final = ["-".join(map(str, numbers)) for numbers in CODES]
"""The names of the number multisets: `5-5-7`."""
