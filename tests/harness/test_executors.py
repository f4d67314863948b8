"""Executors: everything handed in comes back played or lost, whatever happens to a worker."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness import formats, tournament
from harness.executors import local
from harness.executors.base import Batch, BatchResult, Executor, ExecutorError, Setup, records
from harness.executors.choice import open_executor
from harness.executors.local import InProcess, WorkerPool
from harness.store import match_digest
from harness.store import open as open_run
from harness.store.tables import match_ids
from tests.harness.small_runs import (
    FATAL,
    MEDDLER,
    RANDOM,
    SET_ORDER,
    SLOW,
    Watch,
    digest_of,
    setup_of,
    small_config,
)

FORKER = FATAL.replace(
    "            os.kill(os.getpid()",
    "            if not os.fork():\n                time.sleep(20)\n                os._exit(0)\n"
    "            os.kill(os.getpid()",
).replace("import os,", "import time, os,")

THINKER = """
import time
from bots import Bot
class Player(Bot):
    done = False
    def act(self, seen):
        until = time.monotonic() + (0 if Player.done else 2.5)
        Player.done = True
        while time.monotonic() < until:
            pass
        return self.rng.choice(seen.moves)
"""


def batches(
    tmp_path: Path, *bots: str, size: int = 4, options: str = "", deals: int = 6
) -> tuple[list[Batch], Setup]:
    settings = small_config(tmp_path, bots or (RANDOM, RANDOM), options=options, deals=deals)
    specs = list(next(formats.schedule(settings)))
    cut = [Batch(tuple(specs[at : at + size])) for at in range(0, len(specs), size)]
    return cut, setup_of(settings, tmp_path / "run")


def played(executor: Executor, waiting: list[Batch], seconds: float = 30) -> list[BatchResult]:
    """Play all batches; every one must come back."""
    left = list(waiting)
    found: list[BatchResult] = []
    until = time.monotonic() + seconds
    while len(found) < len(waiting):
        assert time.monotonic() < until, f"{len(found)} of {len(waiting)} batches came back"
        while left and executor.room():
            executor.submit(left.pop(0))
        found += executor.collect(0.2)
    return found


def ids(results: list[BatchResult]) -> list[str]:
    return sorted(i for result in results if result.tables for i in match_ids(result.tables))


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[list[WorkerPool]]:
    opened: list[WorkerPool] = []
    yield opened
    for one in opened:
        one.close()


def test_in_process_every_match_is_played_once(tmp_path: Path) -> None:
    work, setup = batches(tmp_path)
    results = played(InProcess(setup), work)
    assert ids(results) == [spec.id for batch in work for spec in batch.specs]
    assert [result.batch for result in results] == work
    assert sum(tally.games for r in results for tally in r.tallies.values()) == 2 * len(ids(results))


def test_worker_processes_play_every_match_once(tmp_path: Path, pool: list[WorkerPool]) -> None:
    work, setup = batches(tmp_path)
    pool.append(WorkerPool(setup, 2, tmp_path))
    results = played(pool[0], work)
    assert ids(results) == [spec.id for batch in work for spec in batch.specs]
    assert not [result.losses for result in results if result.losses]


def test_a_worker_that_is_killed_loses_the_batch_it_played_and_no_other(
    tmp_path: Path, pool: list[WorkerPool]
) -> None:
    flag = tmp_path / "flag"
    flag.touch()
    work, setup = batches(tmp_path, RANDOM, FATAL, options=f'{{ flag = "{flag}" }}')
    pool.append(WorkerPool(setup, 2, tmp_path))
    results = played(pool[0], work)
    lost = [result for result in results if result.losses]
    assert len(lost) == 1
    assert [loss.spec for loss in lost[0].losses] == list(lost[0].batch.specs)
    assert lost[0].losses[0].why == "worker process died: signal SIGKILL"
    assert lost[0].losses[0].died
    assert len(ids(results)) == sum(len(batch.specs) for batch in work) - len(lost[0].losses)


def test_the_death_of_a_worker_shows_also_where_a_child_of_its_own_lives_on(
    tmp_path: Path, pool: list[WorkerPool]
) -> None:
    flag = tmp_path / "flag"
    flag.touch()
    work, setup = batches(tmp_path, RANDOM, FORKER, options=f'{{ flag = "{flag}" }}')
    pool.append(WorkerPool(setup, 1, tmp_path))
    results = played(pool[0], work)
    assert [loss.why for result in results for loss in result.losses] == [
        "worker process died: signal SIGKILL"
    ] * 4


def test_a_worker_that_is_stopped_for_a_while_loses_nothing(tmp_path: Path, pool: list[WorkerPool]) -> None:
    work, setup = batches(tmp_path, SLOW, SLOW)
    pool.append(WorkerPool(setup, 2, tmp_path, patience=20))
    pid = pool[0]._children[0].process.pid
    played(pool[0], work[:2])
    os.kill(pid, signal.SIGSTOP)
    threading.Timer(1.0, os.kill, (pid, signal.SIGCONT)).start()
    results = played(pool[0], work[2:])
    assert ids(results) == [spec.id for batch in work[2:] for spec in batch.specs]
    assert not [result.losses for result in results if result.losses]


def test_a_worker_that_is_stopped_for_good_is_replaced_and_holds_up_nobody(
    tmp_path: Path, pool: list[WorkerPool]
) -> None:
    """Not even with a message that is too big for the connection to hold while nobody reads it."""
    work, setup = batches(tmp_path, RANDOM, RANDOM)
    pool.append(WorkerPool(setup, 1, tmp_path, patience=1))
    played(pool[0], work[:1])
    os.kill(pool[0]._children[0].process.pid, signal.SIGSTOP)
    spec = work[1].specs[0]
    big = Batch(tuple(replace(spec, position=" " * 5_000_000) for _ in range(2)))
    results = played(pool[0], [big, *work[1:]])
    lost = [result for result in results if result.losses]
    assert [result.batch for result in lost] == [big]
    assert {loss.why for loss in lost[0].losses} == {"worker process gave no sign of life for 1 s"}
    assert ids(results) == [spec.id for batch in work[1:] for spec in batch.specs]


def test_a_pause_of_the_run_itself_is_no_silence_of_its_workers(
    tmp_path: Path, pool: list[WorkerPool]
) -> None:
    """As where a laptop's lid is shut: everything stands still, then everything goes on."""
    work, setup = batches(tmp_path, SLOW, SLOW)
    pool.append(WorkerPool(setup, 1, tmp_path, patience=1))
    played(pool[0], work[:1])
    pid = pool[0]._children[0].process.pid
    pool[0].submit(work[1])
    os.kill(pid, signal.SIGSTOP)
    time.sleep(2.5)
    os.kill(pid, signal.SIGCONT)
    results = played(pool[0], work[2:])
    assert not [result.losses for result in results if result.losses]
    assert pool[0]._children[0].process.pid == pid


def test_a_bot_that_thinks_longer_than_the_patience_is_not_taken_for_a_dead_worker(
    tmp_path: Path, pool: list[WorkerPool]
) -> None:
    work, setup = batches(tmp_path, RANDOM, THINKER, size=2, deals=1)
    pool.append(WorkerPool(setup, 1, tmp_path, patience=1))
    results = played(pool[0], work)
    assert not [result.losses for result in results if result.losses]


def test_a_run_with_a_stopped_worker_ends_with_the_digest_of_a_calm_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "PATIENCE", 1.5)

    class Stopper(Watch):
        def advance(self, result: BatchResult) -> None:
            if result.tables and not self.played:
                pid = int(result.tables.matches.column("worker")[0].as_py().rpartition(":")[2])
                os.kill(pid, signal.SIGSTOP)
            super().advance(result)

    settings = small_config(tmp_path, [RANDOM, SLOW], deals=30)
    calm = tournament.run(settings, out=tmp_path / "calm", executor="local", workers=1)
    stopper = Stopper()
    struck = tournament.run(settings, out=tmp_path / "run", executor="local", workers=2, progress=stopper)
    tries = open_run(tmp_path / "run").voids()

    assert struck.digest == calm.digest == digest_of(tmp_path / "run")
    assert {tried.why for tried in tries} == {"worker process gave no sign of life for 1.5 s"}
    assert any("no sign of life" in note for note in stopper.notes)


def test_workers_that_cannot_start_are_an_error_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: list[WorkerPool]
) -> None:
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "__init__.py").write_text('raise ImportError("torn in two")')
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    work, setup = batches(tmp_path)
    pool.append(WorkerPool(setup, 1, tmp_path))
    with pytest.raises(ExecutorError, match=r"worker processes do not start: .*torn in two"):
        played(pool[0], work)


def test_an_interrupted_pool_hands_over_what_it_has_finished(tmp_path: Path, pool: list[WorkerPool]) -> None:
    work, setup = batches(tmp_path, SLOW, SLOW, size=100, deals=50)
    pool.append(WorkerPool(setup, 1))
    played(pool[0], [Batch(work[0].specs[:1])])
    pool[0].submit(work[0])
    time.sleep(0.7)
    pool[0].interrupt()
    (result,) = pool[0].collect(5)
    assert 0 < result.played < len(work[0].specs)


def test_closing_a_pool_ends_its_processes(tmp_path: Path) -> None:
    work, setup = batches(tmp_path, SLOW, SLOW, size=100, deals=50)
    executor = WorkerPool(setup, 2)
    pids = [child.process.pid for child in executor._children]
    executor.submit(work[0])
    executor.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, signal.SIG_DFL)


def test_what_bots_print_does_not_reach_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    work, setup = batches(tmp_path, MEDDLER, RANDOM)
    played(InProcess(setup), work)
    assert capfd.readouterr() == ("", "")


def test_a_log_of_bots_output_stays_bounded(tmp_path: Path, pool: list[WorkerPool]) -> None:
    work, setup = batches(tmp_path, MEDDLER, MEDDLER, deals=60)
    pool.append(WorkerPool(setup, 1, tmp_path))
    played(pool[0], work)
    size = (tmp_path / "worker-1.log").stat().st_size
    assert 900_000 < size < 1_100_000


def test_a_bot_that_goes_through_a_set_of_texts_plays_alike_in_every_worker_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: list[WorkerPool]
) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    work, setup = batches(tmp_path, SET_ORDER, SET_ORDER)
    digests = set()
    for _ in range(2):
        pool.append(WorkerPool(setup, 1, tmp_path))
        found = [one for result in played(pool[-1], work) for one in records(result)]
        digests.add(tuple(sorted(match_digest(one) for one in found)))
    assert len(digests) == 1


@pytest.mark.skipif(not sys.flags.hash_randomization, reason="sets have one order in this process")
def test_auto_never_plays_own_bots_in_a_process_whose_sets_have_an_order_of_its_own(tmp_path: Path) -> None:
    work, setup = batches(tmp_path, SET_ORDER, RANDOM, deals=2)
    for cores in (1, 2):
        executor = open_executor("auto", setup, workers=cores, matches_left=lambda: 0)
        results = played(executor, work)
        executor.close()
        workers = {record.worker for result in results for record in records(result)}
        assert not any(worker.endswith(f":{os.getpid()}") for worker in workers)


def test_an_unknown_executor_is_refused(tmp_path: Path) -> None:
    _, setup = batches(tmp_path)
    with pytest.raises(ExecutorError, match="expected auto, local or ray, got 'cloud'"):
        open_executor("cloud", setup)


def test_auto_stays_in_this_process_for_a_run_that_is_over_at_once(tmp_path: Path) -> None:
    work, setup = batches(tmp_path)
    executor = open_executor("auto", setup, workers=2, matches_left=lambda: 0)
    assert ids(played(executor, work)) == [spec.id for batch in work for spec in batch.specs]
    assert executor.name == "local"
    executor.close()


def test_auto_takes_worker_processes_where_they_spare_seconds_however_short_each_has_to_play(
    tmp_path: Path,
) -> None:
    work, setup = batches(tmp_path, SLOW, SLOW, deals=12)
    # Some ten seconds for one process, half a second for twenty.
    executor = open_executor("auto", setup, workers=20, matches_left=lambda: 300)
    try:
        while executor.room():
            executor.submit(work.pop())
            executor.collect(5.0)
            if not isinstance(getattr(executor, "_inner"), InProcess):  # noqa: B009 - not for others
                break
        assert isinstance(getattr(executor, "_inner"), WorkerPool)  # noqa: B009 - not for others
    finally:
        executor.close()


def test_auto_goes_on_in_worker_processes_for_a_run_of_seconds(tmp_path: Path) -> None:
    work, setup = batches(tmp_path, SLOW, SLOW, deals=12)
    executor = open_executor("auto", setup, workers=2, matches_left=lambda: 100)
    results = played(executor, work)
    executor.close()
    workers = {w for r in results if r.tables for w in r.tables.matches.column("worker").to_pylist()}
    assert len(workers) > 1
    assert len(ids(results)) == sum(len(batch.specs) for batch in work)
