"""On Ray, one machine or many; the only module that imports it.

Ray never tries anything again by itself: a try that its worker or node did not survive comes back lost,
and the run decides.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import sysconfig
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

# Read when Ray is imported: no phoning home, no warnings about its future.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
import ray.exceptions

import engines
from harness.executors.base import Batch, BatchResult, ExecutorError, Setup, lost
from harness.executors.parcel import pack, unpack
from harness.worker import Worker

_IN_FLIGHT: Final = 2
"""Tasks for each worker, the one it plays included."""
_RECOUNT: Final = 5.0
"""Seconds between looks at how many cores a cluster has."""
_workers: dict[str, Worker] = {}
"""In a Ray worker: the one of the run it serves."""


def _play(run: str, setup: list[Any], batch: Batch) -> BatchResult:
    """The task: play a batch in a Ray worker, which keeps games and bots for the next one."""
    if run not in _workers:
        for other in _workers.values():
            other.close()
        _workers.clear()
        _workers[run] = Worker(unpack(ray.get(setup[0])))
    return _workers[run].play(batch)._replace(batch=Batch(()))


class RayExecutor:
    """Plays batches as Ray tasks, with a bounded number of them in flight."""

    name = "ray"

    def __init__(self, setup: Setup, workers: int | None = None, address: str | None = None) -> None:
        self._ours = not ray.is_initialized()
        if self._ours:
            _start(workers, address)
        self._wanted = workers
        self._counted = 0.0
        self._run = uuid.uuid4().hex
        # In a list, so that Ray hands the reference on and a worker fetches it once only.
        self._setup = [ray.put(pack(setup))]
        self._task = ray.remote(max_retries=0, num_cpus=1)(_play)
        self._flight: dict[Any, Batch] = {}
        self.workers = 1
        self._count()

    def _count(self) -> None:
        """Nodes join and leave: look now and then how many cores there are."""
        if time.monotonic() - self._counted > _RECOUNT:
            cores = int(ray.cluster_resources().get("CPU", 1))  # type: ignore[no-untyped-call]  # Ray has no types there
            self.workers = max(1, min(cores, self._wanted or cores))
            self._counted = time.monotonic()

    def room(self) -> bool:
        """Whether fewer tasks are in flight than keep every worker busy."""
        self._count()
        return len(self._flight) < self.workers * _IN_FLIGHT

    def submit(self, batch: Batch) -> None:
        """Start a task."""
        self._flight[self._task.remote(self._run, self._setup, batch)] = batch

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """The tasks that are done, and those whose worker is gone."""
        if not self._flight:
            return []
        done, _ = ray.wait(list(self._flight), num_returns=1, timeout=timeout)
        return [self._result(reference) for reference in done]

    def _result(self, reference: Any) -> BatchResult:
        batch = self._flight.pop(reference)
        try:
            result: BatchResult = ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, ImportError):
                raise ExecutorError(
                    f"Ray's workers cannot import {error.cause.name}: install the same on every node"
                ) from None
            return lost(batch, "ray", f"task failed: {_first_line(error.cause or error)}")
        except ray.exceptions.RayError as error:
            return lost(batch, "ray", f"{type(error).__name__}: {_first_line(error)}")
        return result._replace(batch=batch)

    def interrupt(self) -> None:
        """Take back what has not begun; a task that has begun ends with its batch."""
        for reference in self._flight:
            with contextlib.suppress(ray.exceptions.RayError):
                ray.cancel(reference, force=False, recursive=False)

    def close(self) -> None:
        """Stop all tasks, and Ray itself where it was started for this run."""
        for reference in self._flight:
            with contextlib.suppress(ray.exceptions.RayError):
                ray.cancel(reference, force=True)
        self._flight.clear()
        if self._ours:
            ray.shutdown()


def _start(workers: int | None, address: str | None) -> None:
    """Connect to the cluster at `address`, or start Ray on this machine."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        with _import_path():
            if address is not None or os.environ.get("RAY_ADDRESS"):
                ray.init(address=address or "auto", runtime_env=_code(), **quiet)
            else:
                ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"connect to Ray at {address}" if address else "start Ray"
        raise ExecutorError(f"cannot {where}: {_first_line(error)}; try --executor local") from error


@contextlib.contextmanager
def _import_path() -> Iterator[None]:
    """Let what Ray starts here import what this process can, and the same Croupier.

    Ray puts the current folder first on its workers' path: in a source tree beside an installed, compiled
    Croupier that would be the slower sources. So it starts from the folder that this code is in.
    """
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(str(Path(path).absolute()) for path in sys.path if path)
    try:
        with contextlib.chdir(Path(engines.__file__).resolve().parent.parent):
            yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def _code() -> dict[str, Any] | None:
    """What nodes of a cluster need to run this code: nothing where it is installed, else the source tree."""
    root = Path(engines.__file__).parent.parent
    if root in {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}:
        return None
    return {"py_modules": [str(root / name) for name in ("engines", "bots", "harness")]}


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
