"""Tournament formats, one file each, and the schedule that they make for a whole event.

A format is a module with `Options` (a Rules dataclass), `rounds(table)` and `plan(table)`. `rounds` is a
generator: it yields a round of deal sets, lazily, and is sent that round's results: its records, and who is
suspended from now on. It sees a table (who plays, which options) and results, never clocks, so a run is
continued by running the generator again. Deal sets with suspended bots are left out of what it yields.
One whose results mean more than a ranking also has `summary(table, records)`. `TIMED` names the option that
the amount of play is proportional to, for `--time`; `TYPICAL` are options with which the plan says what a run
usually takes, where it is less than the most. `MAY_GROW` names options that a run goes on with when they are
raised: the schedule begins as it did then, and the plan grows. `STEERS` says of others why a run cannot go on
with another value, in a line. `check_format` in format_laws.py holds a format to all this.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from engines.core.errors import choices_hint
from engines.core.rules import Rules
from harness.conduct import Conduct, Round, counts_of, suspensions
from harness.config_values import GameEntry, RunConfig
from harness.luck import guessable
from harness.positions import deal_of
from harness.records import BotRef, MatchRecord, MatchSpec, Suspend
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
    suspend: Suspend = field(default_factory=Suspend)
    """When a bot plays no later rounds."""

    def without(self, names: Collection[str]) -> Table:
        """The table when these bots have left it."""
        return replace(self, bots=tuple(ref for ref in self.bots if ref.name not in names))


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

    def rounds(self, table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
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
    event = tuple(bot.ref.name for bot in config.bots)
    found = []
    for entry in config.games:
        game = entry.load()
        refs = tuple(bot.ref for bot in config.bots if bot.plays(game))
        found.append(Table(entry, game.sides, refs, options, event, rule(config)))
    return found


def rule(config: RunConfig) -> Suspend:
    """When bots of this event are suspended; never where the format goes without that."""
    return config.suspend if getattr(load(config.format), "SUSPENDS", True) else Suspend(faults=1.0)


def schedule(config: RunConfig) -> Generator[Iterable[MatchSpec], RoundResults | None, None]:
    """Every match of the event: each round has one round of every game, its deal sets taken in turn.

    Ids count rounds, deal sets within the round and seatings within the set, all from 1, so that the
    order of ids is the order of play. Round 0 is `self_play`, which no format sees.
    """
    if config.self_play:
        yield numbered(config, 0, [(table, self_play(config, table)) for table in tables(config)])
    games = [(table, load(config.format).rounds(table)) for table in tables(config)]
    conduct = Conduct(rule(config))
    played: Round | None = None
    number = 0
    while True:
        round_sets: list[tuple[Table, Iterable[DealSet]]] = []
        going = []
        for table, rounds in games:
            try:
                sets = next(rounds) if played is None else rounds.send(OneGame(played, table.game, conduct))
            except StopIteration:
                continue
            if out := conduct.suspended(table.game):
                sets = _without(sets, out)
            round_sets.append((table, sets))
            going.append((table, rounds))
        if not going:
            return
        games = going
        if conduct.suspensions:
            round_sets = [found for found in map(_begun, round_sets) if found]
        if not round_sets:
            played = Round(())  # all that this round had was with suspended bots
            continue
        number += 1
        results = yield numbered(config, number, round_sets)
        played = Round(() if results is None else results)  # None where somebody only lists the rounds
        conduct.take(played)


def _without(sets: Iterable[DealSet], names: Collection[str]) -> Iterator[DealSet]:
    """The deal sets in which none of these bots plays."""
    return (found for found in sets if not any(ref.name in names for ref in found.bots))


def _begun(round_sets: tuple[Table, Iterable[DealSet]]) -> tuple[Table, Iterable[DealSet]] | None:
    """The same, where there is anything in it."""
    table, sets = round_sets[0], iter(round_sets[1])
    first = next(sets, None)
    return None if first is None else (table, chain([first], sets))


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
    """Matches of the whole run; the most that it can be while results have yet to decide that.

    `records` are gone through more than once.
    """
    planned = plan(config)
    if any(game.at_most for game in planned.games) or suspensions(rule(config), counts_of(records)):
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
    if guessable(config.seed) and any(bot.source.kind == "submitted" for bot in config.bots):
        notes.append(
            f"seed {config.seed} can be guessed, and who knows it knows every card: where strangers play, "
            f'have one drawn, seed = "random" (docs/isolation.md)'
        )
    return Plan(tuple(games), tuple(notes))
