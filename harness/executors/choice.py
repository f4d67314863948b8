"""Which executor a run gets, by name or by how long it will take."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from harness.executors.base import Batch, BatchResult, Executor, ExecutorError, Setup
from harness.executors.local import InProcess, WorkerPool
from harness.players import levels
from harness.players.maker import level_of

RAY_PAYS_AFTER: Final = 20.0
"""Seconds a run must still take before Ray's start (4 to 5 s) is worth it on one machine."""
POOL_PAYS_AFTER: Final = 1.0
"""Seconds that worker processes must spare before their start is."""
_ANSWER: Final = 3.0
"""Seconds that a cluster has to take a connection."""
_TRIAL: Final = 0.3
"""Seconds of play in this process before `auto` decides."""


def open_executor(
    name: str,
    setup: Setup,
    *,
    workers: int | None = None,
    address: str | None = None,
    logs: Path | None = None,
    matches_left: Callable[[], int] | None = None,
    note: Callable[[str], None] | None = None,
) -> Executor:
    """The executor called `local`, `ray` or `auto`.

    `workers` is by default as many as there are cores; an `address` means Ray there. `matches_left` is
    for `auto`, which plays a little first and then decides; `note` is told what a user should know of it.
    Raises ExecutorError where workers cannot be had.
    """
    if address is not None and not answers(address):
        raise ExecutorError(
            f"nothing answers at {address}: start a cluster there, or name another (--address)"
        )
    if address is not None or name == "ray":
        return _ray(setup, workers, address)
    count = workers or cores()
    if name == "local":
        return InProcess(setup) if count == 1 else WorkerPool(setup, count, logs)
    if name != "auto":
        raise ExecutorError(f"executor: expected auto, local or ray, got {name!r}")
    found = cluster_address()
    if found is not None and answers(found):
        return _ray(setup, workers, found)
    if found is not None and os.environ.get("RAY_ADDRESS"):
        raise ExecutorError(
            f"nothing answers at {found}, which RAY_ADDRESS names: start the cluster, or unset it"
        )
    if found is not None and note is not None:
        note(f"no Ray cluster answers at {found} any more (`ray stop` tidies up): playing on this machine")
    here = plays_alike_here(setup)
    if count == 1 or matches_left is None:
        return InProcess(setup) if count == 1 and here else WorkerPool(setup, count, logs)
    return _Auto(setup, count, logs, matches_left, here=here)


def plays_alike_here(setup: Setup) -> bool:
    """Whether this process plays as any worker would.

    A set of texts has another order in each Python process, unless that was told which. Worker processes are;
    this one may not be, and a bot that goes through such a set would play otherwise here. Those that ship
    do not, and isolated ones are elsewhere.
    """
    if not sys.flags.hash_randomization:
        return True
    return not any(
        source.kind != "shipped" and level_of(setup.isolation, source, 1) == levels.NONE
        for source in setup.sources.values()
    )


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cluster_address() -> str | None:
    """The address of the Ray cluster that this machine is told to belong to, without importing Ray.

    A machine that was switched off still says so afterwards: see `answers`.
    """
    if given := os.environ.get("RAY_ADDRESS"):
        return given
    # `ray start` leaves the address of its cluster there, and `ray stop` takes it away.
    place = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray" / "ray_current_cluster"  # noqa: S108 - Ray's place
    try:
        return place.read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def answers(address: str) -> bool:
    """Whether something listens at `host:port`; true for addresses of another form, which Ray looks at."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "/" in address:
        return True
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER):
            return True
    except OSError:
        return False


def _ray(setup: Setup, workers: int | None, address: str | None) -> Executor:
    from harness.executors.ray import RayExecutor

    return RayExecutor(setup, workers, address)


class _Auto:
    """Plays a little in this process, or where that is not `here` in one other; then decides for the rest."""

    def __init__(
        self, setup: Setup, workers: int, logs: Path | None, matches_left: Callable[[], int], *, here: bool
    ) -> None:
        self.name = "local"
        self.workers = workers
        self._setup = setup
        self._logs = logs
        self._matches_left = matches_left
        self._inner: Executor = InProcess(setup) if here else WorkerPool(setup, 1, logs)
        self._decided = False
        self._flight = 0
        self._seconds = 0.0
        self._played = 0

    def room(self) -> bool:
        """As the executor in use says; one batch at a time until it is decided."""
        return self._inner.room() if self._decided else not self._flight

    def submit(self, batch: Batch) -> None:
        """To the executor in use."""
        self._flight += 1
        self._inner.submit(batch)

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """From the executor in use; afterwards decides, once enough was played."""
        found = self._inner.collect(timeout)
        self._flight -= len(found)
        if found and not self._decided:
            self._seconds += sum(result.seconds for result in found)
            self._played += sum(result.played for result in found)
            if self._seconds >= _TRIAL and self._played:
                self._decide(self._matches_left() * self._seconds / self._played)
        return found

    def _decide(self, alone: float) -> None:
        """Choose for a rest of the run that takes one process so many seconds."""
        self._decided = True
        together = alone / self.workers
        if alone - together < POOL_PAYS_AFTER:
            return
        self._inner.close()
        self._inner = self._ray_if_it_pays(together) or WorkerPool(self._setup, self.workers, self._logs)

    def _ray_if_it_pays(self, together: float) -> Executor | None:
        """Ray for a rest that takes all workers so many seconds; None where processes do as well."""
        if together < RAY_PAYS_AFTER:
            return None
        try:
            found = _ray(self._setup, self.workers, None)
        except (ExecutorError, ImportError):
            return None
        self.name = "ray"
        return found

    def interrupt(self) -> None:
        """As the executor in use does."""
        self._inner.interrupt()

    def close(self) -> None:
        """End whatever was started."""
        self._inner.close()
