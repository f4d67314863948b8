"""One or more challengers against the field: every line-up is one challenger and others of the field.

The field's bots meet challengers only, and challengers do not meet each other.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from engines.core.errors import BadRules, choices_hint
from engines.core.rules import Rules, option
from harness import line_ups
from harness.formats import MAX_SETS, DealSet, Extent, OneGame, Table, Unservable
from harness.formats.core.meetings import between, deal_blocks, need_two
from harness.seating import DESIGNS, Seating, pairing, sides_of

TIMED = "deals"
"""What `--time` chooses."""
MAY_GROW = ("deals",)
"""More deals are more blocks after those that were played."""


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of a gauntlet."""

    challengers: tuple[str, ...] = option((), "names of the bots that meet all others; none: the first bot")
    deals: int = option(100, "deal sets for every line-up: deals 0 … deals-1 of the game", least=1)
    seating: str = option(
        "rotations",
        "how a line-up of different bots sits at each deal: moved round, or in every order",
        choices=tuple(DESIGNS),
    )
    line_ups: int = option(
        0,
        "line-ups that every challenger meets, a balanced sample of the field's; "
        f"0: all, or about {line_ups.MOST} where there are more",
        least=0,
    )

    def check(self, field: dataclasses.Field[Any], value: Any) -> None:
        """Names are a list of texts."""
        if field.name == "challengers":
            if not isinstance(value, tuple) or not all(isinstance(name, str) for name in value):
                raise BadRules(f"challengers: expected a list of bots' names, got {value!r}")
            if len(set(value)) < len(value):
                raise BadRules(f"challengers: expected different names, got {', '.join(value)}")
        super().check(field, value)


def rounds(table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
    """Blocks of whole deals: after each, every line-up has played as much.

    Where bots of the field are suspended, the rest of it is met in all line-ups or in a sample anew. The
    gauntlet is over when no challenger is left, or nobody to meet.
    """
    heads, _ = parts(table)
    # By name: the first of those who are left is no challenger for that.
    table = with_options(table, challengers=tuple(table.bots[head].name for head in heads))
    used = 0
    for deals in deal_blocks(table.options.deals, len(heads) * count_fields(table) * len(seatings(table))):
        results = yield block(table, deals, used)
        left = table.without(results.suspended)
        if not all(parts(left)):
            return
        if len(left.bots) < len(table.bots) and (is_sample(table) or meeting(left) != meeting(table)):
            used += len(parts(table)[0]) * count_fields(table)
            table = smaller(table, left)


def smaller(table: Table, left: Table) -> Table:
    """Those who are left, with a sample in which each of the field has about as many line-ups as before."""
    if not is_sample(table) or meeting(left) != meeting(table):
        return left
    before, now = (len(parts(one)[1]) for one in (table, left))
    number = line_ups.share(count_fields(table), before, now, meeting(left) - 1)
    return with_options(left, line_ups=number)


def with_options(table: Table, **changes: Any) -> Table:
    """The table with some options changed."""
    return dataclasses.replace(table, options=dataclasses.replace(table.options, **changes))


def block(table: Table, deals: Iterable[int], used: int = 0) -> Iterator[DealSet]:
    """Every line-up on each of `deals`, deal by deal; challengers by turns.

    `used` numbers of line-ups are others' already.
    """
    design = seatings(table)
    heads, field = parts(table)
    for deal in deals:
        number = used
        for others in line_ups.choose(len(field), meeting(table) - 1, table.options.line_ups):
            for head in heads:
                number += 1
                bots = (table.bots[head], *(table.bots[field[other]] for other in others))
                yield DealSet(number, bots, deal, design)


def plan(table: Table) -> Extent:
    """Counts. Raises Unservable where there is no challenger or no field in this game."""
    need_two(table)
    for name in table.options.challengers:
        if name not in table.event:
            hint = choices_hint(name, table.event)
            raise Unservable(f"{name!r} is no bot of this event, {hint}", "format.challengers")
    heads, field = parts(table)
    if not heads or not field:
        names = ", ".join(table.options.challengers)
        raise Unservable(
            f"{table.game.name} needs a challenger and somebody else: of {names} it has {len(heads)}, "
            f"of others {len(field)}",
            "format.challengers",
        )
    number = len(heads) * count_fields(table)
    if number > MAX_SETS:
        raise Unservable(f"{number:,} line-ups of {table.game.name}; a gauntlet takes at most {MAX_SETS:,}")
    size, matches = meeting(table) - 1, table.options.deals * len(seatings(table))
    notes: tuple[str, ...] = ()
    if is_sample(table):
        sample = list(line_ups.choose(len(field), size, table.options.line_ups))
        games = Counter(bot for line_up in sample for bot in line_up)
        even = line_ups.spread(len(field), sample)
        every = math.comb(len(field), size)
        said = f"{len(sample):,} of {every:,} line-ups of the field for each challenger, as even as was found"
        notes = (f"{said}: {between(even.games)} for each of its bots",)
    else:
        games = Counter(dict.fromkeys(range(len(field)), math.comb(len(field) - 1, size - 1)))
    per_bot = {table.bots[head].name: count_fields(table) * matches for head in heads}
    per_bot |= {table.bots[bot].name: len(heads) * games[index] * matches for index, bot in enumerate(field)}
    sets = number * table.options.deals
    return Extent(number, table.options.deals, sets, number * matches, per_bot, notes=notes)


def parts(table: Table) -> tuple[list[int], list[int]]:
    """Numbers of the challengers, and of all others."""
    names = table.options.challengers or tuple(ref.name for ref in table.bots[:1])
    heads = [index for index, ref in enumerate(table.bots) if ref.name in names]
    return heads, [index for index in range(len(table.bots)) if index not in heads]


def meeting(table: Table) -> int:
    """How many different bots meet at a table: one a side, or two where the field is too small for that."""
    sides = len(sides_of(table.sides))
    return sides if len(parts(table)[1]) >= sides - 1 else 2


def count_fields(table: Table) -> int:
    """How many line-ups of the field each challenger meets."""
    return line_ups.count(len(parts(table)[1]), meeting(table) - 1, table.options.line_ups)


def is_sample(table: Table) -> bool:
    """Whether a challenger does not meet all line-ups of the field."""
    return count_fields(table) < math.comb(len(parts(table)[1]), meeting(table) - 1)


def seatings(table: Table) -> tuple[Seating, ...]:
    """The seatings of every deal set."""
    if meeting(table) < len(sides_of(table.sides)):
        return pairing(table.sides)
    return DESIGNS[table.options.seating](table.sides)
