"""Knock-out: who loses an encounter is out. Seeded, with byes for the top seeds, and play-offs on a tie.

Seeds are the order of the config: seeds 1 and 2 can meet in the final only, 1 to 4 in the semi-finals.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Generator, Iterable, Sequence

from engines.core.rules import Rules, option
from harness.analysis.sets import encounters as played_encounters
from harness.formats import DealSet, Extent, OneGame, Summary, Table
from harness.formats.core.contest import Contest, followed, played_out
from harness.formats.core.meetings import check_size, need_two, pair_number, pair_sets
from harness.records import MatchRecord
from harness.seating import pairing

TIMED = "deals"
"""What `--time` chooses."""
TYPICAL = {"playoffs": 0}
"""Most encounters are decided at once."""
STEERS = {
    "deals": "who is through follows from encounters of so many deals, and the bracket from that",
    "playoffs": "a tie that seeds have settled would be played on, and the bracket might be another",
    "third_place": "it is played beside the final, whose matches would have other ids",
}
"""Why a run cannot go on with another value."""


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of a knock-out."""

    deals: int = option(50, "deal sets of every encounter; every round has deals of its own", least=1)
    playoffs: int = option(
        5, "how often a tied encounter goes on with as many deals; then the higher seed is through", least=0
    )
    third_place: bool = option(True, "whether the losers of the semi-finals meet", choices=(True, False))


def rounds(table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
    """A stage of the bracket each, and after it a round for every further try of what was tied."""
    return played_out(Knockout(table))


def summary(table: Table, records: Iterable[MatchRecord]) -> Summary:
    """The bracket after the rounds that are whole."""
    return followed(Knockout(table), records)


def plan(table: Table) -> Extent:
    """The most that it can be: every encounter goes through all its play-offs."""
    need_two(table)
    bots, tries = len(table.bots), 1 + table.options.playoffs
    deals, stages = table.options.deals, (bots - 1).bit_length()
    check_size(bots // 2 * deals, f"{bots} bots on {deals} deals")
    encounters = bots - 1 + _for_third(table)
    seatings = len(pairing(table.sides))
    return Extent(
        line_ups=min(math.comb(bots, 2), encounters),
        deals=stages * tries * deals,
        sets=encounters * tries * deals,
        matches=encounters * tries * deals * seatings,
        per_bot=dict.fromkeys((ref.name for ref in table.bots), stages * tries * deals * seatings),
        at_most=table.options.playoffs > 0,
        shares_open=True,
    )


def _for_third(table: Table) -> bool:
    return table.options.third_place and len(table.bots) > 3


def bracket(size: int) -> list[int]:
    """Seeds from 0 in the order of the bracket: neighbours meet, and neighbouring pairs' winners.

    In every stage the best seed left meets the worst, if all goes by seeds. `size` is a power of two.
    """
    order = [0]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


@dataclasses.dataclass
class Encounter:
    """Two bots of which one goes on."""

    stage: str
    one: int
    """The higher seed."""
    other: int
    totals: list[tuple[float, float]] = dataclasses.field(default_factory=list)
    """Both bots' total scores, of the first try and of every play-off."""
    absent: set[int] = dataclasses.field(default_factory=set)
    """Who was suspended before it was decided: the other goes on."""

    @property
    def tied(self) -> bool:
        """Whether it needs another try, or a first one."""
        return not self.absent and (not self.totals or self.totals[-1][0] == self.totals[-1][1])

    @property
    def winner(self) -> int:
        """Who goes on; the higher seed where all tries were tied."""
        if self.absent:
            return self.other if self.one in self.absent else self.one
        return self.other if self.totals and self.totals[-1][0] < self.totals[-1][1] else self.one

    @property
    def loser(self) -> int:
        """Who is out."""
        return self.one if self.winner == self.other else self.other


class Knockout(Contest):
    """The state of a knock-out."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        bots = len(table.bots)
        self.places: list[int | None] = [
            seed if seed < bots else None for seed in bracket(1 << (bots - 1).bit_length())
        ]
        """Who is still in, in the order of the bracket; None where nobody is: the other has a bye."""
        self.encounters: list[Encounter] = []
        """All of them so far."""
        self.stage: list[Encounter] = []
        """Those of the stage that is being played."""
        self.drawn = False
        """Whether its encounters are set up; there may be none."""
        self.deals = 0
        """Deals used so far."""

    def deal_sets(self) -> Sequence[DealSet]:
        playing = self._undecided()
        while not playing:
            if self.drawn:
                self._advance()
            if len(self.places) < 2:
                return []
            self._draw()
            playing = self._undecided()
        first, self.deals = self.deals, self.deals + self.table.options.deals
        return pair_sets(self.table, [(e.one, e.other) for e in playing], range(first, self.deals))

    def take(self, records: Iterable[MatchRecord]) -> None:
        scores = played_encounters(records)
        for encounter in self._undecided():
            found = scores.get(pair_number(encounter.one, encounter.other, len(self.names)))
            names = (self.names[encounter.one], self.names[encounter.other])
            encounter.totals.append((found.total(names[0]), found.total(names[1])) if found else (0.0, 0.0))

    def suspend(self, names: Collection[str]) -> None:
        """Who has to meet a suspended bot is through without."""
        super().suspend(names)
        for encounter in self._undecided():
            encounter.absent = self.out & {encounter.one, encounter.other}

    def _undecided(self) -> list[Encounter]:
        """Encounters of this stage that have tries left and need one."""
        return [e for e in self.stage if not self._decided(e)]

    def _draw(self) -> None:
        """Set up the next stage."""
        name = {2: "final", 4: "semi-final", 8: "quarter-final"}.get(
            len(self.places), f"last {len(self.places)}"
        )
        self.stage, self.drawn = [], True
        if len(self.places) == 2 and _for_third(self.table):
            losers = [e.loser for e in self.encounters if e.stage == "semi-final" and e.loser not in self.out]
            if len(losers) == 2:
                self.stage.append(Encounter("third place", min(losers), max(losers)))
        for one, other in zip(self.places[::2], self.places[1::2], strict=True):
            if one is not None and other is not None:
                self.stage.append(Encounter(name, min(one, other), max(one, other)))
        self.encounters += self.stage

    def _advance(self) -> None:
        """Let winners and byes through; who is suspended goes no further."""
        winners = {e.one: e.winner for e in self.stage if e.stage != "third place"}
        through = []
        for one, other in zip(self.places[::2], self.places[1::2], strict=True):
            present = [bot for bot in (one, other) if bot is not None]
            best = winners.get(min(present), min(present)) if present else None
            through.append(None if best in self.out else best)
        self.places = list(through)
        self.stage, self.drawn = [], False

    def summary(self) -> Summary:
        rows = []
        for encounter in self.encounters:
            rows.append(
                (
                    encounter.stage,
                    self._seeded(encounter.one),
                    self._seeded(encounter.other),
                    ", then ".join(f"{one:g} : {other:g}" for one, other in encounter.totals) or "-",
                    self._outcome(encounter),
                )
            )
        tries = self.table.options.playoffs
        return Summary(
            self._title(),
            ("Stage", "Bot", "Opponent", "Total score", "Winner"),
            tuple(rows),
            (
                "Numbers are seeds: the order of the config.",
                f"Ties go on with as many new deals, {tries} times at most; then the higher seed is through.",
            ),
        )

    def _seeded(self, bot: int) -> str:
        return f"{self.names[bot]} ({bot + 1}{', suspended' if bot in self.out else ''})"

    def _outcome(self, encounter: Encounter) -> str:
        if {encounter.one, encounter.other} <= encounter.absent:
            return "-"
        if not encounter.tied:
            return self.names[encounter.winner]
        return f"{self.names[encounter.winner]}, by seed" if self._decided(encounter) else ""

    def _decided(self, encounter: Encounter) -> bool:
        return not encounter.tied or len(encounter.totals) > self.table.options.playoffs

    def _title(self) -> str:
        out = {e.loser for e in self.encounters if e.stage != "third place" and self._decided(e)}
        final = next((e for e in self.encounters if e.stage == "final" and self._decided(e)), None)
        left = [final.winner] if final else [bot for bot in self.playing if bot not in out]
        if final and self.out >= {final.one, final.other} == final.absent:
            return "Knock-out without a winner: both finalists are suspended"
        return (
            f"Knock-out won by {self.names[left[0]]}"
            if len(left) == 1
            else f"Knock-out, {len(left)} bots left"
        )
