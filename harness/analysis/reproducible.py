"""Whether bots play the same match twice alike: two plays of equal specs must be equal, move by move.

A bot draws luck only from the generator it is given, which is the same for the same seat of the same deal. So
a bot that plays itself on a deal twice makes one match twice. One that does not looks at a clock, draws from
a generator that others use too, or remembers earlier matches: its results cannot be reproduced, and a deal
set that it plays against itself does not cancel.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import engines
from engines.core.game import Game
from harness import positions, store
from harness.records import BotRef, MatchRecord, MatchSpec

FIRST_ROUND: Final = "000001"
"""Ids below this are of round 0, in which every bot plays itself."""


class Divergence(NamedTuple):
    """Where two plays of the same match part."""

    matches: tuple[str, str]
    """Their ids."""
    deal: str
    ply: int
    """How many moves were the same."""
    seat: int
    """Who then moved; -1 where it was over in one of them or the moves are the same and the end is not."""
    moves: tuple[str, str]
    """What was played then, by name; `the end` where there was nothing more."""

    def __str__(self) -> str:
        where = f"on deal {self.deal}, after {self.ply} equal moves"
        who = f"seat {self.seat} played" if self.seat >= 0 else "came"
        first, second = self.moves
        return f"{where}, {who} {first}, then {second} (matches {self.matches[0]} and {self.matches[1]})"


class Repeated(NamedTuple):
    """What came of one bot's playing itself at one game."""

    game: str
    rules: str
    bot: BotRef
    plays: int
    """How many matches were played a second time."""
    apart: int
    """How many of them came out otherwise."""
    first: Divergence | None
    """The first divergence; None where the bot is reproducible."""

    def data(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "game": self.game,
            "rules": self.rules,
            "bot": self.bot.name,
            "version": self.bot.version,
            "reproducible": self.first is None,
            "plays": self.plays,
            "apart": self.apart,
            "first": self.first._asdict() if self.first else None,
        }

    def __str__(self) -> str:
        times = f"{self.plays} matches at {self.game} against itself, each played twice"
        if self.first is None:
            return f"{self.bot.name} is reproducible: {times}"
        return f"{self.bot.name} is not reproducible: {self.apart} of {times}, differed; first {self.first}"


def check(records: Iterable[MatchRecord]) -> list[Repeated]:
    """Compare all plays of equal specs among `records`, in their order; those without an equal are left out.

    A divergence counts against the bot that moved, else against all bots of that match.
    """
    plays: dict[tuple[object, ...], MatchRecord] = {}
    found: dict[tuple[str, str, BotRef], Repeated] = {}
    for record in records:
        spec = record.spec
        first = plays.setdefault((spec.game, spec.rules, spec.deal, spec.seats), record)
        if first is record:
            continue
        parted = divergence(first, record)
        blamed = {spec.seats[parted.seat]} if parted and parted.seat >= 0 else set(spec.seats)
        for bot in dict.fromkeys(spec.seats):
            key = (spec.game, spec.rules, bot)
            old = found.get(key, Repeated(*key, 0, 0, None))
            mine = parted if bot in blamed else None
            found[key] = old._replace(
                plays=old.plays + 1, apart=old.apart + (mine is not None), first=old.first or mine
            )
    return list(found.values())


def divergence(first: MatchRecord, second: MatchRecord) -> Divergence | None:
    """Where two plays of one spec part; None where they are equal."""
    ids, deal = (first.spec.id, second.spec.id), first.spec.deal
    turns = [list(zip(record.move_seats, record.moves, strict=True)) for record in (first, second)]
    for ply, (one, other) in enumerate(itertools.zip_longest(*turns)):
        if one != other:
            table = engines.load(first.spec.game, **json.loads(first.spec.rules)).table
            names = ["the end" if turn is None else table[turn[1]].name for turn in (one, other)]
            seat = -1 if one is None or other is None else one[0]
            return Divergence(ids, deal, ply, seat, (names[0], names[1]))
    ends = [_end(record) for record in (first, second)]
    return None if ends[0] == ends[1] else Divergence(ids, deal, len(turns[0]), -1, (ends[0], ends[1]))


def _end(record: MatchRecord) -> str:
    faults = [f"seat {n}: {f.kind}" for n, seat in enumerate(record.seats) for f in seat.faults]
    scores = ", ".join(f"{seat.score:g}" for seat in record.seats)
    return f"{record.status} ({scores})" + (f" [{'; '.join(faults)}]" if faults else "")


def of_run(folder: Path) -> list[Repeated]:
    """What the self-play of a stored run shows; empty where there was none."""
    return check(store.open(folder).records("", FIRST_ROUND))


def distinct_deals(game: Game[Any, Any], specs: Iterable[MatchSpec]) -> int:
    """How many different positions these matches start from; their luck, which is to come, aside.

    Small games have few deals, so a long run meets some of them again.
    """
    return len({_start(game, spec) for spec in specs})


def _start(game: Game[Any, Any], spec: MatchSpec) -> str:
    state = game.position(positions.start(game, spec))["state"]
    return json.dumps({key: value for key, value in state.items() if key != "luck"}, sort_keys=True)
