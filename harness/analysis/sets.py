"""What deal sets came to, straight from records: for schedules, which run without frames and Parquet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from harness.analysis.results import Entrant, Played
from harness.records import MatchRecord, SeatRecord


class Encounter(NamedTuple):
    """What a round's deal sets of one line-up came to, by the names of its bots."""

    line_up: int
    sets: int
    scores: Mapping[str, list[float]]
    """The scores of a bot's seats. In a pairing each sits in every seat equally often."""

    def total(self, name: str) -> float:
        """A bot's summed score; exact, so that equal play ties whatever the order of matches."""
        return math.fsum(self.scores.get(name, ()))

    def margin(self, name: str, other: str) -> float:
        """How much more a bot's seats got than another's, on average."""
        return mean(self.scores[name]) - mean(self.scores[other])


def encounters(records: Iterable[MatchRecord]) -> dict[int, Encounter]:
    """All deal sets of each line-up taken together, by the line-up's number."""
    found: dict[int, list[MatchRecord]] = {}
    for record in records:
        found.setdefault(record.spec.line_up, []).append(record)
    return {
        line_up: _score(group, len({record.spec.set_id for record in group}))
        for line_up, group in found.items()
    }


def _score(records: list[MatchRecord], sets: int) -> Encounter:
    scores: dict[str, list[float]] = {}
    for record in records:
        for seat in record.seats:
            scores.setdefault(seat.bot.name, []).append(seat.score)
    return Encounter(records[0].spec.line_up, sets, scores)


def mean(values: list[float]) -> float:
    """The mean of numbers in any order; nan of none."""
    return math.fsum(values) / len(values) if values else math.nan


def played(record: MatchRecord) -> Played:
    """A record as results are made from it."""
    return Played(
        match_id=record.spec.id,
        deal=record.spec.deal,
        sides=tuple([seat.side for seat in record.seats]),
        players=tuple([Entrant(seat.bot.name, seat.bot.version) for seat in record.seats]),
        scores=tuple([seat.score for seat in record.seats]),
        places=tuple([seat.place for seat in record.seats]),
        faulted=tuple([forfeited(record, seat) for seat in record.seats]),
    )


def forfeited(record: MatchRecord, seat: SeatRecord) -> bool:
    """Whether a seat's fault forfeited the match; one in `end` came after the result and did not.

    A forfeit that ended the match puts the offender last, or all of them first where all forfeited.
    """
    if record.status != "forfeit" or not seat.faults:
        return False
    if record.reason is None:
        return seat.place > 1 or all(other.place == 1 for other in record.seats)
    return seat.faults[0].ply < len(record.moves)
