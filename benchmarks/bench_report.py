"""A report over a million matches: time and peak memory of ratings, intervals, verdicts and the page.

    python benchmarks/bench_report.py [--matches 1000000] [--seats 4]

The run is made up (bots of known strength, deals with luck of their own) and written by the store that
writes real ones. Every step is a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from engines.core.game import places
from harness import ratings
from harness import report as reports
from harness.analysis.frames import open_run
from harness.analysis.outcomes import of_table
from harness.analysis.standings import standings
from harness.analysis.statistics import by_bot
from harness.analysis.strengths import strengths
from harness.analysis.tables import Table, tables
from harness.analysis.verdicts import verdicts
from harness.records import BotRef, MatchRecord, MatchSpec, SeatRecord
from harness.store.parquet import ParquetStore
from harness.store.tables import tables_of

AT_ONCE = 5_000
BOTS = 8


def records(matches: int, seats: int) -> Iterator[MatchRecord]:
    """All rotations of all line-ups of eight bots, deal by deal."""
    rng = random.Random(1)
    refs = [BotRef(f"bot{n}", f"{n:012x}") for n in range(BOTS)]
    line_ups = list(itertools.combinations(range(BOTS), seats))
    started = datetime(2026, 11, 30, tzinfo=UTC)
    side = tuple(range(seats))
    for number in range(-(-matches // seats)):
        deal, line_up = divmod(number, len(line_ups))
        cards = [rng.gauss(0, 1) for _ in range(seats)]
        for turn in range(min(seats, matches - number * seats)):
            bots = line_ups[line_up][turn:] + line_ups[line_up][:turn]
            scores = [round(cards[n] - 0.15 * bot + rng.gauss(0, 1), 1) for n, bot in enumerate(bots)]
            spec = MatchSpec(
                id=f"000001-{number:07d}-{turn:02d}",
                game="made-up",
                rules="{}",
                deal=f"made-up/{deal}",
                luck=deal,
                round=1,
                line_up=line_up,
                seating=turn,
                seats=tuple(refs[bot] for bot in bots),
            )
            yield MatchRecord(
                spec=spec,
                status="completed",
                reason="won",
                moves=(0, 1, 2, 3),
                move_seats=(0, 1, 0, 1),
                seats=tuple(
                    SeatRecord(ref, n, score, place, (), 2, 0.5, 0.3)
                    for n, (ref, score, place) in enumerate(
                        zip(spec.seats, scores, places(scores, side), strict=True)
                    )
                ),
                started=started,
                worker=f"node{number % 4}:{number % 16}",
            )


def write(folder: Path, matches: int, seats: int) -> None:
    """A run folder of so many matches."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.toml").write_text('name = "made-up"\nseed = 1\n', encoding="utf-8")
    found = records(matches, seats)
    with ParquetStore(folder) as store:
        while some := list(itertools.islice(found, AT_ONCE)):
            store.append(tables_of(some))


def page(folder: Path) -> Path:
    """All that `croupier report --html` does."""
    run = open_run(folder)
    return reports.write_page(run, reports.build(run))


def measured(name: str, step: Callable[[], object]) -> None:
    """Run a step in a process of its own and print its time and peak memory."""
    process = multiprocessing.get_context("fork").Process(target=_step, args=(name, step))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{name} failed")


def _step(name: str, step: Callable[[], object]) -> None:
    began, used = time.perf_counter(), time.process_time()
    step()
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {name} | {seconds:.1f} | {cpu:.1f} | {peak:,.0f} |", flush=True)


def main() -> None:
    """Write a run and measure what is made of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--seats", type=int, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "made-up"
        print(f"{given.matches:,} matches of {given.seats} seats\n")
        print("| step | seconds | CPU seconds | peak MB |\n| --- | ---: | ---: | ---: |")
        measured("write the files", lambda: write(folder, given.matches, given.seats))

        def table() -> Table:
            return tables(open_run(folder))[0]

        measured("read them", table)
        loaded = table()
        measured("scores and intervals", lambda: by_bot(loaded))
        found = of_table(loaded)
        for method in ratings.available():
            measured(f"rating: {method}", lambda method=method: ratings.method(method).rate(found))  # type: ignore[misc]  # bound now
        measured("verdicts on all pairs", lambda: verdicts(strengths(found)))
        measured("everything: read and rank", lambda: standings(table()))
        measured("everything: report.html", lambda: page(folder))
        print(f"\nreport.html: {(folder / 'report.html').stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
