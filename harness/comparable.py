"""Whom results can tell apart: bots that always play together, or never meet, they cannot.

What results say about strengths is a system of linear equations: of two sides that met, the difference
of their summed strengths. Two bots can be told apart where the difference of theirs follows from it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")

Meeting = Sequence[Sequence[T]]
"""Who played together against whom: for every side its different bots."""


def groups(meetings: Iterable[Meeting[T]]) -> list[list[T]]:
    """The bots in groups within which any two can be told apart, across which no two can."""
    sides = dict.fromkeys(tuple(tuple(side) for side in meeting) for meeting in meetings)
    bots = list(dict.fromkeys(bot for meeting in sides for side in meeting for bot in side))
    number = {bot: index for index, bot in enumerate(bots)}
    reduced: dict[int, dict[int, Fraction]] = {}
    for meeting in sides:
        for side, other in itertools.pairwise(meeting):
            row: dict[int, Fraction] = {}
            for sign, members in ((1, side), (-1, other)):
                for bot in members:
                    row[number[bot]] = row.get(number[bot], Fraction(0)) + Fraction(sign, len(members))
            _reduce(reduced, row)
        if len(reduced) == len(bots) - 1:
            break  # nothing more can follow
    free = [index for index in range(len(bots)) if index not in reduced]
    # In the null space a bot is the combination of free ones that its row says; equal ones differ by nothing.
    found: dict[tuple[Fraction, ...], list[T]] = {}
    for index, bot in enumerate(bots):
        if index in reduced:
            place = tuple(-reduced[index].get(column, Fraction(0)) for column in free)
        else:
            place = tuple(Fraction(column == index) for column in free)
        found.setdefault(place, []).append(bot)
    return list(found.values())


def _reduce(reduced: dict[int, dict[int, Fraction]], row: dict[int, Fraction]) -> None:
    """Take one more equation into a reduced system: a row for every pivot, which no other row has."""
    for pivot, known in reduced.items():
        if factor := row.get(pivot):
            _subtract(row, known, factor)
    row = {column: value for column, value in row.items() if value}
    if not row:
        return
    pivot, lead = next(iter(row.items()))
    row = {column: value / lead for column, value in row.items()}
    for known in reduced.values():
        if factor := known.get(pivot):
            _subtract(known, row, factor)
    reduced[pivot] = row


def _subtract(row: dict[int, Fraction], other: dict[int, Fraction], factor: Fraction) -> None:
    for column, value in other.items():
        row[column] = row.get(column, Fraction(0)) - factor * value
        if not row[column]:
            del row[column]


def doubts(meetings: Iterable[Meeting[T]]) -> list[str]:
    """What these meetings cannot tell, in sentences; empty where all bots can be told apart."""
    known = dict.fromkeys(tuple(tuple(side) for side in meeting) for meeting in meetings)
    found = groups(known)
    if len(found) < 2:
        return []
    sides = dict.fromkeys(side for meeting in known for side in meeting)
    lines = []
    partners: dict[T, set[frozenset[T]]] = {}
    for side in sides:
        for bot in side:
            partners.setdefault(bot, set()).add(frozenset(side))
    told: set[frozenset[T]] = set()
    for seen in list(partners.values()):
        company = frozenset.intersection(*seen)
        together = frozenset(other for other in company if partners[other] == seen)
        if len(together) > 1 and together not in told:
            told.add(together)
            names = _names(other for other in partners if other in together)
            lines.append(f"{names} always play together: results cannot tell them apart")
    if not lines:
        apart = "; ".join(_names(group) for group in found)
        lines.append(f"results cannot compare bots of different groups, which do not meet: {apart}")
    return lines


def _names(bots: Iterable[T]) -> str:
    names = [str(bot) for bot in bots]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
