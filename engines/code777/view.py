"""What one seat knows of a game: `Code777View`, and the entries of its log."""

from __future__ import annotations

from enum import Enum
from itertools import chain
from typing import NamedTuple

from engines.code777.moves import Move
from engines.code777.record import ANNOUNCED, ASKED, REFILLED
from engines.code777.tiles import CODES, RACKS, Tile, expanded, numbers_of, tiles_of
from engines.core.game import View

Rack = tuple[Tile, ...]


class Phase(Enum):
    """What is being decided."""

    WINDOW = "WINDOW"
    """Whether to announce (CO-9)."""
    RACK = "RACK"
    """Which ownerless rack is emptied after a right announcement (CO-14)."""


class Asked(NamedTuple):
    """A question and its answer."""

    question: int
    """1 to 23."""
    reader: int
    """The seat that answered, by all racks but its own (CO-8)."""
    answer: int
    """A count, or for questions from 12 on LEFT 0, EQUAL 1, RIGHT 2."""
    racks: tuple[Rack | None, ...]
    """All racks as they stood; None for the own rack where it was never shown."""


class Announced(NamedTuple):
    """An announcement, settled."""

    seat: int
    numbers: tuple[int, ...]
    """The numbers announced, ascending."""
    tiles: Rack | None
    """The tiles announced where colours count (A58), else None."""
    right: bool


class Refilled(NamedTuple):
    """A rack emptied and filled again."""

    rack: int
    out: Rack | None
    """The tiles that left it; None for the own rack after a wrong announcement (CO-15)."""
    pile: int
    """Tiles left in the draw pile."""
    refresh: bool
    """Whether all tiles out of play went back to the pile (CO-16)."""


class Code777Fields(NamedTuple):
    """The fields of a view. Racks are codes and multisets counts, as tiles.py packs them; the view's
    properties give tiles.
    """

    seat: int
    """Whose view it is."""
    turn: int
    """The seat to move, -1 when the game is over."""
    phase: Phase
    """Whether announcements are asked for, or the reader chooses an ownerless rack."""
    racks: tuple[int, ...]
    """The code of every rack; 0 for the own one, unless the winning announcement has shown it."""
    draw: int
    """How many tiles the draw pile has."""
    away: int
    """How many tiles are out of play."""
    refills: tuple[int, ...]
    """How often each rack has been refilled."""
    stack: int
    """How many question cards are still to be turned up in this pass."""
    asked: tuple[int, ...]
    """The questions turned up in this pass, the open one last."""
    reader: int
    """Who reads the open question."""
    done: tuple[int, ...]
    """The seats that announced in this window, as they were settled."""
    sealed: tuple[int, ...]
    """The seats whose choice is sealed: in this pass so far, or announced and not yet settled."""
    choice: int
    """This seat's own sealed move, -1 where it has none."""
    question: int
    """The open question, 0 before the first."""
    answer: int
    """Its answer, as in `Asked`; -1 before the first."""
    scores: tuple[int, ...]
    """Points of each seat."""
    asked_total: int
    """How many questions have been asked in the game."""
    pages: tuple[tuple[int, ...], ...]
    """The public log as words of record.py, 64 to a page, so that views share full pages; `log` reads it."""
    tiles: int
    """Counts of all tiles in the game: the full set, unless it began from a position with fewer."""
    cards: int
    """Mask of the question cards in the game (bit q is question q)."""
    refresh: int
    """The game's `refresh`: when the tiles out of play come back (CO-16)."""
    colours: bool
    """Whether announcements name colours (A58)."""
    at_least: bool
    """Whether question 2 asks for 12 or more (A49)."""


class Code777View(Code777Fields, View[Move]):
    """All that one seat has been allowed to learn: what it sees now, and the log."""

    __slots__ = ()

    @property
    def seen(self) -> tuple[Rack | None, ...]:
        """The tiles on every rack; None for the own one."""
        return tuple([tiles_of(code) if code else None for code in self.racks])

    @property
    def record(self) -> tuple[int, ...]:
        """The words of all pages, oldest first; what left the own rack is in them only where it was shown."""
        return tuple(chain.from_iterable(self.pages))

    @property
    def log(self) -> tuple[Asked | Announced | Refilled, ...]:
        """Everything that has been asked, announced and refilled, oldest first."""
        racks = list(self.racks)
        entries: list[Asked | Announced | Refilled] = []
        for word in reversed(self.record):
            entries.append(self._entry(word, racks))
            if word & 3 == REFILLED:
                racks[word >> 2 & 7] = word >> 11
        return tuple(reversed(entries))

    def _entry(self, word: int, racks: list[int]) -> Asked | Announced | Refilled:
        if word & 3 == ASKED:
            stood = tuple([tiles_of(code) if code else None for code in racks])
            return Asked(word >> 2 & 31, word >> 7 & 7, word >> 10, stood)
        if word & 3 == ANNOUNCED:
            place, right = word >> 6, bool(word & 32)
            if self.colours:
                return Announced(word >> 2 & 7, numbers_of(RACKS[place]), tiles_of(RACKS[place]), right)
            return Announced(word >> 2 & 7, CODES[place], None, right)
        out = tiles_of(word >> 11) if word >> 11 else None
        return Refilled(word >> 2 & 7, out, word >> 6 & 31, bool(word & 32))

    @property
    def own_past(self) -> tuple[Rack | None, ...]:
        """The own former racks, oldest first: their tiles where a right announcement showed them (CO-15)."""
        own = REFILLED | self.seat << 2
        outs = [word >> 11 for word in self.record if word & 31 == own]
        return tuple([tiles_of(code) if code else None for code in outs])

    @property
    def known_away(self) -> Rack:
        """The tiles known to be out of play until the next refresh, in list order (CO-7)."""
        counts = 0
        for word in self.record:
            if word & 3 == REFILLED:
                if word & 32:
                    counts = 0
                elif word >> 11:
                    counts += sum(1 << 4 * tile for tile in tiles_of(word >> 11))
        return expanded(counts)

    @property
    def unseen(self) -> Rack:
        """The tiles that this seat neither sees nor knows to be out of play, in list order (CO-7).

        The own rack, the draw pile and the unknown tiles out of play come from these.
        """
        counts = self.tiles
        for code in self.racks:
            counts -= sum(1 << 4 * tile for tile in tiles_of(code)) if code else 0
        return expanded(counts - sum(1 << 4 * tile for tile in self.known_away))
