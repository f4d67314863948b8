"""The schedule of a whole event: what its formats ask for, game by game in turn, as matches with ids."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from itertools import chain, groupby

from harness.conduct import Conduct, Round
from harness.config_values import GameEntry, RunConfig
from harness.formats.core.format import DealSet, OneGame, RoundResults, Summary, Table, load
from harness.positions import deal_of
from harness.records import MatchRecord, MatchSpec, Suspend


def tables(config: RunConfig) -> list[Table]:
    """One table for each game of the event."""
    options = load(config.format).Options.of(config.format_options)
    event = tuple(bot.ref.name for bot in config.bots)
    dealt = None if config.positions is None else len(config.positions.lines)
    found = []
    for entry in config.games:
        game = entry.load()
        refs = tuple(bot.ref for bot in config.bots if bot.plays(game))
        found.append(Table(entry, game.sides, refs, options, event, rule(config), dealt))
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


def self_play(config: RunConfig, table: Table) -> Iterator[DealSet]:
    """Every bot in all seats at once, each deal twice: if its play can be repeated, the two are one match."""
    for deal in range(self_play_deals(config)):
        for bot in table.bots:
            yield DealSet(0, (bot,), deal, ((0,) * len(table.sides),) * 2)


def self_play_deals(config: RunConfig) -> int:
    """As many as the config asks for and its positions allow."""
    positions = config.positions
    asked = config.self_play or 0
    return asked if positions is None else min(asked, len(positions.lines))


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


def summaries(config: RunConfig, records: Iterable[MatchRecord]) -> dict[GameEntry, Summary]:
    """Standings of the format's own, by game, where it has any; `records` are gone through for each game.

    Self-play, which comes before the format's first round, is not among what it sees.
    """
    summary = getattr(load(config.format), "summary", None)
    if summary is None:
        return {}
    return {table.game: summary(table, OneGame(records, table.game)) for table in tables(config)}
