"""What isolation costs, beside its budgets: `make bench-isolation`.

A worker and its seats are on one core, as in a run. Everything is measured at the best level that this
machine has; medians, because other programs on the machine add to every figure and take from none.

Machines differ by several times in what a fork or a system call costs, virtual ones most. So each figure is
also shown as a ratio to its floor: what the kernel alone takes for it, measured in turn with ours.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

import engines
from bots.core.bot import Clock
from engines.core.bits import COMPILED
from harness import submissions
from harness.executors.base import Batch, Setup
from harness.executors.local import WorkerPool
from harness.luck import deal_luck
from harness.players import levels, wire
from harness.players.clocks import ProcessClock
from harness.players.isolated import IsolatedPlayer
from harness.players.maker import code_of, own_files
from harness.players.spawner import Spawner
from harness.records import BotRef, Limits, MatchSpec
from harness.worker import Worker

# Last, so that an installed Croupier stands before the sources that this file lies beside.
sys.path.append(str(Path(__file__).parent.parent))
from benchmarks.floors import Floors
from benchmarks.holdings import descendants, holdings

LOWEST = """
from bots import Bot
from engines.kozyri.common import Kind
class Lowest(Bot):
    def act(self, seen):
        plays = [move for move in seen.moves if move.kind is not Kind.TAKE]
        return min(plays, key=lambda move: move.card.rank) if plays else seen.moves[-1]
"""
FIRST = """
from bots import Bot
class First(Bot):
    def act(self, seen):
        return seen.moves[0]
"""
"""Takes no time of its own, so that a round trip is isolation's alone."""
RULES = '{"cap":60,"cap_result":"fewest_cards"}'
"""Duels of about 45 decisions; some pairs of bots would go on for hundreds."""
LIMITS = Limits(cpu_ms=200, bank_ms=10_000, memory_mb=512)
TURNS = 20
"""Ours and the floor are measured in so many turns."""


def main() -> None:
    """Measure and print; exit with 1 where a budget is not kept."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--level", default="auto", choices=("auto", *levels.LEVELS))
    options.add_argument("--soak", type=int, metavar="N", help="play N matches instead, and watch what grows")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        source, first = written(folder, "lowest", LOWEST), written(folder, "first", FIRST)
        if chosen.soak:
            soak(source, chosen.level, chosen.soak)
            return
        taken = one_seat(source, first, chosen.level)
        kept = parts(taken)
        match_cpu(source, chosen.level)
        sys.exit(0 if all([*kept, matches(source, chosen.level, taken)]) else 1)


Taken = Mapping[str, list[float]]
"""What was measured, by name."""


def written(folder: str, name: str, text: str) -> submissions.Source:
    """A bot of one file."""
    path = Path(folder) / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return submissions.at(path)


def one_seat(source: submissions.Source, first: submissions.Source, level: str) -> Taken:
    """Each part of a seat, in turn with what the kernel alone takes for it: ms of `…_ms`, else µs."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    spawner = Spawner(level, own=[*own_files(source), *own_files(first)])
    print(f"level {spawner.level}, engines {'compiled' if COMPILED else 'in pure Python'}")
    game = engines.load("kozyri-duel", cap=60, cap_result="fewest_cards")
    state = game.deal(1)
    view, legal = game.view(state, int(state.seat)), tuple(game.table[move] for move in state.moves())
    clock = Clock(0.2, 10.0)
    message = wire.ask(1, view, legal, [], clock)
    taken: dict[str, list[float]] = defaultdict(list)

    def seated(code: wire.Code) -> IsolatedPlayer:
        player = IsolatedPlayer(spawner, code, {}, LIMITS)
        player.start(game, 0, 1)
        return player

    with Floors() as floors:
        starting = code_of(source)
        starting.compiled = spawner.compiled(starting, 10**9)  # as a worker has it done once for a bot
        asked, asked_lowest = seated(code_of(first)), seated(starting)
        watch = ProcessClock(max(descendants(os.getpid())))  # of the seat that was started last
        for _ in range(TURNS):
            began = time.perf_counter()
            for _ in range(10):
                before = time.perf_counter()
                player = seated(starting)
                taken["start_ms"].append((time.perf_counter() - before) * 1e3)
                player.close()
            # The kernel takes a seat's memory away while the next one starts.
            taken["start_to_end_ms"].append((time.perf_counter() - began) * 1e3 / 10)
            taken["fork_ms"] += [floors.fork_ns() / 1e6 for _ in range(10)]
            taken["act"] += timed(lambda: asked.act(view, legal, [], clock), 250)
            taken["act of lowest"] += timed(lambda: asked_lowest.act(view, legal, [], clock), 250)
            taken["thawed exchange"] += [floors.thawed_exchange_ns(message) / 1e3 for _ in range(250)]
            taken["exchange"] += [floors.exchange_ns(message) / 1e3 for _ in range(250)]
            taken["freeze"] += [floors.freeze_ns() / 1e3 for _ in range(50)]
            taken["clock"] += [x / 100 for x in timed(lambda: [watch.cpu_ns() for _ in range(100)], 10)]
            taken["read"] += [floors.read_ns() / 1e3 for _ in range(10)]
            taken["question"] += timed(lambda: wire.ask(1, view, legal, [], clock), 250)
        asked.close()
        asked_lowest.close()
    spawner.close()
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return taken


def parts(taken: Taken) -> list[bool]:
    """Print each part beside its budget and its floor; whether each is within."""
    middle = {what: statistics.median(values) for what, values in taken.items()}
    kept = [
        budget("seat start", taken["start_ms"], 5.0, "ms", middle["fork_ms"], "fork, end and wait(2)"),
        budget(
            "round trip", taken["act"], 40.0, "us", middle["thawed exchange"], "bytes, thaw, freeze, clock"
        ),
        budget("reading the clock", taken["clock"], 1.0, "us", middle["read"], "clock_gettime"),
    ]
    print(
        f"   a seat from start to end: {middle['start_to_end_ms']:.2f} ms; of a round trip the bytes there "
        f"and back are {middle['exchange']:.1f} us, freeze and thaw {middle['freeze']:.1f} us, putting the "
        f"question together {middle['question']:.1f} us; with a bot that looks at its moves it takes "
        f"{middle['act of lowest']:.1f} us"
    )
    return kept


def timed(call: Callable[[], object], times: int) -> list[float]:
    """Microseconds of each of so many calls."""
    found = []
    for _ in range(times):
        began = time.perf_counter_ns()
        call()
        found.append((time.perf_counter_ns() - began) / 1e3)
    return found


def budget(what: str, found: list[float], allowed: float, unit: str, floor: float, of: str) -> bool:
    """Print one line; whether the median is within."""
    median, ordered = statistics.median(found), sorted(found)
    kept = median <= allowed
    print(
        f"{'ok ' if kept else 'OVER'} {what}: {median:.2f} {unit} (at most {allowed:g}; "
        f"least {ordered[0]:.2f}, p99 {ordered[len(ordered) * 99 // 100]:.2f}); "
        f"{median / floor:.1f} times the floor, {floor:.2f} for {of}"
    )
    return kept


def specs(source: submissions.Source, count: int) -> list[MatchSpec]:
    """Duels of one bot against itself."""
    ref = BotRef(source.name, source.version)
    return [
        MatchSpec(
            id=f"000000-{number:06}-00",
            game="kozyri-duel",
            rules=RULES,
            deal=f"kozyri-duel/{number}",
            luck=deal_luck(1, "kozyri-duel", number),
            round=0,
            line_up=0,
            seating=0,
            seats=(ref, ref),
            limits=LIMITS,
        )
        for number in range(count)
    ]


def setup_of(source: submissions.Source, level: str) -> Setup:
    """Workers' part."""
    return Setup({(source.name, source.version): source}, level)


def matches(source: submissions.Source, level: str, taken: Taken, seconds: float = 4.0) -> bool:
    """Whole matches, two workers."""
    workers = min(2, len(os.sched_getaffinity(0)))
    pool = WorkerPool(setup_of(source, level), workers)
    played = decisions = 0
    everything = specs(source, 100_000)
    batches = iter([Batch(tuple(everything[i : i + 20])) for i in range(0, len(everything), 20)])
    try:
        for _ in range(workers):
            pool.submit(next(batches))
        warm = 0
        while warm < workers:  # zygotes are started
            warm += len(pool.collect(60.0))
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            while pool.room():
                pool.submit(next(batches))
            for result in pool.collect(1.0):
                played += result.played
                assert not result.losses, result.losses
                assert result.tables is not None
                decisions += sum(result.tables.seats["decisions"].to_pylist())
        rate = played / (time.perf_counter() - began)
    finally:
        pool.close()
    each = decisions / max(1, played)
    least_ms = (
        2 * statistics.median(taken["fork_ms"]) + each * statistics.median(taken["thawed exchange"]) / 1e3
    )
    kept = rate >= 100
    print(
        f"{'ok ' if kept else 'OVER'} matches: {rate:.0f} a second with {workers} workers (at least 100), "
        f"{each:.0f} decisions each; {workers * 1e3 / least_ms / rate:.1f} times slower than the floors of "
        f"two seats and their decisions"
    )
    return kept


def match_cpu(source: submissions.Source, level: str) -> None:
    """Print the CPU of a match, which a busy machine changes less than matches a second.

    Long play less short play, so that the start of a zygote is no part of it.
    """
    few, many = 50, 250
    each_ms = (played_cpu(source, level, many) - played_cpu(source, level, few)) * 1e3 / (many - few)
    print(
        f"   a match takes {each_ms:.1f} ms of CPU, all processes together: "
        f"{2e3 / each_ms:.0f} a second on two cores"
    )


def played_cpu(source: submissions.Source, level: str, count: int) -> float:
    """Seconds of CPU of a worker's life of so many matches, with its zygote's and all its seats'."""

    def spent() -> float:
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)

    before = spent()
    worker = Worker(setup_of(source, level))
    result = worker.play(Batch(tuple(specs(source, count))))
    worker.close()
    assert not result.losses, result.losses
    return spent() - before


def soak(source: submissions.Source, level: str, count: int) -> None:
    """Play many matches in one worker and print what it holds now and then."""
    worker = Worker(setup_of(source, level))
    everything = specs(source, count)
    began = time.perf_counter()
    for first in range(0, count, 500):
        result = worker.play(Batch(tuple(everything[first : first + 500])))
        assert not result.losses, result.losses
        done = first + result.played
        print(f"{done:6} matches, {done / (time.perf_counter() - began):.0f}/s: {holdings()}", flush=True)
    worker.close()
    print(f"closed: {holdings()}")


if __name__ == "__main__":
    main()
