"""Ladder: those meet from whose encounter most is to be learnt: neighbours whose places are least sure.

Beliefs are TrueSkill's, and everybody enters with the same wide one, so a newcomer plays much at first. An
encounter is some deals between two bots, always new ones for these two.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from typing import Final

from engines.core.rules import Rules, option
from harness.analysis.results import Result, results
from harness.analysis.sets import played
from harness.formats import DealSet, Extent, OneGame, Summary, Table
from harness.formats.core.contest import Contest, followed, played_out
from harness.formats.core.meetings import check_size, need_two, pair_key, pair_sets
from harness.ratings.gaussian.truncated import cdf
from harness.ratings.trueskill import BETA, MOST_DRAWS, Rater, Skill, after_forfeit, tied
from harness.records import MatchRecord
from harness.seating import pairing

TIMED = "rounds"
"""What `--time` chooses."""
MAY_GROW = ("rounds",)
"""A run goes on with more: who meets in a round follows from the rounds before it."""
STEERS = {
    "deals": "beliefs follow from encounters of so many deals, and from beliefs who meets next",
    "encounters": "beliefs change after so many encounters, and from beliefs follows who meets next",
}
"""Why a run cannot go on with another number."""
NEAR: Final = 3
"""Places in the order that two may be apart when opponents are chosen."""


@dataclasses.dataclass(frozen=True)
class Options(Rules):
    """What a config can say of a ladder."""

    rounds: int = option(40, "rounds; beliefs change after each", least=1)
    encounters: int = option(0, "encounters a round; 0: half as many as there are bots", least=0)
    deals: int = option(2, "deal sets of every encounter", least=1)


def rounds(table: Table) -> Generator[Iterable[DealSet], OneGame, None]:
    """The encounters that teach most, as far as is known when the round begins."""
    return played_out(Ladder(table))


def summary(table: Table, records: Iterable[MatchRecord]) -> Summary:
    """The ladder after the rounds that are whole."""
    return followed(Ladder(table), records)


def plan(table: Table) -> Extent:
    """Counts. How much each bot plays follows from results: the most is every encounter."""
    need_two(table)
    options, each = table.options, encounters(table, len(table.bots))
    check_size(each * options.deals, f"{each} encounters of {options.deals} deals")
    sets, seatings = options.rounds * each * options.deals, len(pairing(table.sides))
    return Extent(
        line_ups=min(math.comb(len(table.bots), 2), options.rounds * each),
        deals=sets,
        sets=sets,
        matches=sets * seatings,
        per_bot=dict.fromkeys((ref.name for ref in table.bots), sets * seatings),
        shares_open=True,
    )


def encounters(table: Table, playing: int) -> int:
    """Encounters of a round, with so many bots that are not suspended."""
    return int(table.options.encounters) or playing // 2


class Ladder(Contest):
    """What is believed of everybody after the rounds so far."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.round = 0
        self.skills = [Skill() for _ in table.bots]
        self.met: Counter[tuple[int, int]] = Counter()
        """Encounters of every two so far."""
        self.games = [0 for _ in table.bots]
        """Encounters of each so far."""
        self.ties = 0
        self.neighbours = 0

    def deal_sets(self) -> Sequence[DealSet]:
        if self.round == self.table.options.rounds or len(self.playing) < 2:
            return []
        self.round += 1
        found: list[DealSet] = []
        deals = self.table.options.deals
        for pair in self.matches():
            first = self.met[pair] * deals
            self.met[pair] += 1
            for bot in pair:
                self.games[bot] += 1
            found += pair_sets(self.table, [pair], range(first, first + deals))
        return found

    def matches(self) -> list[tuple[int, int]]:
        """The round's encounters, each chosen as if those before it had been played."""
        skills, met = list(self.skills), Counter(self.met)
        rivals: dict[int, list[tuple[int, int]]] = {bot: [] for bot in range(len(skills))}
        queue: list[tuple[float, int, tuple[int, int]]] = []

        def entry(pair: tuple[int, int]) -> tuple[float, int, tuple[int, int]]:
            return -gain(skills[pair[0]], skills[pair[1]]), met[pair], pair

        for pair in near(skills, self.playing):
            heapq.heappush(queue, entry(pair))
            for bot in pair:
                rivals[bot].append(pair)
        found: list[tuple[int, int]] = []
        while len(found) < encounters(self.table, len(self.playing)):
            first = heapq.heappop(queue)
            pair = first[2]
            if first != entry(pair):
                continue  # what it said has changed since, and stands elsewhere in the queue
            one, other = pair
            skills[one], skills[other] = surer(skills[one], skills[other]), surer(skills[other], skills[one])
            met[pair] += 1
            found.append(pair)
            for touched in dict.fromkeys(rivals[one] + rivals[other]):
                heapq.heappush(queue, entry(touched))
        return found

    def take(self, records: Iterable[MatchRecord]) -> None:
        found = list(results(map(played, records)))
        for result in found:
            ties, neighbours = tied(result)
            self.ties += ties
            self.neighbours += neighbours
        drawn = self.ties / self.neighbours if self.neighbours else 0.0
        rater = Rater(min(drawn, MOST_DRAWS))
        for result in found:
            self._rate(rater, result)

    def _rate(self, rater: Rater, result: Result) -> None:
        """One result; who forfeited loses it alone, so that nobody else's rating moves."""
        one, other = (self.number[side[0].bot] for side in result.sides)
        if not result.offenders:
            after = rater.update([[self.skills[one]], [self.skills[other]]], result.ranks)
            self.skills[one], self.skills[other] = after[0][0], after[1][0]
            return
        before = {side[0]: self.skills[self.number[side[0].bot]] for side in result.sides}
        for offender in result.offenders:
            self.skills[self.number[offender.bot]] = after_forfeit(
                rater, result, offender, before[offender], before
            )

    def summary(self) -> Summary:
        order = sorted(range(len(self.names)), key=lambda bot: (-self.skills[bot].mu, bot))
        rows = []
        for place, bot in enumerate(order, start=1):
            mu, sigma = self.skills[bot]
            rows.append((str(place), self.shown(bot), f"{mu:.2f} ± {sigma:.2f}", str(self.games[bot])))
        return Summary(
            f"Ladder after round {self.round} of {self.table.options.rounds}",
            ("Place", "Bot", "Skill ±", "Encounters"),
            tuple(rows),
            ("Skill: TrueSkill mu ± sigma by which opponents were chosen, updated after every round.",),
        )


def near(skills: Sequence[Skill], playing: Iterable[int]) -> list[tuple[int, int]]:
    """Pairs of those who play that stand few places apart: those further apart teach less."""
    order = sorted(playing, key=lambda bot: (-skills[bot].mu, bot))
    return [
        pair_key(bot, other)
        for place, bot in enumerate(order)
        for other in order[place + 1 : place + 1 + NEAR]
    ]


def gain(one: Skill, other: Skill) -> float:
    """How much of both variances an encounter is expected to take away."""
    return one.sigma**2 - surer(one, other).sigma ** 2 + other.sigma**2 - surer(other, one).sigma ** 2


def surer(skill: Skill, other: Skill) -> Skill:
    """What will be believed of `skill` after an encounter, roughly: the same, but surer of it."""
    spread = 2 * BETA**2 + skill.sigma**2 + other.sigma**2
    p = cdf((skill.mu - other.mu) / math.sqrt(spread))
    # An even game takes 2/pi of the share away (the w of a win that was as likely as not).
    share = 4 * p * (1 - p) * 2 / math.pi * skill.sigma**2 / spread
    return Skill(skill.mu, skill.sigma * math.sqrt(1 - share))
