"""Swiss system: in every round bots of equal points meet, nobody meets anybody twice while that can be.

An encounter is some deals between two bots: the higher total score wins it. With an odd number one bot has
a bye, worth a win, and nobody has a second one before all have had one.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Final

from engines.core.rules import Rules, option
from harness.analysis.sets import encounters, mean
from harness.formats import DealSet, Extent, OneGame, Summary, Table
from harness.formats.core.contest import Contest, followed, played_out
from harness.formats.core.meetings import check_size, need_two, pair_key, pair_number, pair_sets
from harness.matching import most_pairs
from harness.records import MatchRecord
from harness.seating import pairing

TIMED = "deals"
"""What `--time` chooses."""
MAY_GROW = ("rounds",)
"""A run goes on with more: who meets in a round follows from the rounds before it."""
STEERS = {"deals": "points come from encounters of so many deals, and from points who meets next"}
"""Why a run cannot go on with another number."""
_LOOKED_AT: Final = 200
"""Ways to pair a round off that are looked at for one which leaves new opponents for the next round too."""

Pairs = list[tuple[int, int]]


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of a Swiss system."""

    deals: int = option(20, "deal sets of every encounter; every round has deals of its own", least=1)
    rounds: int = option(0, "rounds; 0: one more than a knock-out of as many bots would take", least=0)


def rounds(table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
    """Each round is one encounter of every bot, save who has a bye."""
    return played_out(Swiss(table))


def summary(table: Table, records: Iterable[MatchRecord]) -> Summary:
    """The table after the rounds that are whole."""
    return followed(Swiss(table), records)


def plan(table: Table) -> Extent:
    """Counts; with an odd number of bots those of each are the most, as byes depend on results."""
    need_two(table)
    bots, deals, count = len(table.bots), table.options.deals, count_rounds(table)
    check_size(bots // 2 * deals, f"{bots} bots on {deals} deals")
    seatings = len(pairing(table.sides))
    sets = bots // 2 * deals * count
    notes = []
    if count > (most := bots - 1 + bots % 2):
        notes.append(f"{count} rounds, but after {most} everybody has met everybody: some meet again")
    return Extent(
        line_ups=min(math.comb(bots, 2), bots // 2 * count),
        deals=deals * count,
        sets=sets,
        matches=sets * seatings,
        per_bot=dict.fromkeys((ref.name for ref in table.bots), deals * count * seatings),
        notes=tuple(notes),
        shares_open=bots % 2 == 1,
    )


def count_rounds(table: Table) -> int:
    """How many rounds are played; by default not more than it takes to meet everybody."""
    bots = len(table.bots)
    return table.options.rounds or min((bots - 1).bit_length() + 1, bots - 1 + bots % 2)


class Swiss(Contest):
    """The state of a Swiss system: who met whom, and what came of it."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        everybody = range(len(table.bots))
        self.round = 0
        self.pairs: Pairs = []
        self.points = [0.0 for _ in everybody]
        self.opponents: list[list[int]] = [[] for _ in everybody]
        """In the order of rounds; a bye is the bot itself."""
        self.margins: list[list[float]] = [[] for _ in everybody]
        """Mean score a seat above the opponent's, for every encounter."""
        self.byes = [0 for _ in everybody]
        self.met: Counter[tuple[int, int]] = Counter()

    def deal_sets(self) -> Sequence[DealSet]:
        if self.round == count_rounds(self.table) or len(self.playing) < 2:
            return []
        resting, self.pairs = self._drawn([bot for bot in self.standing() if bot not in self.out])
        if resting is not None:
            self.points[resting] += 1.0
            self.byes[resting] += 1
            self.opponents[resting].append(resting)
        for one, other in self.pairs:
            self.opponents[one].append(other)
            self.opponents[other].append(one)
            self.met[pair_key(one, other)] += 1
        deals = self.table.options.deals
        self.round += 1
        return pair_sets(self.table, self.pairs, range((self.round - 1) * deals, self.round * deals))

    def take(self, records: Iterable[MatchRecord]) -> None:
        scores = encounters(records)
        for one, other in self.pairs:
            found = scores.get(pair_number(one, other, len(self.names)))
            if found is None:
                continue
            mine, theirs = (found.total(self.names[bot]) for bot in (one, other))
            margin = found.margin(self.names[one], self.names[other])
            for bot, won, sign in ((one, mine > theirs, 1), (other, theirs > mine, -1)):
                self.points[bot] += 0.5 if mine == theirs else float(won)
                self.margins[bot].append(sign * margin)

    def buchholz(self, bot: int) -> float:
        """The sum of the opponents' points; a bye counts as an opponent with the bot's own points."""
        return sum(self.points[other] for other in self.opponents[bot])

    def margin(self, bot: int) -> float:
        """The mean margin over all encounters."""
        return mean(self.margins[bot]) if self.margins[bot] else 0.0

    def merit(self, bot: int) -> tuple[float, float, float]:
        """What places go by."""
        return self.points[bot], self.buchholz(bot), self.margin(bot)

    def standing(self) -> list[int]:
        """All bots, the first first; equal merit in the order of the config."""
        return sorted(range(len(self.names)), key=lambda bot: [-value for value in self.merit(bot)])

    # Who meets whom

    def _drawn(self, order: Sequence[int]) -> tuple[int | None, Pairs]:
        """Who has a bye, and who meets: the first way with the fewest rematches, now and the next time.

        The bye is for the last in the table of those with the fewest, if the rest have a way then.
        """
        resting: list[int | None] = [None]
        if len(order) % 2:
            fewest = min(self.byes[bot] for bot in order)
            resting = [bot for bot in reversed(order) if self.byes[bot] == fewest]
        left = {bye: [bot for bot in order if bot != bye] for bye in resting}
        needed = min(self.rematches(bots) for bots in left.values())
        byes = [bye for bye in resting if self.rematches(left[bye]) == needed]
        best = byes[0], self._first_way(left[byes[0]], needed)
        if len(order) >= 2 * (self.round + 3):
            return best  # there are always new opponents for the next round (see rematches)
        least = len(order)
        ways = ((bye, way) for bye in byes for way in self._ways(left[bye], needed))
        for bye, way in itertools.islice(ways, _LOOKED_AT):
            later = self._rematches_after(bye, way)
            if later < least:
                best, least = (bye, way), later
            if not later:
                break
        return best

    def fresh(self, one: int, other: int) -> bool:
        """Whether two have met no more often than any two."""
        return self.met[pair_key(one, other)] <= self._least_met()

    def _least_met(self) -> int:
        if self.round < len(self.playing) - 1:
            return 0  # nobody has met everybody yet
        return min(self.met[pair] for pair in itertools.combinations(self.playing, 2))

    def rematches(self, bots: Sequence[int]) -> int:
        """How many rematches pairing these off takes at least."""
        # One of n who met at most r others has n - 1 - r new ones; with n/2 there is a pairing (Dirac).
        if len(bots) >= 2 * (self.round + 1):
            return 0
        return len(bots) // 2 - most_pairs(bots, self.fresh)

    def _rematches_after(self, bye: int | None, pairs: Pairs) -> int:
        """How many rematches the next round would take at least; a bye out of turn is one too."""
        now = {pair_key(*pair) for pair in pairs}
        nobody = len(self.names)
        byes = [count + (bot == bye) for bot, count in enumerate(self.byes)]
        fewest = min(byes[bot] for bot in self.playing)

        def new(one: int, other: int) -> bool:
            if other == nobody:
                return byes[one] == fewest
            if one == nobody:
                return byes[other] == fewest
            return pair_key(one, other) not in now and self.fresh(one, other)

        everybody = [*self.playing, nobody] if bye is not None else self.playing
        return len(everybody) // 2 - most_pairs(everybody, new)

    def _first_way(self, order: Sequence[int], rematches: int) -> Pairs:
        """Pair off from the top, each with the best choice that leaves the rest a way."""
        left = list(order)
        pairs: Pairs = []
        while left:
            other, rematches = next(self._choices(left, rematches))
            pairs.append((left[0], other))
            left = [bot for bot in left[1:] if bot != other]
        return pairs

    def _ways(self, left: list[int], rematches: int) -> Iterator[Pairs]:
        """All ways to pair off with so many rematches, those first that pair the top best."""
        if not left:
            yield []
            return
        for other, allowed in self._choices(left, rematches):
            for more in self._ways([bot for bot in left[1:] if bot != other], allowed):
                yield [(left[0], other), *more]

    def _choices(self, left: Sequence[int], rematches: int) -> Iterator[tuple[int, int]]:
        """Opponents of the first that leave the rest a way, and the rematches that it may then have.

        Of equal points the upper half meets the lower half, in order; then come the next in the table.
        """
        top, rest = left[0], left[1:]
        equal = [bot for bot in rest if self.points[bot] == self.points[top]]
        half = max(0, (len(equal) + 1) // 2 - 1)
        below = rest[len(equal) :]
        for other in [*equal[half:], *reversed(equal[:half]), *below]:
            allowed = rematches - (not self.fresh(top, other))
            if allowed >= 0 and self.rematches([bot for bot in rest if bot != other]) <= allowed:
                yield other, allowed

    def summary(self) -> Summary:
        order = self.standing()
        merits = [self.merit(bot) for bot in order]
        rows = []
        for bot, merit in zip(order, merits, strict=True):
            met = ["bye" if other == bot else self.names[other] for other in self.opponents[bot]]
            rows.append(
                (
                    str(1 + sum(other > merit for other in merits)),
                    self.shown(bot),
                    f"{merit[0]:g}",
                    f"{merit[1]:g}",
                    f"{merit[2]:+.3f}",
                    ", ".join(met),
                )
            )
        return Summary(
            f"Swiss table after round {self.round} of {count_rounds(self.table)}",
            ("Place", "Bot", "Points", "Buchholz", "Margin", "Opponents"),
            tuple(rows),
            (
                "Points: 1 for an encounter won by total score, ½ drawn, 1 for a bye.",
                "Buchholz: the opponents' points; a bye counts one's own.",
                "Margin: mean score a seat above the opponents'. Places go by points, Buchholz, margin.",
            ),
        )
