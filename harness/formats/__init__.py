"""Tournament formats, one file each, and the schedule that they make for a whole event.

A format is a module with `Options` (a Rules dataclass), `rounds(table)` and `plan(table)`. `rounds` is a
generator: it yields a round of deal sets, lazily, and is sent that round's records. It sees a table (who
plays, which options) and records, never clocks, so a run is continued by running the generator again.
One whose results mean more than a ranking also has `summary(table, records)`. `TIMED` names the option that
the amount of play is proportional to, for `--time`; `TYPICAL` are options with which the plan says what a run
usually takes, where it is less than the most; `MAY_GROW` those that a run goes on with when they are raised.
`check_format` in
format_laws.py holds a format to all this.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from engines.core.errors import choices_hint
from engines.core.rules import Rules
from harness.config_values import GameEntry, RunConfig
from harness.positions import deal_of
from harness.records import BotRef, MatchRecord, MatchSpec
from harness.seating import Seating

RoundResults = Iterable[MatchRecord]
"""The records of a round in schedule order. Lazy: a format that does not look at them need not wait."""

_NOT_FORMATS = ("core",)

MAX_SETS = 999_999
"""Deal sets in one round, and rounds in one run: what six digits of a match id hold."""


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


class GamePlan(NamedTuple):
    """How much a format will play of one game."""

    game: GameEntry
    bots: tuple[str, ...]
    left_out: tuple[str, ...]
    """Bots of the event that do not play this game."""
    line_ups: int
    deals: int
    sets: int
    matches: int
    per_bot: dict[str, int]
    """Matches in which each bot sits."""
    at_most: bool = False
    """Whether results decide how much is played: then all counts are the most that it can be."""
    notes: tuple[str, ...] = ()
    """What a user should know beforehand of this game, one line each."""
    shares_open: bool = False
    """Whether results decide how much of it each bot plays: then `per_bot` is the most."""


class Plan(NamedTuple):
    """How much a run will play, before anything is played."""

    games: tuple[GamePlan, ...]
    notes: tuple[str, ...]
    """What a user should know beforehand, one line each."""

    @property
    def sets(self) -> int:
        """Deal sets of all games."""
        return sum(game.sets for game in self.games)

    @property
    def matches(self) -> int:
        """Matches of all games."""
        return sum(game.matches for game in self.games)


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


class Format(Protocol):
    """What a format's module has."""

    Options: type[Rules]

    def rounds(self, table: Table) -> Generator[Iterable[DealSet], RoundResults, None]:
        """The rounds; every round lazily, and the same whenever it is asked for."""
        ...

    def plan(self, table: Table) -> Extent:
        """How much it will play. Raises Unservable for a table that it cannot serve."""
        ...


def available() -> list[str]:
    """The names of all formats: the folder is the registry."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return sorted(module.name for module in found if module.name not in _NOT_FORMATS)


def load(name: str) -> Format:
    """The format of that name; raises ValueError with the known ones."""
    if name not in available():
        raise ValueError(f"unknown format {name!r}, {choices_hint(name, available())}")
    return cast("Format", importlib.import_module(f"{__name__}.{name}"))


def tables(config: RunConfig) -> list[Table]:
    """One table for each game of the event."""
    options = load(config.format).Options.of(config.format_options)
    found = []
    for entry in config.games:
        game = entry.load()
        refs = tuple(bot.ref for bot in config.bots if bot.plays(game))
        found.append(Table(entry, game.sides, refs, options, tuple(bot.ref.name for bot in config.bots)))
    return found


def schedule(config: RunConfig) -> Generator[Iterable[MatchSpec], RoundResults, None]:
    """Every match of the event: each round has one round of every game, its deal sets taken in turn.

    Ids count rounds, deal sets within the round and seatings within the set, all from 1, so that the
    order of ids is the order of play. Round 0 is `self_play`, which no format sees.
    """
    if config.self_play:
        yield numbered(config, 0, [(table, self_play(config, table)) for table in tables(config)])
    games = [(table, load(config.format).rounds(table)) for table in tables(config)]
    results: RoundResults | None = None
    number = 0
    while True:
        round_sets: list[tuple[Table, Iterable[DealSet]]] = []
        going = []
        for table, rounds in games:
            try:
                sets = next(rounds) if results is None else rounds.send(OneGame(results, table.game))
            except StopIteration:
                continue
            round_sets.append((table, sets))
            going.append((table, rounds))
        if not going:
            return
        games = going
        number += 1
        results = yield numbered(config, number, round_sets)


def self_play(config: RunConfig, table: Table) -> Iterator[DealSet]:
    """Every bot in all seats at once, each deal twice: if its play can be repeated, the two are one match."""
    for deal in range(_self_play_deals(config)):
        for bot in table.bots:
            yield DealSet(0, (bot,), deal, ((0,) * len(table.sides),) * 2)


def summaries(config: RunConfig, records: Iterable[MatchRecord]) -> dict[GameEntry, Summary]:
    """Standings of the format's own, by game, where it has any; `records` are gone through for each game.

    Self-play, which comes before the format's first round, is not among what it sees.
    """
    summary = getattr(load(config.format), "summary", None)
    if summary is None:
        return {}
    return {table.game: summary(table, OneGame(records, table.game)) for table in tables(config)}


def scheduled(config: RunConfig, records: Iterable[MatchRecord]) -> tuple[int, bool]:
    """How many matches the schedule has named by the end of `records`, and whether those are all of it.

    This is how to know, where results decide how much is played. `records` are in schedule order.
    """
    rounds = groupby(records, key=lambda record: record.spec.round)
    running = schedule(config)
    total = 0
    specs = next(running, None)
    while specs is not None:
        size = sum(1 for _ in specs)
        total += size
        found = list(next(rounds, (0, ()))[1])
        if len(found) < size:
            return total, False
        try:
            specs = running.send(found)
        except StopIteration:
            break
    return total, True


def total(config: RunConfig, records: Iterable[MatchRecord]) -> int:
    """Matches of the whole run; the most that it can be while results have yet to decide that."""
    planned = plan(config)
    if any(game.at_most for game in planned.games):
        found, over = scheduled(config, records)
        return found if over else planned.matches
    return planned.matches


def numbered(
    config: RunConfig, number: int, rounds: Sequence[tuple[Table, Iterable[DealSet]]]
) -> Iterator[MatchSpec]:
    """The matches of round `number`."""
    for count, (table, deal_set) in enumerate(in_turn(rounds), start=1):
        width = max(2, len(str(len(deal_set.seatings))))
        deal = deal_of(config, table.game.name, deal_set.deal)
        for seating, order in enumerate(deal_set.seatings, start=1):
            yield MatchSpec(
                id=f"{number:06}-{count:06}-{seating:0{width}}",
                game=table.game.name,
                rules=table.game.rules,
                deal=deal.address,
                luck=deal.luck,
                round=number,
                line_up=deal_set.line_up,
                seating=seating,
                seats=tuple(deal_set.bots[bot] for bot in order),
                seed=config.seed,
                limits=config.limits,
                position=deal.position,
            )


def in_turn(rounds: Sequence[tuple[Table, Iterable[DealSet]]]) -> Iterator[tuple[Table, DealSet]]:
    """One deal set of every game after the other, until all have run out."""
    going = [(table, iter(sets)) for table, sets in rounds]
    while going:
        left = []
        for table, sets in going:
            for deal_set in sets:
                yield table, deal_set
                left.append((table, sets))
                break
        going = left


class OneGame:
    """The records of one game, self-play aside: an iterable that can be gone through again."""

    def __init__(self, results: RoundResults, game: GameEntry) -> None:
        self.results = results
        self.game = game

    def __iter__(self) -> Iterator[MatchRecord]:
        for record in self.results:
            if (record.spec.game, record.spec.rules) == self.game and record.spec.round:
                yield record


def _label(game: GameEntry, config: RunConfig) -> str:
    """A game's name, with its rules where the event has the game twice."""
    several = sum(other.name == game.name for other in config.games) > 1
    return f"{game.name} {game.rules}" if several and game.rules != "{}" else game.name


def _self_play_deals(config: RunConfig) -> int:
    """As many as the config asks for and its positions allow."""
    positions = config.positions
    asked = config.self_play or 0
    return asked if positions is None else min(asked, len(positions.lines))


def _with_self_play(table: Table, config: RunConfig) -> Extent:
    """What the format plans, and what goes before it."""
    extent, deals = load(config.format).plan(table), _self_play_deals(config)
    return extent._replace(
        sets=extent.sets + deals * len(table.bots),
        matches=extent.matches + 2 * deals * len(table.bots),
        per_bot={name: games + 2 * deals for name, games in extent.per_bot.items()},
    )


def plan(config: RunConfig) -> Plan:
    """How much the run will play; raises Unservable where the format cannot serve a game of the event."""
    games = []
    for table in tables(config):
        playing = tuple(ref.name for ref in table.bots)
        out = tuple(bot.ref.name for bot in config.bots if bot.ref.name not in playing)
        games.append(GamePlan(table.game, playing, out, *_with_self_play(table, config)))
    notes = [
        f"{', '.join(game.left_out)} {'do' if game.left_out[1:] else 'does'} not play "
        f"{_label(game.game, config)}"
        for game in games
        if game.left_out
    ]
    notes += [f"{_label(game.game, config)}: {note}" for game in games for note in game.notes]
    if (dealt := config.positions) and (deals := max(game.deals for game in games)) > len(dealt.lines):
        notes.append(
            f"{deals} deals of {dealt.name}'s {len(dealt.lines)} positions: each comes again, "
            f"the same but for the bots' own luck"
        )
    if config.limits.memory_mb is not None:
        notes.append("limits.memory_mb is not enforced for bots that play in the worker's own process")
    if config.limits.cpu_ms is not None or config.limits.bank_ms is not None:
        notes.append("CPU limits make results depend on the machine; limits.nodes is the repeatable kind")
    return Plan(tuple(games), tuple(notes))
