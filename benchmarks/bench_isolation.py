"""What isolation costs, beside its budgets: `make bench-isolation`.

A worker and its seats are on one core, as in a run. Everything is measured at the best level that this
machine has; medians, because other programs on the machine add to every figure and take from none.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import engines
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

LOWEST = """
from bots import Bot
from engines.kozyri.common import Kind
class Lowest(Bot):
    def act(self, seen):
        plays = [move for move in seen.moves if move.kind is not Kind.TAKE]
        return min(plays, key=lambda move: move.card.rank) if plays else seen.moves[-1]
"""
RULES = '{"cap":60,"cap_result":"fewest_cards"}'
"""Duels of about 45 decisions; some pairs of bots would go on for hundreds."""
LIMITS = Limits(cpu_ms=200, bank_ms=10_000, memory_mb=512)


def main() -> None:
    """Measure and print; exit with 1 where a budget is not kept."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--level", default="auto", choices=("auto", *levels.LEVELS))
    options.add_argument("--soak", type=int, metavar="N", help="play N matches instead, and watch what grows")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lowest.py"
        path.write_text(LOWEST, encoding="utf-8")
        Path(folder).chmod(0o755)
        source = submissions.at(path)
        if chosen.soak:
            soak(source, chosen.level, chosen.soak)
            return
        sys.exit(0 if all([*one_seat(source, chosen.level), matches(source, chosen.level)]) else 1)


def one_seat(source: submissions.Source, level: str) -> list[bool]:
    """The parts, one by one."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    spawner = Spawner(level, own=own_files(source))
    print(f"level {spawner.level}")
    game = engines.load("kozyri-duel", cap=60, cap_result="fewest_cards")
    code = code_of(source)

    def start() -> IsolatedPlayer:
        from random import Random

        player = IsolatedPlayer(spawner, code, {}, LIMITS)
        player.start(game, 0, Random(1))
        return player

    starts = []
    for _ in range(200):
        began = time.perf_counter()
        player = start()
        starts.append((time.perf_counter() - began) * 1e3)
        player.close()
    player = start()
    state = game.deal(1)
    view, legal = game.view(state, int(state.seat)), tuple(game.table[move] for move in state.moves())
    from bots.core.bot import Clock

    clock = Clock(0.2, 10.0)
    asks = timed(lambda: player.act(view, legal, [], clock), 5000)
    watch = ProcessClock(os.getpid())
    reads = [value / 100 for value in timed(lambda: [watch.cpu_ns() for _ in range(100)], 200)]
    encoded = timed(lambda: wire.ask(1, view, legal, [], clock), 5000)
    player.close()
    spawner.close()
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    print(f"  of a round trip, putting the question together: {statistics.median(encoded):.1f} us")
    return [
        budget("seat start, median", statistics.median(starts), 5.0, "ms", tail(starts)),
        budget("round trip, median", statistics.median(asks), 40.0, "us", tail(asks)),
        budget("reading the clock", statistics.median(reads), 1.0, "us", tail(reads)),
    ]


def timed(call: Callable[[], object], times: int) -> list[float]:
    """Microseconds of each of so many calls."""
    found = []
    for _ in range(times):
        began = time.perf_counter_ns()
        call()
        found.append((time.perf_counter_ns() - began) / 1e3)
    return found


def tail(values: list[float]) -> str:
    """The best and the worst of what was measured."""
    ordered = sorted(values)
    return f"least {ordered[0]:.2f}, p99 {ordered[len(ordered) * 99 // 100]:.2f}"


def budget(what: str, found: float, allowed: float, unit: str, more: str) -> bool:
    """Print one line; whether it is within."""
    kept = found <= allowed
    print(f"{'ok ' if kept else 'OVER'} {what}: {found:.2f} {unit} (at most {allowed:g}; {more})")
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


def matches(source: submissions.Source, level: str, seconds: float = 4.0) -> bool:
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
    kept = rate >= 100
    print(
        f"{'ok ' if kept else 'OVER'} matches: {rate:.0f} a second with {workers} workers (at least 100), "
        f"{decisions / max(1, played):.0f} decisions each"
    )
    return kept


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


def holdings() -> str:
    """Memory, descriptors and processes of this process and its descendants."""
    me = Path("/proc/self")
    others = descendants()
    return (
        f"{resident_mb(os.getpid())} MB, {len(list((me / 'fd').iterdir()))} descriptors, "
        f"{len(others)} processes with {sum(map(resident_mb, others))} MB"
    )


def resident_mb(process: int) -> int:
    """Megabytes that a process has in memory; 0 where it is gone."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def descendants() -> list[int]:
    """Numbers of all processes below this one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    found = [os.getpid()]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]


if __name__ == "__main__":
    main()
