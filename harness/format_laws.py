"""The laws of a tournament format, as a function that any test calls: `check_format(config)`.

Matches are not played: their records are `harness.made_up`.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from harness import formats
from harness.conduct import Suspension, count, suspensions
from harness.config_values import RunConfig
from harness.made_up import Play, made_up
from harness.records import MatchRecord, MatchSpec

MOST_ROUNDS = 2_000
"""Rounds after which a format is taken never to end, unless the caller knows better."""


class BrokenFormat(AssertionError):
    """A format broke a law; the message names it and shows where."""


class Trace(NamedTuple):
    """A schedule that was followed to its end."""

    rounds: list[list[MatchSpec]]
    records: list[list[MatchRecord]]

    @property
    def specs(self) -> list[MatchSpec]:
        """Every match in order."""
        return list(itertools.chain.from_iterable(self.rounds))


def check_format(config: RunConfig, play: Play | None = None, *, most_rounds: int = MOST_ROUNDS) -> Trace:
    """Hold the config's format to all laws; raises BrokenFormat, returns the schedule that came about.

    `play` makes the records; without it bots are stronger the earlier they stand in the config.
    """
    plan = formats.plan(config)
    play = play or made_up(config)
    first = follow(config, play, most_rounds)
    _ids_ascend(first)
    _seats_filled(config, first)
    _sets_whole(first)
    _nothing_twice(first)
    _suspended_rest(config, first)
    again = follow(config, play, most_rounds)
    _law(again.rounds == first.rounds, "the same records make the same schedule")
    _as_planned(config, plan, first)
    _replayed(config, first)
    for option in getattr(formats.load(config.format), "MAY_GROW", ()):
        _grows(config, option, play, first, most_rounds)
    slow = follow(config, lambda spec: _elsewhere(play(spec)), most_rounds)
    _law(slow.rounds == first.rounds, "clocks, workers and attempts change nothing")
    return first


def follow(config: RunConfig, play: Play, most_rounds: int = MOST_ROUNDS) -> Trace:
    """Go through the whole schedule."""
    trace = Trace([], [])
    schedule = formats.schedule(config)
    specs = next(schedule, None)
    while specs is not None:
        trace.rounds.append(list(specs))
        trace.records.append([play(spec) for spec in trace.rounds[-1]])
        _law(bool(trace.rounds[-1]), f"round {len(trace.rounds)} has a match")
        _law(len(trace.rounds) <= most_rounds, f"the schedule ends within {most_rounds} rounds")
        try:
            specs = schedule.send(trace.records[-1])
        except StopIteration:
            break
    return trace


def _law(holds: bool, law: str) -> None:
    if not holds:
        raise BrokenFormat(f"expected that {law}")


def _ids_ascend(trace: Trace) -> None:
    ids = [spec.id for spec in trace.specs]
    for before, after in itertools.pairwise(ids):
        _law(before < after, f"ids ascend and are different, got {before} before {after}")


def _seats_filled(config: RunConfig, trace: Trace) -> None:
    """Every seat is filled by a bot of the event that plays the game."""
    for table in formats.tables(config):
        bots = set(table.bots)
        for spec in trace.specs:
            if (spec.game, spec.rules) == table.game:
                _law(
                    len(spec.seats) == len(table.sides) and set(spec.seats) <= bots,
                    f"{spec.id} has a bot of {table.game.name} in each of {len(table.sides)} seats",
                )


def _sets_whole(trace: Trace) -> None:
    """A set is one deal of the same bots, stands together, and has each of them in every seat as often."""
    for specs in trace.rounds:
        names = [name for name, _ in itertools.groupby(specs, key=lambda spec: spec.set_id)]
        _law(len(set(names)) == len(names), "the matches of a set stand together")
        for name, group in itertools.groupby(specs, key=lambda spec: spec.set_id):
            deal_set = list(group)
            _law(
                len({(s.game, s.rules, s.deal, s.luck, s.line_up) for s in deal_set}) == 1,
                f"{name} is one deal",
            )
            _law(
                len({frozenset(s.seats) for s in deal_set}) == 1, f"all bots of {name} are in all its matches"
            )
            if len(set(deal_set[0].seats)) > 1:
                sits = Counter((seat, bot) for s in deal_set for seat, bot in enumerate(s.seats))
                seats, bots = len(deal_set[0].seats), set(deal_set[0].seats)
                counts = {sits[seat, bot] for seat in range(seats) for bot in bots}
                _law(len(counts) == 1, f"every bot of {name} sits in every seat equally often")


def _suspended_rest(config: RunConfig, trace: Trace) -> None:
    """Who is suspended does not play on; the round that was on when it was decided is played to its end."""
    for stop in suspended(config, trace):
        for spec in trace.specs:
            if (spec.game, spec.rules) == stop.game and spec.round > stop.round + 1:
                _law(
                    stop.bot not in {ref.name for ref in spec.seats},
                    f"{stop.bot} is suspended after round {stop.round} and not in {spec.id}",
                )


def suspended(config: RunConfig, trace: Trace) -> list[Suspension]:
    """Who is suspended in the course of a schedule."""
    return suspensions(formats.rule(config), count(_all(trace)))


def _nothing_twice(trace: Trace) -> None:
    """No match is another one again: that would look like evidence and be none."""
    seen: dict[tuple[object, ...], str] = {}
    for spec in trace.specs:
        if len(set(spec.seats)) > 1:
            key = (spec.game, spec.rules, spec.deal, spec.seats)
            _law(key not in seen, f"{spec.id} is not {seen.get(key)} again: {spec.deal}, the same seats")
            seen[key] = spec.id


def _as_planned(config: RunConfig, plan: formats.Plan, trace: Trace) -> None:
    """Counts are what the plan says, or less where it says that they are the most.

    A plan is for all bots: where some are suspended, only the deals are those of the plan.
    """
    fewer = {stop.game for stop in suspended(config, trace)}
    for game in plan.games:
        mine = [spec for spec in trace.specs if (spec.game, spec.rules) == game.game]
        extent = game.extent
        sets = {spec.set_id for spec in mine}
        deals = len({spec.deal for spec in mine})
        if game.game in fewer:
            _law(deals <= extent.deals, f"{deals} deals are at most {extent.deals}, as planned")
            continue
        if extent.at_most:
            _law(len(mine) <= extent.matches, f"{len(mine)} matches are at most {extent.matches}, as planned")
            _law(len(sets) <= extent.sets, f"{len(sets)} sets are at most {extent.sets}, as planned")
        else:
            _law(len(mine) == extent.matches, f"{len(mine)} matches are {extent.matches}, as planned")
            _law(len(sets) == extent.sets, f"{len(sets)} sets are {extent.sets}, as planned")
        _law(len({spec.line_up for spec in mine if spec.round}) <= extent.line_ups, "line-ups are as planned")
        _law(deals <= extent.deals, f"{deals} deals are at most {extent.deals}, as planned")
        played = Counter(ref.name for spec in mine for ref in set(spec.seats))
        for name, most in extent.per_bot.items():
            if extent.at_most or extent.shares_open:
                _law(played[name] <= most, f"{name} plays {played[name]} of at most {most} matches")
            else:
                _law(played[name] == most, f"{name} plays {played[name]} of {most} matches")
    _law(
        formats.scheduled(config, _all(trace)) == (len(trace.specs), True), "all that is scheduled is counted"
    )


def _replayed(config: RunConfig, trace: Trace) -> None:
    """From stored records, lazily given, comes the same schedule; and from some of them its beginning."""
    stored = {spec.id: record for spec, record in zip(trace.specs, _all(trace), strict=True)}
    _law(follow(config, lambda spec: stored[spec.id]).rounds == trace.rounds, "stored records lead on")
    schedule = formats.schedule(config)
    specs = next(schedule)
    for number, round_specs in enumerate(trace.rounds):
        # An interrupted run asks for a round's matches more than once, and for part of them.
        head = list(itertools.islice(specs, len(round_specs) // 2))
        _law(head == round_specs[: len(head)], f"round {number + 1} begins as it did")
        _law(list(specs) == round_specs[len(head) :], f"round {number + 1} goes on as it did")
        try:
            specs = schedule.send(_Once(trace.records[number]))
        except StopIteration:
            _law(number + 1 == len(trace.rounds), "the schedule ends where it did")


def _grows(config: RunConfig, option: str, play: Play, first: Trace, most_rounds: int) -> None:
    """With more of what may grow, the schedule of one game begins as it did: a run goes on with it."""
    value, sets = config.format_options[option], formats.plan(config).sets
    if type(value) is not int or len(config.games) > 1:
        return  # deals that are positions of a file; games that take turns

    def raised(by: int) -> RunConfig:
        return replace(config, format_options={**config.format_options, option: value + by})

    more = next((by for by in range(1, MOST_ROUNDS) if formats.plan(raised(by)).sets > sets), None)
    if more is None:
        if config.positions is not None:
            return  # there is enough for every position already
        raise BrokenFormat(f"expected that more {option} means more deal sets")
    before, after = first.specs, follow(raised(more), play, most_rounds + more).specs
    law = f"with {option} = {value + more} the schedule begins as with {value}"
    _law(after[: len(before)] == before, law)


class _Once:
    """Records that are made when they are gone through, as a store's are."""

    def __init__(self, records: Sequence[MatchRecord]) -> None:
        self._records = records

    def __iter__(self) -> Iterator[MatchRecord]:
        return (replace(record) for record in self._records)


def _all(trace: Trace) -> list[MatchRecord]:
    return list(itertools.chain.from_iterable(trace.records))


def _elsewhere(record: MatchRecord) -> MatchRecord:
    """The same match, played by somebody else at another time."""
    turn = int(hashlib.blake2b(record.spec.id.encode(), digest_size=4).hexdigest(), 16)
    seats = tuple(replace(seat, cpu_ms=turn % 997, cpu_ms_max=turn % 97) for seat in record.seats)
    return replace(record, seats=seats, attempt=1 + turn % 3, wall_ms=turn % 9973, worker=f"node{turn % 7}")
