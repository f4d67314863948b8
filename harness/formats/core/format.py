"""What a format is: what its module has, the table that it is given, what it yields and what it is sent."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, cast

from engines.core.errors import choices_hint
from engines.core.rules import Rules
from harness.conduct import Conduct
from harness.config_values import GameEntry
from harness.records import BotRef, MatchRecord, Suspend
from harness.seating import Seating

RoundResults = Iterable[MatchRecord]
"""The records of a round in schedule order. Lazy: a format that does not look at them need not wait."""

MAX_SETS = 999_999
"""Deal sets in one round, and rounds in one run: what six digits of a match id hold."""

_PACKAGE: Final = "harness.formats"
_FOLDER: Final = Path(__file__).parents[1]
_NOT_FORMATS: Final = ("core",)


class Format(Protocol):
    """What a format's module has."""

    Options: type[Rules]

    def rounds(self, table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
        """The rounds; every round lazily, and the same whenever it is asked for."""
        ...

    def plan(self, table: Table) -> Extent:
        """How much it will play. Raises Unservable for a table that it cannot serve."""
        ...


class DealSet(NamedTuple):
    """One deal, to be played by one line-up in every seating that the format asks for."""

    line_up: int
    """The line-up's number within its game, from 1."""
    bots: tuple[BotRef, ...]
    """Who meets."""
    deal: int
    """The deal's number, from 0."""
    seatings: tuple[Seating, ...]
    """For every match, for every seat, an index into `bots`."""


@dataclass(frozen=True)
class Table:
    """One game of an event as its format sees it."""

    game: GameEntry
    sides: tuple[int, ...]
    """One entry a seat; seats with the same number play together."""
    bots: tuple[BotRef, ...]
    """Those that play this game, in the order of the config."""
    options: Any
    """The format's own Options."""
    event: tuple[str, ...] = ()
    """The names of all bots of the event, also of those that do not play this game."""
    suspend: Suspend = field(default_factory=Suspend)
    """When a bot plays no later rounds."""
    positions: int | None = None
    """How many deals there are before they begin again, where they come from a file; None: no end of them."""

    def without(self, names: Collection[str]) -> Table:
        """The table when these bots have left it."""
        return replace(self, bots=tuple(ref for ref in self.bots if ref.name not in names))


class Extent(NamedTuple):
    """What a format's `plan` says of one table."""

    line_ups: int
    deals: int
    sets: int
    matches: int
    per_bot: dict[str, int]
    """Matches in which each bot sits."""
    at_most: bool = False
    """Whether results decide how much is played: then all counts are the most that it can be."""
    notes: tuple[str, ...] = ()
    """What a user should know beforehand, one line each."""
    shares_open: bool = False
    """Whether results decide how much of it each bot plays: then `per_bot` is the most."""


class Summary(NamedTuple):
    """Standings of a format's own, below the ranking: a table and what it means."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    """What the columns mean and how ties were broken, one line each."""


class Unservable(ValueError):
    """A table that a format cannot serve, because of what `key` of the config says."""

    def __init__(self, text: str, key: str = "bots") -> None:
        super().__init__(text)
        self.key = key


class OneGame:
    """The results of one game, self-play aside: its records, which can be gone through again."""

    def __init__(self, results: RoundResults, game: GameEntry, conduct: Conduct | None = None) -> None:
        self.results = results
        self.game = game
        self._conduct = conduct

    def __iter__(self) -> Iterator[MatchRecord]:
        for record in self.results:
            if (record.spec.game, record.spec.rules) == self.game and record.spec.round:
                yield record

    @property
    def suspended(self) -> Collection[str]:
        """The names of all bots that play no more; look at the records first, if they are looked at."""
        return self._conduct.suspended(self.game) if self._conduct else ()


def available() -> list[str]:
    """The names of all formats: the folder is the registry."""
    found = pkgutil.iter_modules([str(_FOLDER)])
    return sorted(module.name for module in found if module.name not in _NOT_FORMATS)


def load(name: str) -> Format:
    """The format of that name; raises ValueError with the known ones."""
    if name not in available():
        raise ValueError(f"unknown format {name!r}, {choices_hint(name, available())}")
    return cast("Format", importlib.import_module(f"{_PACKAGE}.{name}"))
