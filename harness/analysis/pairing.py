"""What two bots got of what they played for, deal set by deal set.

A set's *share* is a number from 0 to 1 that the first bot has and the second has the rest of. By `score` it
is 1/2 plus half the difference of their mean scores a seat, as a part of the game's whole range of scores
(from the lowest, `stakes[0]`, to `highest`): in a game won or lost, the share of games won, a draw counting
half. By `places` it is the share of meetings of their seats, one of each bot on different sides of a match,
in which the first bot's was ahead, a tie counting half. Both sit in every seat equally often, so equal bots
share evenly.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from engines.core.game import Game
from harness.analysis.sequential import EVEN, Shares
from harness.records import BotRef, MatchRecord

MEASURES: Final = ("score", "places")


class Meeting(NamedTuple):
    """One deal set of two bots."""

    set_id: str
    deal: str
    luck: int
    share: float
    """The first bot's."""


class Pairing:
    """Two bots' deal sets, taken in as their records come."""

    def __init__(self, game: Game[Any, Any], bots: tuple[BotRef, BotRef], size: int, measure: str) -> None:
        if measure not in MEASURES:
            raise ValueError(f"measure: expected one of {', '.join(MEASURES)}, got {measure!r}")
        self.game = game
        self.bots = bots
        self.size = size
        """Matches in a whole deal set."""
        self.measure = measure
        self.shares = Shares()
        self.meetings: list[Meeting] = []
        self.matches = 0
        self.forfeits: Counter[BotRef] = Counter()
        """Matches that each forfeited, alone or not."""
        self._scores: dict[BotRef, list[float]] = {bot: [] for bot in bots}
        """By bot: the sum of its scores in every match, a seat."""

    def add(self, records: Iterable[MatchRecord]) -> None:
        """Take in records in schedule order; a set that is not whole does not count."""
        for set_id, group in itertools.groupby(records, key=lambda record: record.spec.set_id):
            played = list(group)
            if len(played) == self.size:
                self._add(set_id, played)

    def mean_score(self, bot: BotRef) -> float:
        """Mean score a seat, in the game's points."""
        scores = self._scores[bot]
        return math.fsum(scores) / len(scores) if scores else math.nan

    def _add(self, set_id: str, played: Sequence[MatchRecord]) -> None:
        spec = played[0].spec
        share = self._by_places(played) if self.measure == "places" else self._by_score(played)
        self.shares.add([share])
        self.meetings.append(Meeting(set_id, spec.deal, spec.luck, share))
        self.matches += len(played)
        for record in played:
            for bot in self.bots:
                self._scores[bot] += [seat.score for seat in record.seats if seat.bot == bot]
            if record.status == "forfeit":
                self.forfeits.update({seat.bot for seat in record.seats if seat.faults})

    def _by_score(self, played: Sequence[MatchRecord]) -> float:
        lowest, highest = self.game.stakes[0], self.game.highest
        first, second = (
            [seat.score for record in played for seat in record.seats if seat.bot == bot] for bot in self.bots
        )
        # Sums are exact, so that sets in which both got the same are level to the last bit.
        ahead = math.fsum(first) / len(first) - math.fsum(second) / len(second)
        share = EVEN + ahead / (2 * (highest - lowest))
        if not 0 <= share <= 1:
            low, high = min(first + second), max(first + second)
            raise ValueError(
                f"{self.game.name}: expected scores from {lowest:g} to {highest:g}, got {low:g} to {high:g}"
            )
        return share

    def _by_places(self, played: Sequence[MatchRecord]) -> float:
        won = met = 0
        for record in played:
            for mine in record.seats:
                for other in record.seats:
                    if mine.bot == self.bots[0] and other.bot == self.bots[1] and mine.side != other.side:
                        won += 2 * (mine.place < other.place) + (mine.place == other.place)
                        met += 2
        return won / met
