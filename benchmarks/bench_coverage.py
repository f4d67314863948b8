"""How often the intervals hold what they should: the tables of docs/statistics.md.

    python -m benchmarks.bench_coverage [--times 2000]

Bots of known strength play schedules whose matches are anything but independent: the cards of a deal favour
the same seats in every match on it. Every table is made by the functions that make reports.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.analysis.clusters import ratios
from harness.analysis.outcomes import Outcomes
from harness.analysis.results import Entrant
from harness.analysis.strengths import strengths
from harness.analysis.tables import Floats, Ints
from harness.analysis.verdicts import verdicts

DEALS = (10, 30, 100, 300)
CARDS = 1.0
"""How much the cards of a deal weigh, against a bot's own luck in a match of 1.3."""


@dataclass(frozen=True)
class Design:
    """What is played on every deal: arrays are (matches, seats)."""

    name: str
    strength: Floats
    """Of every bot."""
    player: Ints
    side: Ints
    draws: float = 0.0
    """The difference of performances below which sides tie."""

    @property
    def sides(self) -> int:
        return int(self.side.max()) + 1

    def equal(self) -> Design:
        """The same with bots of one strength."""
        zero = np.zeros_like(self.strength)
        return Design(self.name, zero, self.player, self.side, self.draws)


def designs() -> list[Design]:
    """Two seats, four seats, teams of two copies, and mixed partners."""
    spread = np.array([0.6, 0.2, 0.0, -0.2, -0.6])
    pairs = list(itertools.combinations(range(4), 2))
    duels = [two[::turn] for two in pairs for turn in (1, -1)]
    fours = [four[n:] + four[:n] for four in itertools.combinations(range(5), 4) for n in range(4)]
    teams = [(a, b, a, b) for a, b in duels]
    partners = [
        seats
        for a, b, c, d in itertools.combinations(range(5), 4)
        for (w, x), (y, z) in [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
        for seats in [(w, y, x, z), (y, w, z, x)]
    ]
    alone, two = [0, 1, 2, 3], [0, 1, 0, 1]
    return [
        Design("two seats", spread[[0, 1, 3, 4]], np.array(duels), np.array([[0, 1]] * len(duels)), 0.4),
        Design("four seats", spread, np.array(fours), np.array([alone] * len(fours))),
        Design("teams", spread[[0, 1, 3, 4]], np.array(teams), np.array([two] * len(teams)), 0.4),
        Design("mixed partners", spread, np.array(partners), np.array([two] * len(partners)), 0.4),
    ]


def places(design: Design, shape: tuple[int, ...], rng: np.random.Generator) -> Ints:
    """(*shape, matches, sides): the place of every side; the last of `shape` is the deals."""
    matches, seats = design.player.shape
    # Cards in quarters, so that many seats of a deal are alike and its matches cancel.
    cards = CARDS * np.round(4 * rng.standard_normal((*shape, 1, seats))) / 4
    by_seat = design.strength[design.player] + cards
    whole = np.zeros((*shape, matches, design.sides))
    for seat in range(seats):
        for side in range(design.sides):
            whole[..., side] += by_seat[..., seat] * (design.side[:, seat] == side)
    whole /= (design.side[0] == 0).sum()
    whole += rng.gumbel(size=whole.shape)
    ahead = whole[..., None, :] > whole[..., :, None] + design.draws * (design.sides == 2)
    found: Ints = 1 + ahead.sum(axis=-1)
    return found


def shares(design: Design, place: Ints) -> Floats:
    """(*shape, matches, seats, seats): by whom every seat came out ahead of which, 0 on its own side."""
    side = np.broadcast_to(design.side, (*place.shape[:-1], design.side.shape[1]))
    seat = np.take_along_axis(place, side, -1)
    points = 0.5 + 0.5 * np.sign(seat[..., None, :] - seat[..., :, None])
    found: Floats = points * (design.side[:, :, None] != design.side[:, None, :])
    return found


def covered(design: Design, deals: int, times: int, truth: dict[str, Floats], seed: int) -> dict[str, float]:
    """The part of intervals that hold the truth: of bots' shares, pairs' direct shares and strengths."""
    rng = np.random.default_rng([seed, deals])
    bots = len(design.strength)
    counts = {"share": [0, 0], "meetings": [0, 0], "difference": [0, 0]}
    some = max(1, 20_000 // (deals * len(design.player)))
    for start in range(0, times, some):
        reps = min(some, times - start)
        place = places(design, (reps, deals), rng)
        for kind, groups in (("share", bots), ("meetings", bots * bots)):
            _tally(counts[kind], *_intervals(design, place, kind), np.tile(truth[kind], (reps, 1)), groups)
        for rep in range(reps):
            judged = verdicts(strengths(as_outcomes(design, place[rep])))
            for a, b in itertools.combinations(range(bots), 2):
                low, high = judged.interval(a, b)
                counts["difference"][0] += low <= truth["difference"][a, b] <= high
                counts["difference"][1] += 1
    return {kind: hit / all_ for kind, (hit, all_) in counts.items()}


def _tally(count: list[int], low: Floats, high: Floats, truth: Floats, groups: int) -> None:
    known = ~np.isnan(truth.reshape(-1))
    inside = (low <= truth.reshape(-1)) & (truth.reshape(-1) <= high)
    count[0] += int(inside[known].sum())
    count[1] += int(known.sum())
    assert len(low) % groups == 0


def _intervals(design: Design, place: Ints, kind: str) -> tuple[Floats, Floats]:
    """Ends of intervals of every repetition's bots or pairs of bots."""
    reps, deals = place.shape[:2]
    bots = len(design.strength)
    points = shares(design, place)
    matches, seats = design.player.shape
    against = design.side[:, :, None] != design.side[:, None, :]
    mine = np.broadcast_to(design.player[:, :, None], (matches, seats, seats))[against]
    other = np.broadcast_to(design.player[:, None, :], (matches, seats, seats))[against]
    groups = bots if kind == "share" else bots * bots
    code = mine if kind == "share" else mine * bots + other
    shape = (reps, deals, len(code))
    group = (np.arange(reps)[:, None, None] * groups + np.broadcast_to(code, shape)).ravel()
    cluster = np.broadcast_to(np.arange(deals)[None, :, None], shape).ravel()
    total = points[..., against].ravel()
    found = ratios(group, cluster, total, np.ones(len(total)), reps * groups, (0.0, 1.0))
    return found.low, found.high


def as_outcomes(design: Design, place: Ints) -> Outcomes:
    """One repetition's results; `place` is (deals, matches, sides)."""
    deals, matches, sides = place.shape
    members = []
    for match in range(matches):
        groups = [
            list(dict.fromkeys(design.player[match][design.side[match] == side].tolist()))
            for side in range(sides)
        ]
        members.append(groups)
    count = deals * matches
    player = np.broadcast_to(np.array(members), (deals, *np.array(members).shape))
    first = np.argmax(design.side[0][None, :] == np.arange(sides)[:, None], axis=1)
    return Outcomes(
        entrants=[Entrant(f"bot{n}", "1") for n in range(len(design.strength))],
        ids=[f"{n:09d}" for n in range(count)],
        deals=[f"deal/{n}" for n in range(deals)],
        deal=np.repeat(np.arange(deals), matches),
        player=player.reshape(count, sides, -1).astype(np.int64),
        first=np.broadcast_to(first, (count, sides)).astype(np.int64),
        rank=place.reshape(count, sides),
        score=-place.reshape(count, sides).astype(np.float64),
        offender=np.zeros((count, sides, player.shape[-1]), dtype=bool),
    )


def truth(design: Design, deals: int = 60_000) -> dict[str, Floats]:
    """What so many deals say: their error is a fourteenth of that of 300."""
    rng = np.random.default_rng(12345)
    bots = len(design.strength)
    won, met = np.zeros((bots, bots)), np.zeros((bots, bots))
    kept = []
    against = design.side[:, :, None] != design.side[:, None, :]
    for _ in range(deals // 5_000):
        place = places(design, (5_000,), rng)
        points = shares(design, place).sum(axis=0)
        for match, i, j in zip(*np.nonzero(against), strict=True):
            won[design.player[match, i], design.player[match, j]] += points[match, i, j]
            met[design.player[match, i], design.player[match, j]] += 5_000
        kept.append(place)
    value = strengths(as_outcomes(design, np.concatenate(kept))).value
    with np.errstate(invalid="ignore"):
        direct = won / met
    return {
        "share": won.sum(axis=1) / met.sum(axis=1),
        "meetings": direct.ravel(),
        "difference": value[:, None] - value[None, :],
    }


def false_verdicts(design: Design, deals: int, times: int, seed: int) -> float:
    """How often any pair of equal bots is told apart."""
    rng = np.random.default_rng([seed, deals, 1])
    equal = design.equal()
    wrong = 0
    for _ in range(times):
        judged = verdicts(strengths(as_outcomes(equal, places(equal, (deals,), rng))))
        wrong += bool(judged.better.any())
    return wrong / times


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--times", type=int, default=2000)
    parser.add_argument("--deals", type=int, nargs="+", default=DEALS)
    parser.add_argument("--design", nargs="+", help="all where none is named")
    given = parser.parse_args(arguments)
    print(f"{given.times} repetitions\n")
    print("| design | deals | score % | direct meetings | difference of strengths | equal bots told apart |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for design in designs():
        if given.design and design.name not in given.design:
            continue
        known = truth(design)
        for deals in given.deals:
            found = covered(design, deals, given.times, known, seed=1)
            wrong = false_verdicts(design, deals, given.times, seed=1)
            cells = " | ".join(f"{100 * found[kind]:.1f} %" for kind in ("share", "meetings", "difference"))
            print(f"| {design.name} | {deals} | {cells} | {100 * wrong:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
