"""What a long run costs its driver: memory over time, parts, and the time to the first result.

    python benchmarks/soak_memory.py real 200000      duels on two worker processes
    python benchmarks/soak_memory.py made 1000000     results made up here, at some 10,000 a second

`made` replaces the workers only: schedule, loop, store, compaction and digest are those of every run. It
is there because a million real matches take hours. Exits with 1 where the driver's memory grew by more
than 50 MB between the first 10,000 matches and the last.
"""

from __future__ import annotations

import gc
import os
import random
import shutil
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness import config, tournament
from harness.executors.base import Batch, BatchResult
from harness.progress import RunInfo, Silent
from harness.records import MatchRecord, MatchSpec, SeatRecord
from harness.store.tables import tables_of
from harness.worker import tallies

BOTS = 5
PER_DEAL = BOTS * (BOTS - 1)
MOST_GROWTH = 50.0
"""MB."""
FIRST = 10_000
EVERY = 50_000
FIRST_RESULT = 5.0
"""Seconds."""


def resident() -> float:
    """This process's memory now, MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class MadeUp:
    """An executor whose matches are made up: thirty random moves, and somebody wins."""

    name = "made up"
    workers = 2

    def __init__(self) -> None:
        self._waiting: deque[Batch] = deque()
        self._rng = random.Random(1)

    def room(self) -> bool:
        """Four batches wait at most, as with two workers."""
        return len(self._waiting) < 4

    def submit(self, batch: Batch) -> None:
        """Keep it for `collect`."""
        self._waiting.append(batch)

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """Make up the results of one batch; every tenth comes back after the next one."""
        del timeout
        if len(self._waiting) > 1 and self._rng.random() < 0.1:
            self._waiting.rotate(-1)
        batch = self._waiting.popleft()
        records = [self._record(spec) for spec in batch.specs]
        # As if a match took two milliseconds: batches are then of the size that real ones are.
        return [BatchResult(batch, tables_of(records), tallies(records), 0.002 * len(records))]

    def _record(self, spec: MatchSpec) -> MatchRecord:
        moves = tuple(self._rng.choices(range(60), k=30))
        winner = moves[0] % 2
        return MatchRecord(
            spec=spec,
            status="completed",
            reason="won",
            moves=moves,
            move_seats=tuple(number % 2 for number in range(30)),
            seats=tuple(
                SeatRecord(ref, seat, float(seat == winner), 1 + (seat != winner), decisions=15, cpu_ms=0.5)
                for seat, ref in enumerate(spec.seats)
            ),
            move_cpu_us=moves,
            started=datetime.now(UTC),
            wall_ms=2.0,
            worker="host:1",
        )

    def interrupt(self) -> None:
        """Nothing goes on."""

    def close(self) -> None:
        """Nothing to end."""


class Watch(Silent):
    """Prints memory over time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.began = time.monotonic()
        self.first_result = 0.0
        self.played = 0
        self.at_first: float | None = None
        self.most = 0.0
        self._next = FIRST

    def start(self, info: RunInfo) -> None:
        """What is to come."""
        print(f"{info.matches:,} matches on {info.workers} workers ({info.executor})", flush=True)

    def advance(self, result: BatchResult) -> None:
        """A line now and then."""
        self.first_result = self.first_result or time.monotonic() - self.began
        self.played += result.played
        if self.played < FIRST:
            return
        now = resident()
        self.most = max(self.most, now)
        self.at_first = now if self.at_first is None else self.at_first
        if self.played >= self._next:
            parts = sum(1 for _ in (self.folder / "matches").glob("part-*"))
            seconds = time.monotonic() - self.began
            print(
                f"{self.played:>9,} matches  {seconds:7.1f} s  {self.played / seconds:7,.0f}/s  "
                f"{now:6.1f} MB  {parts} parts",
                flush=True,
            )
            self._next = self.played - self.played % EVERY + EVERY


def write_config(folder: Path, matches: int) -> Path:
    """A round robin of so many duels."""
    bots = "".join(f'[[bots]]\nname = "b{number}"\nbot = "uniform"\n' for number in range(BOTS))
    path = folder / "soak.toml"
    path.write_text(
        f'name = "soak"\nseed = 1\nself_play = 0\ngame = "kozyri-duel"\n'
        f'rules = {{ cap = 30, cap_result = "fewest_cards" }}\n'
        f'format = {{ name = "round_robin", deals = {-(-matches // PER_DEAL)} }}\n{bots}',
        encoding="utf-8",
    )
    return path


def main(kind: str, matches: int) -> int:
    """Play, and say what it took."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-soak-"))
    out = folder / "run"
    watch = Watch(out)
    made: Any = MadeUp()
    if kind == "made":
        tournament.open_executor = lambda *_, **__: made  # type: ignore[attr-defined]  # it is imported there
    try:
        result = tournament.run(
            config.read(write_config(folder, matches)), out=out, executor="local", workers=2, progress=watch
        )
        gc.collect()
        at_end = resident()
        watch.most = max(watch.most, at_end)
        sizes = [path.stat().st_size / 1e6 for path in (out / "matches").glob("part-*")]
        logs = sum(path.stat().st_size for path in (out / "logs").iterdir())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if result.interrupted:
        print(f"interrupted after {watch.played:,} matches: neither put together nor checked")
    assert watch.at_first is not None, f"expected more than {FIRST:,} matches"
    growth = watch.most - watch.at_first
    print(f"first result after {watch.first_result:.2f} s; digest {result.digest}")
    print(
        f"{len(sizes)} parts of {min(sizes):.1f} to {max(sizes):.1f} MB (matches); logs {logs / 1e6:.1f} MB"
    )
    print(
        f"driver: {watch.at_first:.1f} MB after {FIRST:,} matches, {at_end:.1f} MB at the end, "
        f"{watch.most:.1f} MB at most: {growth:+.1f} MB"
    )
    return int(result.interrupted or growth > MOST_GROWTH or watch.first_result > FIRST_RESULT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
