"""Executors: everything handed in comes back played or lost, whatever happens to a worker."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import formats
from harness.executors.base import Batch, BatchResult, Executor, ExecutorError, Setup
from harness.executors.choice import open_executor
from harness.executors.local import InProcess, WorkerPool
from harness.store.tables import match_ids
from tests.harness.small_runs import FATAL, MEDDLER, RANDOM, SLOW, setup_of, small_config


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


def test_auto_goes_on_in_worker_processes_for_a_run_of_seconds(tmp_path: Path) -> None:
    work, setup = batches(tmp_path, SLOW, SLOW, deals=12)
    executor = open_executor("auto", setup, workers=2, matches_left=lambda: 100)
    results = played(executor, work)
    executor.close()
    workers = {w for r in results if r.tables for w in r.tables.matches.column("worker").to_pylist()}
    assert len(workers) > 1
    assert len(ids(results)) == sum(len(batch.specs) for batch in work)
