"""Code 777: the types that a bot's file needs, and `posterior`, the exact odds of the own rack."""

from engines.code777.code777_state import Code777State
from engines.code777.game import Code777, Code777Rules
from engines.code777.moves import Kind, Move
from engines.code777.posterior import posterior
from engines.code777.questions import TEXTS
from engines.code777.tiles import CODES, RACKS, TILES, Tile, code_of, tile_named, tiles_of
from engines.code777.view import Announced, Asked, Code777View, Phase, Refilled

__all__ = [
    "CODES",
    "RACKS",
    "TEXTS",
    "TILES",
    "Announced",
    "Asked",
    "Code777",
    "Code777Rules",
    "Code777State",
    "Code777View",
    "Kind",
    "Move",
    "Phase",
    "Refilled",
    "Tile",
    "code_of",
    "posterior",
    "tile_named",
    "tiles_of",
]
