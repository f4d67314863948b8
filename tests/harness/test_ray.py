"""On the real Ray, two cores of this machine: the same results, and nothing lost when it loses a worker."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import formats, tournament
from harness.executors import local
from harness.executors.base import Batch, BatchResult, Executor
from harness.executors.choice import open_executor
from harness.store import open as open_run
from harness.store.tables import match_ids
from tests.harness.small_runs import FATAL, RANDOM, ROOT, SLOW, Watch, digest_of, setup_of, small_config

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.fixture(scope="module", autouse=True)
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Executor]:
    """Ray, started once by an executor; the runs below find it there and leave it running."""
    folder = tmp_path_factory.mktemp("ray")
    executor = open_executor("ray", setup_of(small_config(folder), folder / "run"), workers=2)
    yield executor
    executor.close()


def test_ray_is_imported_by_nothing_else() -> None:
    """A local run, the reports and the command line start without it."""
    program = (
        "import harness.tournament, harness.worker, harness.store.verify, harness.executors.choice, sys;"
        "import harness.executors.child, harness.report, harness.cli.app; assert 'ray' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_digest_on_ray_is_that_of_one_process(tmp_path: Path) -> None:
    settings = small_config(tmp_path)
    one = tournament.run(settings, out=tmp_path / "one", executor="local", workers=1)
    ray = tournament.run(settings, out=tmp_path / "ray", executor="ray", workers=2)
    assert ray.executor == "ray"
    assert ray.digest == one.digest == digest_of(tmp_path / "ray")
    workers = {record.worker for record in open_run(tmp_path / "ray").records()}
    assert not any(worker.endswith(f":{os.getpid()}") for worker in workers)


def test_a_ray_worker_that_dies_makes_void_tries_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    settings = small_config(tmp_path, [RANDOM, RANDOM, FATAL], deals=4, options=f'{{ flag = "{flag}" }}')
    calm = tournament.run(settings, out=tmp_path / "calm", executor="local", workers=1)
    flag.touch()
    watch = Watch()
    struck = tournament.run(settings, out=tmp_path / "struck", executor="ray", workers=2, progress=watch)
    assert (struck.voids_open, struck.digest) == (0, calm.digest)
    tries = open_run(tmp_path / "struck").voids()
    assert tries
    assert all("WorkerCrashedError" in tried.why for tried in tries)
    again = {r.spec.id: r.attempt for r in open_run(tmp_path / "struck").records() if r.attempt > 1}
    assert again == {tried.match_id: 2 for tried in tries}


@pytest.mark.slow
def test_a_stopped_ray_worker_is_ended_and_its_matches_are_played_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its node is well, so Ray itself would wait for it for ever."""
    monkeypatch.setattr(local, "PATIENCE", 2.0)
    stopped: list[int] = []

    class Stopper(Watch):
        def advance(self, result: BatchResult) -> None:
            if result.tables and not stopped:
                stopped.append(int(result.tables.matches.column("worker")[0].as_py().rpartition(":")[2]))
                os.kill(stopped[0], signal.SIGSTOP)
            super().advance(result)

    settings = small_config(tmp_path, [RANDOM, SLOW], deals=40)
    calm = tournament.run(settings, out=tmp_path / "calm", executor="local", workers=1)
    stopper = Stopper()
    try:
        struck = tournament.run(settings, out=tmp_path / "run", executor="ray", workers=2, progress=stopper)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(stopped[0], signal.SIGCONT)
    run = open_run(tmp_path / "run")

    assert (struck.voids_open, struck.digest) == (0, calm.digest)
    assert digest_of(tmp_path / "run") == calm.digest
    tries = run.voids()
    assert {(tried.where.rpartition(":")[2], tried.why) for tried in tries} == {
        (str(stopped[0]), "worker process gave no sign of life for 2 s")
    }
    again = {record.spec.id: record.attempt for record in run.records() if record.attempt > 1}
    assert again == {tried.match_id: 2 for tried in tries}


def idle_workers() -> list[int]:
    """Ray's worker processes on this machine, started for this process, that do nothing."""
    parents, idle = {}, []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            pid = int(place.name)
            parents[pid] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if (place / "cmdline").read_bytes().startswith(b"ray::IDLE"):
                idle.append(pid)
    return [pid for pid in idle if parents.get(parents[pid]) == os.getpid()]


@pytest.mark.slow
def test_ray_workers_that_are_stopped_before_they_have_said_anything_are_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known of them but that a batch waits while a core is free: each machine is asked."""
    monkeypatch.setattr(local, "PATIENCE", 2.0)
    settings = small_config(tmp_path, [RANDOM, SLOW], deals=20)
    # With this one Ray has connected to its workers: to those that it has not it gives 20 s to answer.
    calm = tournament.run(settings, out=tmp_path / "calm", executor="ray", workers=2)
    until = time.monotonic() + 60
    while not (stopped := idle_workers()) and time.monotonic() < until:
        time.sleep(0.1)
    try:
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        struck = tournament.run(settings, out=tmp_path / "run", executor="ray", workers=2)
    finally:
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    assert (struck.voids_open, struck.digest) == (0, calm.digest)
    tries = open_run(tmp_path / "run").voids()
    assert tries
    assert {int(tried.where.rpartition(":")[2]) for tried in tries} <= set(stopped)
    assert {tried.why for tried in tries} == {"worker process gave no sign of life for 2 s"}


def test_a_ray_worker_that_is_stopped_for_a_moment_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "PATIENCE", 8.0)
    stopped: list[int] = []

    class Pauser(Watch):
        def advance(self, result: BatchResult) -> None:
            if result.tables and not stopped:
                stopped.append(int(result.tables.matches.column("worker")[0].as_py().rpartition(":")[2]))
                os.kill(stopped[0], signal.SIGSTOP)
                resumed = f"sleep 2; kill -CONT {stopped[0]}"
                subprocess.Popen(["sh", "-c", resumed])  # ends by itself
            super().advance(result)

    settings = small_config(tmp_path, [RANDOM, SLOW], deals=40)
    tournament.run(settings, out=tmp_path / "run", executor="ray", workers=2, progress=Pauser())

    assert stopped
    assert open_run(tmp_path / "run").voids() == []


def test_work_in_flight_is_bounded(started: Executor, tmp_path: Path) -> None:
    settings = small_config(tmp_path, [SLOW, SLOW], deals=20)
    executor = open_executor("ray", setup_of(settings, tmp_path / "run"), workers=2)
    work = [Batch((spec,)) for spec in next(formats.schedule(settings))]
    taken = 0
    while executor.room():
        executor.submit(work[taken])
        taken += 1
    assert taken == 4
    found: list[str] = []
    while len(found) < taken:
        found += [i for result in executor.collect(10) if result.tables for i in match_ids(result.tables)]
    assert sorted(found) == [batch.specs[0].id for batch in work[:taken]]
    executor.close()


def test_a_run_on_ray_stopped_by_ctrl_c_keeps_what_was_finished_and_continues(tmp_path: Path) -> None:
    settings = small_config(tmp_path, [RANDOM, SLOW], deals=60)

    class Impatient(Watch):
        def advance(self, result: object) -> None:
            self.played += 1
            if self.played == 3:
                os.kill(os.getpid(), signal.SIGINT)

    out = tmp_path / "run"
    stopped = tournament.run(settings, out=out, executor="ray", workers=2, progress=Impatient())
    assert stopped.interrupted
    assert 0 < stopped.matches_played < 120
    ended = tournament.run(settings, out=out, executor="ray", workers=2)
    assert stopped.matches_played + ended.matches_played == 120
    assert ended.digest == tournament.run(settings, out=tmp_path / "w", executor="local", workers=2).digest
