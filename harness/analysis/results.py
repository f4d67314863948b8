"""What a rating method is given: who met whom, and who came out ahead.

Results are built once, from matches in canonical order, and every method is given the same ones. How
matches become results (copies of a bot, pairings, forfeits) is decided here and nowhere else.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple


class Entrant(NamedTuple):
    """A rated entity: another version of a bot is another entrant."""

    bot: str
    version: str

    def __str__(self) -> str:
        return self.bot


class Result(NamedTuple):
    """One thing that was decided between two or more sides."""

    id: str
    """The match's id, or the deal set's where a whole set makes one result; text order is rating order."""
    deal: str
    """The deal's address: results that share one are not independent."""
    sides: tuple[tuple[Entrant, ...], ...]
    """Who played together; copies of one bot on a side are one player."""
    ranks: tuple[int, ...]
    """Per side, 1 for the best; equal ranks are a tie."""
    scores: tuple[float, ...]
    """Per side, the mean score of its seats."""
    offenders: tuple[Entrant, ...] = ()
    """Who forfeited. The others' standing in such a result is not of their making."""
    seats: tuple[int, ...] = ()
    """Per side, its first seat; empty where a deal set is the result, in which each sat in every seat."""

    @property
    def players(self) -> tuple[Entrant, ...]:
        """Everybody in it, in the order of sides."""
        return tuple(player for side in self.sides for player in side)


class Played(NamedTuple):
    """One match as results need it; every tuple has one entry a seat."""

    match_id: str
    deal: str
    sides: tuple[int, ...]
    players: tuple[Entrant, ...]
    scores: tuple[float, ...]
    places: tuple[int, ...]
    faulted: tuple[bool, ...]

    @property
    def set_id(self) -> str:
        """The deal set's id: the match's without the seating."""
        return self.match_id.rpartition("-")[0]

    @property
    def arrangement(self) -> Arrangement:
        """Who sits where, by sides."""
        return arrangement(self.sides, self.players)


class Arrangement(NamedTuple):
    """Players by sides. A run has few different ones, so each is worked out once."""

    sides: tuple[tuple[Entrant, ...], ...]
    """The different players of each side, sides and players in the order of seats."""
    first: tuple[int, ...]
    """The first seat of each side."""
    mixed: bool
    """Whether somebody sits on several sides, so that the match alone decides nothing."""


@functools.lru_cache(maxsize=100_000)
def arrangement(sides: tuple[int, ...], players: tuple[Entrant, ...]) -> Arrangement:
    """Gather the players of each side."""
    seated: dict[int, dict[Entrant, None]] = {}
    for side, player in zip(sides, players, strict=True):
        seated.setdefault(side, {})[player] = None
    groups = tuple(tuple(side) for side in seated.values())
    mixed = sum(map(len, groups)) > len(set(players))
    return Arrangement(groups, tuple(sides.index(side) for side in seated), mixed)


def results(matches: Iterable[Played]) -> Iterator[Result]:
    """The results of matches that come in the order of their ids.

    A match is a result, unless somebody in its deal set sits on several sides (a pairing of two bots at
    a table of three or more): then the set as a whole is one result, by mean score a seat. Each sits in
    every seat equally often there, so the mean orders them as the sum does.
    """
    for set_id, group in groupby(matches, key=lambda match: match.set_id):
        played = list(group)
        if any(match.arrangement.mixed for match in played):
            found = [of_set(set_id, played)]
        else:
            found = [_of_match(match) for match in played]
        yield from (result for result in found if len(result.sides) > 1)


def _of_match(match: Played) -> Result:
    sides, first, _ = match.arrangement
    return Result(
        id=match.match_id,
        deal=match.deal,
        sides=sides,
        ranks=tuple([match.places[seat] for seat in first]),
        scores=tuple([match.scores[seat] for seat in first]),
        offenders=_offenders([match]) if True in match.faulted else (),
        seats=first,
    )


def of_set(set_id: str, matches: Sequence[Played]) -> Result:
    """A deal set as one result, by mean score a seat."""
    scores: dict[Entrant, list[float]] = {}
    for match in matches:
        for player, score in zip(match.players, match.scores, strict=True):
            scores.setdefault(player, []).append(score)
    # The exact sum does not depend on the order of seats, so equal play ties exactly.
    means = [math.fsum(values) / len(values) for values in scores.values()]
    return Result(
        id=set_id,
        deal=matches[0].deal,
        sides=tuple((player,) for player in scores),
        ranks=tuple(1 + sum(other > mean for other in means) for mean in means),
        scores=tuple(means),
        offenders=_offenders(matches),
    )


def _offenders(matches: Sequence[Played]) -> tuple[Entrant, ...]:
    return tuple(
        dict.fromkeys(
            player
            for match in matches
            for player, faulted in zip(match.players, match.faulted, strict=True)
            if faulted
        )
    )
