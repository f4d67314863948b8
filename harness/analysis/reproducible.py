"""Whether bots play the same match twice alike: two plays of equal specs must be equal, move by move.

A bot draws luck only from the generator it is given, which is the same for the same seat of the same deal. So
a bot that plays itself on a deal twice makes one match twice. One that does not looks at a clock, draws from
a generator that others use too, or remembers earlier matches: its results cannot be reproduced, and a deal
set that it plays against itself does not cancel.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import engines
from engines.core.game import Game
from harness import positions, store
from harness.config_values import GameEntry, RunConfig
from harness.records import BotRef, MatchRecord, MatchSpec

FIRST_ROUND: Final = "000001"
"""Ids below this are of round 0, in which every bot plays itself."""
CHECKED: Final = "self_play"
"""Where provenance.json has what the check at a run's end has found."""
COMPARED: Final = 400
"""Deals of a game that are compared before a run starts."""


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

    @classmethod
    def of(cls, data: Mapping[str, Any], options: str = "{}") -> Self:
        """From what `data` gave; `options` are the bot's."""
        first = data["first"]
        parted = None
        if first is not None:
            pairs = {name: tuple(first[name]) for name in ("matches", "moves")}
            parted = Divergence(**{**first, **pairs})
        bot = BotRef(data["bot"], data["version"], options)
        return cls(data["game"], data["rules"], bot, data["plays"], data["apart"], parted)

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
    """What the self-play of a stored run shows, or the check at its end; empty where there was none."""
    return check(store.open(folder).records("", FIRST_ROUND)) or checked(folder)


def checked(folder: Path) -> list[Repeated]:
    """What the check at the run's end has found, as its provenance tells it."""
    try:
        found = json.loads((folder / "provenance.json").read_text(encoding="utf-8")).get(CHECKED, [])
        return [Repeated.of(one) for one in found]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []  # `verify` tells of a damaged file


class Deals(NamedTuple):
    """How many deals there are by their numbers, and how many of them are different."""

    numbers: int
    looked_at: int
    """As many from the first on were compared: a deal takes half a millisecond."""
    different: int

    def __str__(self) -> str:
        """`500 deals, 32 different`, `9,000 deals, the first 400 all different`."""
        said = f"{self.numbers:,} deal{'' if self.numbers == 1 else 's'}"
        if self.numbers == 1 or not self.looked_at:
            return said
        first = "" if self.looked_at == self.numbers else f"the first {self.looked_at:,}"
        if self.different == self.looked_at:
            return f"{said}, {f'{first} ' if first else ''}all different"
        return f"{said}, {self.different:,} different{f' among {first}' if first else ''}"


def deals(config: RunConfig, entry: GameEntry, numbers: int, most: int = COMPARED) -> Deals:
    """How many of a run's deals of one game, 0 … numbers-1, are different; of at most `most` of them."""
    game = entry.load()
    looked_at = min(numbers, most)
    found = [positions.deal_of(config, entry.name, number) for number in range(looked_at)]
    starts = {_start(game, deal.luck, deal.position) for deal in found}
    return Deals(numbers, looked_at, len(starts))


def distinct_deals(game: Game[Any, Any], specs: Iterable[MatchSpec]) -> int:
    """How many different positions these matches start from; their luck, which is to come, aside.

    Small games have few deals, so a long run meets some of them again.
    """
    return len({_start(game, spec.luck, spec.position) for spec in specs})


def _start(game: Game[Any, Any], luck: int, position: str) -> str:
    state = game.position(positions.dealt(game, luck, position))["state"]
    return json.dumps({key: value for key, value in state.items() if key != "luck"}, sort_keys=True)
