"""Everybody meets everybody: every set of as many different bots as a game has sides, on the same deals.

Where line-ups are too many, a balanced sample of them. Where there are fewer bots than sides, every two
bots meet in all mixed seatings.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Generator, Iterable, Iterator

from engines.core.rules import Rules, option
from harness import line_ups
from harness.comparable import doubts
from harness.designs import LineUp
from harness.formats import MAX_SETS, DealSet, Extent, OneGame, Table, Unservable
from harness.formats.core.meetings import between, deal_blocks, need_two
from harness.seating import DESIGNS, Seating, has_partners, mixed, orders, pairing, sides_of

TIMED = "deals"
"""What `--time` chooses."""
MAY_GROW = ("deals",)
"""More deals are more blocks after those that were played."""


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of a round robin."""

    deals: int = option(100, "deal sets for every line-up: deals 0 … deals-1 of the game", least=1)
    seating: str = option(
        "rotations",
        "how a line-up of different bots sits at each deal: moved round, or in every order",
        choices=tuple(DESIGNS),
    )
    partners: str = option(
        "fixed",
        "in team games: two copies of a bot as a side, or every four bots in all three partnerings",
        choices=("fixed", "mixed"),
    )
    line_ups: int = option(
        0,
        f"how many line-ups meet, a balanced sample; 0: all, or about {line_ups.MOST} where there are more",
        least=0,
    )


def rounds(table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
    """Blocks of whole deals: after each, and after each deal within, every line-up has played as much.

    All line-ups without the suspended bots are balanced as they are. A sample of them is not: those left
    then meet in a sample of their own, as they do where they are too few for a table of different bots.
    """
    used = 0
    for deals in deal_blocks(table.options.deals, count_line_ups(table) * len(seatings(table))):
        results = yield block(table, deals, used)
        left = table.without(results.suspended)
        if len(left.bots) < 2:
            return
        if len(left.bots) < len(table.bots) and (is_sample(table) or meeting(left) != meeting(table)):
            used += count_line_ups(table)
            table = smaller(table, left)


def smaller(table: Table, left: Table) -> Table:
    """Those who are left, with a sample in which each of them has about as many line-ups as before."""
    if not is_sample(table) or meeting(left) != meeting(table):
        return left
    number = line_ups.share(count_line_ups(table), len(table.bots), len(left.bots), meeting(left))
    return dataclasses.replace(left, options=dataclasses.replace(table.options, line_ups=number))


def block(table: Table, deals: Iterable[int], used: int = 0) -> Iterator[DealSet]:
    """Every line-up on each of `deals`, deal by deal; `used` numbers of line-ups are others' already."""
    design = seatings(table)
    for deal in deals:
        for number, line_up in enumerate(chosen(table), start=used + 1):
            yield DealSet(number, tuple([table.bots[bot] for bot in line_up]), deal, design)


def plan(table: Table) -> Extent:
    """Counts, and how even a sample is."""
    need_two(table)
    number = count_line_ups(table)
    if number > MAX_SETS:
        raise Unservable(
            f"{len(table.bots)} bots make {number:,} line-ups of {table.game.name}; "
            f"a round robin takes at most {MAX_SETS:,} (format.line_ups)"
        )
    matches = table.options.deals * len(seatings(table))
    if number == math.comb(len(table.bots), meeting(table)):
        each = math.comb(len(table.bots) - 1, meeting(table) - 1)
        games = dict.fromkeys(range(len(table.bots)), each)
    else:
        games = Counter(bot for line_up in chosen(table) for bot in line_up)
    return Extent(
        line_ups=number,
        deals=table.options.deals,
        sets=number * table.options.deals,
        matches=number * matches,
        per_bot={ref.name: games[bot] * matches for bot, ref in enumerate(table.bots)},
        notes=tuple(notes(table)),
    )


def notes(table: Table) -> Iterator[str]:
    """What a user should know of the line-ups that meet."""
    bots, size = len(table.bots), meeting(table)
    if table.options.partners == "mixed" and has_partners(table.sides) and size < len(table.sides):
        yield f"mixed partners need {len(table.sides)} bots; with {bots} a side is copies of one bot"
    if not is_sample(table):
        return
    sample = list(chosen(table))
    even = line_ups.spread(bots, sample)
    said = (
        f"{len(sample):,} of {math.comb(bots, size):,} line-ups, as even as was found: "
        f"{between(even.games)} for each bot, {between(even.meetings)} for every two"
    )
    if even.games[0] < even.games[1]:
        said += f"; a multiple of {line_ups.even_games(bots, size)} gives each the same"
    yield said
    names = [ref.name for ref in table.bots]
    if idle := [names[bot] for bot in range(bots) if all(bot not in line_up for line_up in sample)]:
        yield f"{', '.join(idle)} would not play at all"
    yield from doubts(meetings(table, sample))


def meetings(table: Table, met: Iterable[LineUp]) -> Iterator[list[list[str]]]:
    """Who plays together against whom in these line-ups, by names."""
    for line_up in met:
        for seating in seatings(table):
            sides: dict[int, dict[str, None]] = {}
            for side, bot in zip(table.sides, seating, strict=True):
                sides.setdefault(side, {})[table.bots[line_up[bot]].name] = None
            yield [list(side) for side in sides.values()]


def mixes(table: Table) -> bool:
    """Whether partners are mixed here: asked for, in a game of teams, with bots enough."""
    return (
        table.options.partners == "mixed"
        and has_partners(table.sides)
        and len(table.bots) >= len(table.sides)
    )


def meeting(table: Table) -> int:
    """How many different bots meet at a table: one a side or a seat, or two where there are too few."""
    if mixes(table):
        return len(table.sides)
    sides = len(sides_of(table.sides))
    return sides if len(table.bots) >= sides else 2


def chosen(table: Table) -> Iterator[LineUp]:
    """The line-ups that meet, as numbers of the table's bots."""
    return line_ups.choose(len(table.bots), meeting(table), table.options.line_ups)


def count_line_ups(table: Table) -> int:
    """How many different line-ups meet."""
    return line_ups.count(len(table.bots), meeting(table), table.options.line_ups)


def is_sample(table: Table) -> bool:
    """Whether not all line-ups meet."""
    return count_line_ups(table) < math.comb(len(table.bots), meeting(table))


def seatings(table: Table) -> tuple[Seating, ...]:
    """The seatings of every deal set."""
    if mixes(table):
        return mixed(table.sides) if table.options.seating == "rotations" else orders(range(len(table.sides)))
    if meeting(table) < len(sides_of(table.sides)):
        return pairing(table.sides)
    return DESIGNS[table.options.seating](table.sides)
