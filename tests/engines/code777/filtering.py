"""What a seat can know, found the long way: every world it may be in, followed through the log.

Written from the rules alone and with nothing of the engine's packing: a world is the own rack, the draw
pile and the tiles out of play, as sorted tuples of names, with the own racks of the past. Each event of
the log multiplies a world's chance, tile by tile, or rules the world out.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any, NamedTuple

from engines.code777 import Code777
from engines.code777.questions import answer_for, answer_name
from engines.code777.tiles import (
    NUMBER_INDEX,
    NUMBER_NAMES,
    RACK_INDEX,
    RACK_NAMES,
    code_of,
    tile_named,
)

Tiles = tuple[str, ...]


class World(NamedTuple):
    own: Tiles
    draw: Tiles
    away: Tiles
    past: tuple[Tiles, ...] = ()


Worlds = dict[World, float]


def less(tiles: Tiles, gone: Tiles) -> Tiles:
    return tuple(sorted((Counter(tiles) - Counter(gone)).elements()))


def more(tiles: Tiles, added: Tiles) -> Tiles:
    return tuple(sorted([*tiles, *added]))


def first_worlds(position: dict[str, Any], seat: int) -> Worlds:
    """All ways in which the unseen tiles can lie on the own rack, in the pile and out of play."""
    own, draw, away = position["racks"][seat], position["draw"], position["away"]
    unseen = [*own, *draw, *away]
    worlds: Worlds = defaultdict(float)
    places = range(len(unseen))
    for rack in combinations(places, 3):
        rest = [place for place in places if place not in rack]
        for out in combinations(rest, len(away)):
            pile = [unseen[place] for place in rest if place not in out]
            world = World(
                tuple(sorted(unseen[place] for place in rack)),
                tuple(sorted(pile)),
                tuple(sorted(unseen[place] for place in out)),
            )
            worlds[world] += 1.0
    return worlds


@functools.cache
def drawn(draw: Tiles, away: Tiles, count: int) -> dict[tuple[Tiles, Tiles, Tiles], float]:
    """What drawing one tile after another can give, with its chance: tiles, pile, tiles out of play."""
    if count == 0:
        return {((), draw, away): 1.0}
    if not draw:
        draw, away = away, ()
    results: dict[tuple[Tiles, Tiles, Tiles], float] = defaultdict(float)
    for tile, copies in Counter(draw).items():
        for (tiles, pile, out), chance in drawn(less(draw, (tile,)), away, count - 1).items():
            results[more(tiles, (tile,)), pile, out] += chance * copies / len(draw)
    return results


class Filter:
    """The worlds of one seat, followed through a log as its view shows it."""

    def __init__(self, game: Code777, start: dict[str, Any], seat: int, view: dict[str, Any]) -> None:
        self.game = game
        self.seat = seat
        self.worlds = first_worlds(start, seat)
        self.racks: list[Any] = [
            None if place == seat else tuple(sorted(rack)) for place, rack in enumerate(start["racks"])
        ]
        self.contents = self.contents_of(view)
        if not view["log"] or "q" not in view["log"][0]:
            self.hear(start["question"], start["reader"], start["answer"])
        for entry in view["log"]:
            self.follow(entry)

    @staticmethod
    def contents_of(view: dict[str, Any]) -> list[Any]:
        """What each refill put on its rack, None where it was not shown."""
        racks = list(view["racks"])
        contents = []
        for entry in reversed(view["log"]):
            if "refill" in entry:
                contents.append(racks[entry["refill"]])
                racks[entry["refill"]] = entry["out"]
        return [rack and tuple(sorted(rack)) for rack in reversed(contents)]

    def follow(self, entry: dict[str, Any]) -> None:
        if "q" in entry:
            self.hear(entry["q"], entry["reader"], entry["answer"])
        elif "announce" in entry:
            if entry["seat"] == self.seat:
                self.keep(lambda world: self.says(world.own, entry["announce"]) == entry["right"])
        else:
            self.refill(entry["refill"], entry["out"], self.contents.pop(0))

    def keep(self, holds: Any) -> None:
        self.worlds = {world: chance for world, chance in self.worlds.items() if holds(world)}

    def says(self, rack: Tiles, announced: list[Any]) -> bool:
        said = list(rack) if self.game.setup.colours else [int(name[0]) for name in rack]
        return sorted(said) == sorted(announced)

    def hear(self, question: int, reader: int, answer: int | str) -> None:
        if reader != self.seat:
            self.keep(lambda world: self.answered(world, question, reader) == answer)

    def answered(self, world: World, question: int, reader: int) -> int | str:
        racks = [world.own if place == self.seat else rack for place, rack in enumerate(self.racks)]
        codes = [code_of(map(tile_named, rack)) for rack in racks]
        return answer_name(question, answer_for(question, codes, reader, self.game.setup.at_least))

    def refill(self, place: int, out: list[str] | None, content: Tiles | None) -> None:
        threshold = self.game.setup.refresh
        after: Worlds = defaultdict(float)
        for world, chance in self.worlds.items():
            gone = world.own if place == self.seat else self.racks[place]
            if out is not None and tuple(sorted(out)) != gone:
                continue
            draw, away = world.draw, more(world.away, gone)
            if threshold and len(draw) <= threshold:
                draw, away = more(draw, away), ()
            for (tiles, pile, rest), part in drawn(draw, away, 3).items():
                if content is not None and tiles != content:
                    continue
                if place == self.seat:
                    after[World(tiles, pile, rest, (*world.past, gone))] += chance * part
                else:
                    after[world._replace(draw=pile, away=rest)] += chance * part
        self.worlds = after
        if place != self.seat:
            self.racks[place] = content

    def law(self) -> Worlds:
        """The worlds with their chances."""
        total = sum(self.worlds.values())
        return {world: chance / total for world, chance in self.worlds.items()}

    def odds(self) -> dict[str, float]:
        """The chance of each announcement that may be right."""
        sums: dict[str, float] = defaultdict(float)
        for world, chance in self.law().items():
            code = code_of(map(tile_named, world.own))
            if self.game.setup.colours:
                sums[RACK_NAMES[RACK_INDEX[code]]] += chance
            else:
                sums[NUMBER_NAMES[NUMBER_INDEX[code]]] += chance
        return sums
