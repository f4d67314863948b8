"""Speed of the whole line: decisions a second through schedule, worker, tables and files, on two games.

    python benchmarks/bench_line.py [--seconds 4] [--long] [--no-ray]

`line` is everything from specs to files on disk, in one process; `bare` plays the same matches with engine
and bots alone: deal, moves, view, act, play. What lies between is the harness. CPU time, medians over
batches that are played both ways one after the other, as the machine may be shared.

Then the same batches on a plain process pool, on our worker processes and on Ray, with one worker and with
two, start not counted; `--long` plays each for 20 s. Last, how long a whole run takes that plays next to
nothing: the set-up, from config to report.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple, Protocol

from bots.core.bot import Seen
from engines.core.bits import COMPILED
from harness import config as configs
from harness import formats, report, submissions, tournament
from harness.config import RunConfig
from harness.executors.base import Batch, BatchResult, Setup
from harness.executors.choice import open_executor
from harness.luck import bot_luck
from harness.records import MatchSpec
from harness.store.parquet import ParquetStore
from harness.worker import Worker, game

GAMES = ("kozyri-duel", "seven-symbols")
LINES = (
    *((name, "uniform") for name in GAMES),
    ("kozyri-duel", "duel-alphabeta"),
    ("seven-symbols", "seven-search"),
)
"""Games and who plays them: bots that cost nothing, and bots that think."""
BATCH_SECONDS = 0.25
"""Short beside a measurement, so that its ends do not matter."""
TURNS = 4
"""Each kind of workers is measured in so many pieces."""


def settings(name: str, bot: str = "uniform") -> RunConfig:
    """A bot against itself at one game, with more deals than anybody needs."""
    bots = "".join(f'[[bots]]\nname = "{bot}-{n}"\nbot = "{bot}"\n' for n in (1, 2))
    text = f'game = "{name}"\nformat = {{ name = "round_robin", deals = 400000 }}\n{bots}'
    return configs.parse(text, file="bench", folder=Path(), name="bench")


def setup_of(config: RunConfig) -> Setup:
    return Setup({(bot.ref.name, bot.ref.version): bot.source for bot in config.bots})


def specs_of(config: RunConfig) -> Iterator[MatchSpec]:
    """All specs in schedule order, without looking at any result."""
    schedule = formats.schedule(config)
    round_ = next(schedule)
    while True:
        yield from round_
        try:
            round_ = schedule.send(())
        except StopIteration:
            return


class Sample(NamedTuple):
    """One batch, played both ways."""

    matches: int
    decisions: int
    line: float
    """CPU seconds of the whole line."""
    bare: float
    """CPU seconds of engine and bots alone."""


def samples(config: RunConfig, seconds: float) -> list[Sample]:
    """Batches of about a third of a second, each played both ways one right after the other."""
    worker = Worker(setup_of(config))
    specs = specs_of(config)
    worker.play(Batch(tuple(islice(specs, 2))))
    found: list[Sample] = []
    size = 4
    until = time.perf_counter() + 2 * seconds
    with tempfile.TemporaryDirectory() as folder, ParquetStore(Path(folder)) as store:
        while time.perf_counter() < until or len(found) < 5:
            batch = Batch(tuple(islice(specs, size)))
            began = time.process_time()
            result = worker.play(batch)
            assert result.tables is not None
            store.append(result.tables)
            line = time.process_time() - began
            alone = bare(config, batch.specs)
            decisions = sum(result.tables.seats.column("decisions").to_pylist())
            found.append(Sample(len(batch.specs), decisions, line, alone))
            size = max(2, int(size * 0.3 / result.seconds / 2) * 2)
        began = time.process_time()
        store.flush()
        # In a run a part is written every five seconds: each batch bears its share of the last one's cost.
        share = (time.process_time() - began) / max(1, min(len(found), 15))
    return [sample._replace(line=sample.line + share) for sample in found[1:]]


def bare(config: RunConfig, specs: Sequence[MatchSpec]) -> float:
    """CPU seconds of the same matches with engine and bots alone."""
    kinds = {bot.ref: submissions.bot_type(bot.source) for bot in config.bots}
    began = time.process_time()
    for spec in specs:
        rules = game(spec.game, spec.rules)
        table = rules.table
        players: list[Any] = [
            kinds[ref](rules, seat, Random(bot_luck(spec, seat))) for seat, ref in enumerate(spec.seats)
        ]
        state = rules.deal(spec.luck)
        while (seat := int(state.seat)) >= 0:
            moves = state.moves()
            if len(moves) == 1:
                state.play(moves[0])
            else:
                seen: Seen[Any] = Seen(seat, rules.view(state, seat), tuple([table[i] for i in moves]))
                state.play(int(players[seat].act(seen)))
        state.outcome()
    return time.process_time() - began


def drained(executor: Players, batches: Iterator[Batch], seconds: float) -> tuple[int, float]:
    """Matches and wall seconds of workers that are kept busy for `seconds`, and then finish."""
    began = time.perf_counter()
    matches = flight = 0
    while True:
        while time.perf_counter() - began < seconds and executor.room():
            executor.submit(next(batches))
            flight += 1
        if not flight:
            return matches, time.perf_counter() - began
        for result in executor.collect(1.0):
            matches += result.played
            flight -= 1


class Players(Protocol):
    """What an executor and the yardstick have in common."""

    def room(self) -> bool: ...

    def submit(self, batch: Batch) -> None: ...

    def collect(self, timeout: float) -> Sequence[BatchResult]: ...

    def close(self) -> None: ...


_worker: list[Worker] = []


def _begin(setup: Setup) -> None:
    # As the workers of both executors have it: Linux shares out a busy machine by session.
    os.setsid()
    _worker[:] = [Worker(setup)]


def _play(batch: Batch) -> BatchResult:
    return _worker[0].play(batch)


class PlainPool:
    """The yardstick: concurrent.futures with two batches in flight for each process."""

    def __init__(self, setup: Setup, workers: int) -> None:
        self._pool = ProcessPoolExecutor(workers, initializer=_begin, initargs=(setup,))
        self._flight: set[Future[BatchResult]] = set()
        self._most = 2 * workers

    def room(self) -> bool:
        return len(self._flight) < self._most

    def submit(self, batch: Batch) -> None:
        self._flight.add(self._pool.submit(_play, batch))

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        done, self._flight = wait(self._flight, timeout, FIRST_COMPLETED)
        return [future.result() for future in done]

    def close(self) -> None:
        self._pool.shutdown()


def compared(
    setup: Setup, config: RunConfig, size: int, seconds: float, workers: int, *, ray: bool
) -> dict[str, float]:
    """Matches a second of each kind of workers; they take turns, so that a busy machine is busy for all."""
    kinds: dict[str, Players] = {"plain pool": PlainPool(setup, workers)}
    totals = {}
    try:
        for kind in ("local", "ray") if ray else ("local",):
            kinds[kind] = open_executor(kind, setup, workers=workers)
        for executor in kinds.values():
            drained(executor, batches_of(config, size), 0.5)
        totals = {kind: [0.0, 0.0] for kind in kinds}
        for _ in range(TURNS):
            for kind, executor in kinds.items():
                for index, value in enumerate(drained(executor, batches_of(config, size), seconds / TURNS)):
                    totals[kind][index] += value
    finally:
        for executor in kinds.values():
            executor.close()
    return {kind: matches / spent for kind, (matches, spent) in totals.items()}


def set_up(kind: str) -> float:
    """Seconds of a run that plays one deal set on two workers, with everything before and after it."""
    config = settings(GAMES[0])
    config = replace(config, format_options={**config.format_options, "deals": 1}, self_play=0)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        began = time.perf_counter()
        tournament.run(config, out=out, executor=kind, workers=2)
        report.write(out)
        return time.perf_counter() - began


def batches_of(config: RunConfig, size: int) -> Iterator[Batch]:
    specs = specs_of(config)
    while chunk := tuple(islice(specs, size)):
        yield Batch(chunk)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--long", action="store_true", help="20 s for each executor")
    parser.add_argument("--no-ray", action="store_true", help="leave Ray out")
    arguments = parser.parse_args()
    print(f"engines {'compiled' if COMPILED else 'in pure Python'}; bots in the worker's own process")
    print(
        "game            bots             matches  decisions  decisions/s  us/decision  bare us/dec."
        "  outside bots and engine"
    )
    pace = {}
    for name, bot in LINES:
        found = samples(settings(name, bot), arguments.seconds)
        each = median(sample.line / sample.decisions for sample in found)
        alone = median(sample.bare / sample.decisions for sample in found)
        share = 1 - median(sample.bare / sample.line for sample in found)
        pace[name, bot] = median(sample.line / sample.matches for sample in found)
        counts = [sum(sample[index] for sample in found) for index in (0, 1)]
        print(
            f"{name:15} {bot:14} {counts[0]:9} {counts[1]:10} {1 / each:12,.0f} {each * 1e6:12.2f} "
            f"{alone * 1e6:12.2f}{share:25.1%}"
        )
    seconds = 20.0 if arguments.long else arguments.seconds
    name = GAMES[1]
    config = settings(name)
    setup = setup_of(config)
    size = max(2, int(BATCH_SECONDS / pace[name, "uniform"] / 2) * 2)
    alone = 0.0
    for workers in (1, 2):
        print(f"\n{name} on {workers} workers, batches of {size} matches, {seconds:g} s each")
        rates = compared(setup, config, size, seconds, workers, ray=not arguments.no_ray)
        alone = alone or rates["plain pool"]
        for kind, matches in rates.items():
            print(
                f"{kind:10} {matches:10,.0f} matches/s  {matches / rates['plain pool']:6.1%} of the pool "
                f"{matches / alone / workers:6.1%} of it with one worker, for each"
            )
    print("\na run of two matches, from config to report")
    for kind in ("local",) if arguments.no_ray else ("local", "ray"):
        print(f"{kind:10} {set_up(kind):6.2f} s")


if __name__ == "__main__":
    main()
