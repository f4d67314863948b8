"""What the sequential test of `compare` costs and how often it errs; the tables of docs/statistics.md.

    python -m benchmarks.bench_compare errors [--times 2000]
    python -m benchmarks.bench_compare duplicates [--sets 1000] [--times 400]

`errors` simulates two bots on 64 workers whose wins last five times as long as losses. `duplicates` plays
real bots, a pool of deal sets for each pair, and runs the test on deal sets drawn from it; beside it the same
test on independent deals: then the matches of a "set" come from deals of their own, one from each seating.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, pvariance

from benchmarks.simulated import Bots, End, by_completion, by_rounds
from harness import config as configs
from harness import formats
from harness.analysis.sequential import EVEN, Shares
from harness.executors.base import Setup
from harness.formats import compare
from harness.worker import Worker

VERSIONS = Path(__file__).parent / "versions"
EQUAL = {"equal, most sets cancel": Bots(0.1, 0.1), "equal, few sets cancel": Bots(0.4, 0.4)}
APART = {
    "share 52 %": Bots(0.22, 0.18),
    "share 53 %": Bots(0.23, 0.17),
    "share 55 %": Bots(0.25, 0.15),
    "share 60 %": Bots(0.30, 0.10),
}
PAIRS = [
    ("kozyri-duel", "", "duel-longsuit", "duel_no_ending"),
    ("kozyri-duel", "", "duel-longsuit", "duel_lowest"),
    ("kozyri-duel", "", "steady", "uniform"),
    ("seven-symbols", "", "seven-collector", "seven_no_burden"),
    ("seven-symbols", "", "seven-collector", "seven_blind_gifts"),
    ("seven-symbols", "", "seven-collector", "seven_free_cards"),
    ("seven-symbols", "", "steady", "uniform"),
    ("seven-symbols", "seats = 3", "seven-collector", "seven_blind_gifts"),
]


def errors(times: int) -> None:
    """Verdicts of equal and unequal bots."""
    options = compare.Options()
    print(f"margin {options.margin}, error {options.error}, {times} comparisons each, 64 workers\n")
    print("| bots | looked at | better | worse | equal | open | mean sets |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")

    def row(name: str, how: str, one: Callable[[Random], End], count: int) -> None:
        ends = [one(Random(f"{name}/{how}/{n}")) for n in range(count)]
        found = Counter(end.verdict for end in ends)
        cells = " | ".join(f"{100 * found[v] / count:.1f} %" for v in ("better", "worse", "equal", "open"))
        print(f"| {name} | {how} | {cells} | {fmean(end.sets for end in ends):,.0f} |", flush=True)

    for name, bots in EQUAL.items():
        row(name, "whole rounds", lambda rng, b=bots: by_rounds(options, b, 64, rng), times)  # type: ignore[misc]  # bound now
        row(
            name,
            "in order of completion",
            lambda rng, b=bots: by_completion(options.test, b, 2_000, 64, rng),  # type: ignore[misc]  # bound now
            max(1, times // 20),
        )
    for name, bots in APART.items():
        row(name, "whole rounds", lambda rng, b=bots: by_rounds(options, b, 64, rng), max(1, times // 4))  # type: ignore[misc]  # bound now


def pool(game: str, rules: str, bots: Sequence[str], sets: int) -> list[list[float]]:
    """For every deal the share of each of its matches, by seating."""
    tables = ""
    for bot in bots:
        where = f'path = "{VERSIONS / bot}.py"' if (VERSIONS / f"{bot}.py").exists() else f'bot = "{bot}"'
        tables += f'[[bots]]\nname = "{bot}"\n{where}\n'
    text = f'game = "{game}"\nrules = {{{rules}}}\nformat = {{name = "compare", first = {sets}}}\n{tables}'
    config = configs.parse(text, file="pool", folder=Path(), name="pool")
    worker = Worker(Setup({(bot.ref.name, bot.ref.version): bot.source for bot in config.bots}))
    (table,) = formats.tables(config)
    found = []
    for _, specs in itertools.groupby(next(formats.schedule(config)), key=lambda spec: spec.set_id):
        shares = []
        for spec in specs:
            alone = compare.pairing_of(table)
            alone.size = 1
            alone.add([worker.play_one(spec)])
            shares.append(alone.meetings[0].share)
        found.append(shares)
    return found


def needed(options: compare.Options, draw: Callable[[Random], float], times: int) -> tuple[str, float]:
    """The usual verdict, and the mean number of sets to any."""
    ends = []
    for number in range(times):
        rng, shares, played = Random(number), Shares(), 0
        for last in compare.looks(options):
            shares.add(draw(rng) for _ in range(last - played))
            played = last
            verdict = options.test.verdict(shares)
            if verdict != "open":
                break
        ends.append(End(verdict, played))
    common, count = Counter(end.verdict for end in ends).most_common(1)[0]
    return f"{common} ({100 * count / times:.0f} %)", fmean(end.sets for end in ends)


def duplicates(sets: int, times: int) -> None:
    """Matches to a verdict on deal sets and on independent deals."""
    options = compare.Options(deals=100_000)
    print(f"pools of {sets} deal sets, {times} comparisons each, margin {options.margin}\n")
    print("| game | bots | share | sets level | variance | verdict | matches | independent | part |")
    print("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
    for game, rules, *bots in PAIRS:
        played = pool(game, rules, bots, sets)
        size = len(played[0])
        means = [math.fsum(deal) / size for deal in played]
        alone = sum(pvariance([deal[n] for deal in played]) for n in range(size)) / size**2

        def duplicate(rng: Random, means: list[float] = means) -> float:
            return rng.choice(means)

        def independent(rng: Random, played: list[list[float]] = played, size: int = size) -> float:
            return math.fsum(rng.choice(played)[n] for n in range(size)) / size

        verdict, ours = needed(options, duplicate, times)
        _, theirs = needed(options, independent, times)
        level = sum(mean == EVEN for mean in means) / len(means)
        event = f"{game}, {rules}" if rules else game
        print(
            f"| {event} | {' / '.join(bots)} | {100 * fmean(means):.1f} % | {100 * level:.0f} % | "
            f"{pvariance(means) / alone:.2f} | {verdict} | {ours * size:,.0f} | {theirs * size:,.0f} | "
            f"{ours / theirs:.2f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="what", required=True)
    simulated = commands.add_parser("errors")
    simulated.add_argument("--times", type=int, default=2_000)
    real = commands.add_parser("duplicates")
    real.add_argument("--sets", type=int, default=1_000)
    real.add_argument("--times", type=int, default=400)
    chosen = parser.parse_args()
    if chosen.what == "errors":
        errors(chosen.times)
    else:
        duplicates(chosen.sets, chosen.times)


if __name__ == "__main__":
    main()
