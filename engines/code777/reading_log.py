"""Reading the log of a position: each entry, and that the racks in it follow from each other.

A log may begin late or lack entries, but what it has must fit: walking back from the racks of the
position, a rack changes only by a refill, and what left it is what stood there before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.code777.options import Setup
from engines.code777.questions import WORDS, answer_for, answer_name, answer_range
from engines.code777.record import REFILLED, announced_word, asked_word, refilled_word
from engines.code777.tiles import (
    CODES,
    NUMBER_INDEX,
    RACK_INDEX,
    TILES,
    code_of,
    names_of,
    tile_named,
    tiles_of,
)
from engines.core.errors import choices_hint
from engines.core.position import Reader

_KEYS = (
    ("q", "reader", "answer", "racks"),
    ("announce", "seat", "right"),
    ("refill", "out", "pile", "refresh"),
)


def read_log(reader: Reader, setup: Setup, racks: list[int], finished: bool) -> list[int]:
    """The words of the log, oldest first; `racks` are those of the position."""
    entries = reader.items("log", None, [])
    return LogReading(reader, setup, list(racks), finished).words(entries)


class LogReading:
    """A log being read, newest entry first, with the racks as they stood after each."""

    def __init__(self, reader: Reader, setup: Setup, racks: list[int], finished: bool) -> None:
        self.reader = reader
        self.fail = reader.fail
        self.setup = setup
        self.racks = racks
        self.finished = finished
        self.newer: int | None = None
        """The word of the entry after the one that is read."""
        self.piles: tuple[int, bool] | None = None
        """Pile and refresh of the next refill after it."""

    def words(self, entries: list[Any]) -> list[int]:
        """All entries as words."""
        words: list[int] = []
        for index in range(len(entries) - 1, -1, -1):
            self.newer = self.entry(f"log[{index}]", entries[index])
            words.append(self.newer)
        return words[::-1]

    def entry(self, key: str, entry: Any) -> int:
        """One entry's word."""
        if not isinstance(entry, Mapping):
            self.fail(key, f"expected an object, got {entry!r}")
        keys = next((keys for keys in _KEYS if keys[0] in entry), None)
        if keys is None:
            self.fail(key, f"expected a key {', '.join(names[0] for names in _KEYS)}, got {sorted(entry)}")
        for name in keys:
            if name not in entry:
                self.fail(f"{key}.{name}", "is missing")
        for name in entry:
            if name not in keys:
                self.fail(f"{key}.{name}", f"unknown key, {choices_hint(str(name), keys)}")
        if keys[0] == "q":
            return self.asked(key, entry)
        return self.announced(key, entry) if keys[0] == "announce" else self.refilled(key, entry)

    def rack(self, key: str, value: Any) -> int:
        """The code of three tiles."""
        code = code_of(self.reader.each(key, self.reader.listed(key, value, 3), tile_named))
        if RACK_INDEX[code] < 0:
            self.fail(key, f"the tiles do not allow a rack of {', '.join(names_of(tiles_of(code)))}")
        return code

    def asked(self, key: str, entry: Mapping[str, Any]) -> int:
        """A question: its racks are those that stood, its answer the true one."""
        question = self.reader.whole(f"{key}.q", entry["q"], 1, 23)
        reader = self.reader.whole(f"{key}.reader", entry["reader"], 0, self.setup.seats - 1)
        rows = self.reader.listed(f"{key}.racks", entry["racks"], self.setup.racks)
        for place, row in enumerate(rows):
            if self.rack(f"{key}.racks[{place}]", row) != self.racks[place]:
                stood = ", ".join(names_of(tiles_of(self.racks[place])))
                self.fail(f"{key}.racks[{place}]", f"expected {stood} by what follows, got {row}")
        if question >= 12:
            answer = WORDS.index(self.reader.word(f"{key}.answer", entry["answer"], WORDS))
        else:
            most = answer_range(question, self.setup.racks - 1)
            answer = self.reader.whole(f"{key}.answer", entry["answer"], *most)
        true = answer_for(question, self.racks, reader, self.setup.at_least)
        if answer != true:
            said = [answer_name(question, value) for value in (true, answer)]
            self.fail(f"{key}.answer", f"question {question} was answered {said[0]!r}, got {said[1]!r}")
        return asked_word(question, reader, answer)

    def announced(self, key: str, entry: Mapping[str, Any]) -> int:
        """An announcement: right if it says what stood, and followed by the refill unless it won."""
        seat = self.reader.whole(f"{key}.seat", entry["seat"], 0, self.setup.seats - 1)
        if type(entry["right"]) is not bool:
            self.fail(f"{key}.right", f"expected true or false, got {entry['right']!r}")
        place = self.announcement(f"{key}.announce", entry["announce"])
        code = self.racks[seat]
        actual = RACK_INDEX[code] if self.setup.colours else NUMBER_INDEX[code]
        if entry["right"] != (actual == place):
            stood = ", ".join(names_of(tiles_of(code)))
            self.fail(f"{key}.right", f"expected {str(actual == place).lower()}: {stood} stood there")
        won = self.newer is None and self.finished and actual == place
        if not won and (self.newer is None or self.newer & 31 != REFILLED | seat << 2):
            self.fail(key, f"the refill of rack {seat} must follow the announcement of seat {seat}")
        return announced_word(seat, actual == place, place)

    def announcement(self, key: str, value: Any) -> int:
        """What was announced, as its place among all announcements."""
        said = self.reader.listed(key, value, 3)
        if self.setup.colours:
            return RACK_INDEX[self.rack(key, said)]
        numbers = tuple(sorted(self.reader.whole(key, number, 1, 7) for number in said))
        if numbers not in CODES:
            self.fail(key, f"the tiles do not allow the numbers {', '.join(map(str, numbers))}")
        return CODES.index(numbers)

    def refilled(self, key: str, entry: Mapping[str, Any]) -> int:
        """A refill: it puts back what stood before; piles shrink by three, or were refreshed."""
        rack = self.reader.whole(f"{key}.refill", entry["refill"], 0, self.setup.racks - 1)
        out = self.rack(f"{key}.out", entry["out"])
        most = sum(tile.copies for tile in TILES) - 3 * self.setup.racks
        pile = self.reader.whole(f"{key}.pile", entry["pile"], 0, most)
        if type(entry["refresh"]) is not bool:
            self.fail(f"{key}.refresh", f"expected true or false, got {entry['refresh']!r}")
        if self.piles is not None and not self.piles[1] and self.piles[0] != pile - 3:
            self.fail(f"{key}.pile", f"expected {self.piles[0] + 3} by the refill that follows, got {pile}")
        self.piles = pile, entry["refresh"]
        self.racks[rack] = out
        return refilled_word(rack, entry["refresh"], pile, out)
