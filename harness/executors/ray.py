"""On Ray, one machine or many; the only module that imports it.

Ray never tries anything again by itself: a try that its worker or node did not survive comes back lost,
and the run decides. Ray sees when a process or a node is gone. A process that is merely stopped is found out
here (`harness.executors.pulse`), and so is a cluster whose head is gone, before Ray ends this process for it.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import logging
import os
import socket
import threading
import uuid
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

# Read when Ray is imported: no phoning home, no warnings about its future.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
import ray.exceptions
from ray.experimental import internal_kv
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from harness.executors import local, mute, pulse, same_code
from harness.executors.base import Batch, BatchResult, ClusterLost, ExecutorError, Setup, lost
from harness.executors.parcel import pack, unpack
from harness.worker import Worker

_IN_FLIGHT: Final = 2
"""Tasks for each worker, the one it plays included."""
_RECOUNT: Final = 5.0
"""Seconds between looks at how many cores a cluster has, and at who is alive."""
_LOOK: Final = 0.5
"""Seconds between two looks of ours that count, at most: in others we were not there ourselves."""
GONE = 20.0
"""Seconds without an answer after which a cluster is given up. After a minute Ray would end this process."""
_ANSWER: Final = 3.0
"""Seconds that the part of a cluster on this machine has to take a connection."""
_ENDED: Final = "its part on this machine has ended"
_FETCH: Final = 60.0
"""Seconds for a result to come through."""
_FAREWELL: Final = 5.0
"""Seconds for Ray to tidy up after a cluster that is gone."""
_TABLE: Final = "croupier"
"""The namespace that has signs of life in the table that the head keeps; an actor were one process more."""
_IDLE: Final = "ray::IDLE"
"""The title of a worker process that has begun nothing yet: whatever was given to it waits for ever."""


class _Served(NamedTuple):
    """In a Ray worker: the run that it serves."""

    worker: Worker
    heart: pulse.Heart


_served: dict[str, _Served] = {}


class _Report(NamedTuple):
    """What a cluster says of itself."""

    cores: int
    beats: list[pulse.Beat]
    here: bool
    """Whether its part on this machine is there. Ten seconds after it is not, Ray ends this process."""
    nodes: tuple[str, ...] = ()
    """The names of its machines."""


def _play(run: str, setup: list[Any], seconds: float, number: int, batch: Batch) -> BatchResult:
    """The task: play a batch in a Ray worker, which keeps games and bots for the next one."""
    if run not in _served:
        for other in _served.values():
            other.heart.stop()
            other.worker.close()
        _served.clear()
        node = ray.get_runtime_context().get_node_id()
        heart = pulse.Heart(node, functools.partial(_tell, run), seconds)
        _served[run] = _Served(Worker(unpack(ray.get(setup[0]))), heart)
    served = _served[run]
    served.heart.playing(number)
    try:
        return served.worker.play(batch)._replace(batch=Batch(()))
    finally:
        served.heart.playing(0)


def _tell(run: str, beat: pulse.Beat) -> None:
    """From a worker: a sign of life, for `_report`."""
    key = f"{run}/{beat.node}/{beat.pid}"
    internal_kv._internal_kv_put(key, json.dumps(beat), namespace=_TABLE)


def _report(run: str, here: tuple[str, int]) -> _Report:
    """Ask the part of the cluster that is `here`, and its head."""
    try:
        socket.create_connection(here, timeout=_ANSWER).close()
    except ConnectionRefusedError:
        return _Report(1, [], here=False)
    cores = int(ray.cluster_resources().get("CPU", 1))  # type: ignore[no-untyped-call]  # Ray has no types there
    found = [
        internal_kv._internal_kv_get(key, namespace=_TABLE)
        for key in internal_kv._internal_kv_list(f"{run}/", namespace=_TABLE)
    ]
    beats = [pulse.Beat(*json.loads(value)) for value in found if value]
    alive = (node for node in ray.nodes() if node["Alive"])  # type: ignore[no-untyped-call]  # as above
    return _Report(cores, beats, True, tuple(node["NodeID"] for node in alive))


def _here() -> tuple[str, int]:
    """Address and port of the part of the cluster that this process belongs to."""
    own = ray.get_runtime_context().get_node_id()
    (node,) = (node for node in ray.nodes() if node["NodeID"] == own)  # type: ignore[no-untyped-call]  # as above
    return node["NodeManagerAddress"], node["NodeManagerPort"]


class RayExecutor:
    """Plays batches as Ray tasks, with a bounded number of them in flight."""

    name = "ray"

    def __init__(
        self,
        setup: Setup,
        workers: int | None = None,
        address: str | None = None,
        *,
        patience: float | None = None,
    ) -> None:
        self._ours = not ray.is_initialized()
        if self._ours:
            _start(workers, address)
        self._where = f"the Ray cluster at {address}" if address else "Ray"
        self._wanted = workers
        self._run = uuid.uuid4().hex
        # In a list, so that Ray hands the reference on and a worker fetches it once only.
        self._setup = [ray.put(pack(setup))]
        name = f"croupier {self._run[:8]}"
        self._task = ray.remote(max_retries=0, num_cpus=1)(_play).options(name=name)
        # Tried again, since it may fall to a process that is stopped itself.
        self._end = ray.remote(max_retries=3, num_cpus=0)(pulse.end)
        self._numbers = 0
        self._flight: dict[Any, tuple[int, Batch]] = {}
        self._patience = local.PATIENCE if patience is None else patience
        self._beat = self._patience / local.BEATS
        self._ended: list[tuple[int, str]] = []
        """Workers that were ended because they were silent: the batch that each said it played, and where."""
        every = min(_RECOUNT, self._beat)
        self._listener = pulse.Listener(functools.partial(_report, self._run, _here()), every)
        self._answers = 0
        self._silence = pulse.Silence(_LOOK)
        self._watch = pulse.Watch(self._patience, 2 * every)
        seek = ray.remote(max_retries=0, num_cpus=0)(mute.stopped)
        titles = [_IDLE, *(f"ray::{name}" for name in (name, "stopped", "end"))]
        self._mute = mute.Search(
            self._patience,
            2 * every,
            lambda node, heard: seek.options(scheduling_strategy=_at(node)).remote(node, titles, heard),
            _answers,
        )
        self._gone = False
        self.workers = 1
        self._look()

    def _look(self) -> None:
        """Take in what the cluster last said: how many cores there are, and who is silent.

        Raises ClusterLost where it says nothing any more.
        """
        news = self._listener.answers != self._answers
        if self._silence.look(news=news) > GONE:
            raise self._lost(f"no answer for {GONE:g} s")
        if not news:
            return
        self._answers = self._listener.answers
        cores, beats, here, nodes = self._listener.answer
        if not here:
            raise self._lost(_ENDED)
        self.workers = max(1, min(cores, self._wanted or cores))
        flight = [number for number, _ in self._flight.values()]
        never_heard = self._mute.found(flight, beats, self.workers, nodes)
        for beat in (*self._watch.silent(beats), *never_heard):
            self._ended.append((beat.batch, f"{beat.host}:{beat.pid}"))
            self._end.options(scheduling_strategy=_at(beat.node)).remote(beat)

    def _lost(self, why: str) -> ClusterLost:
        """What to raise where the whole cluster is gone."""
        self._gone = True
        matches = sum(len(batch.specs) for _, batch in self._flight.values())
        return ClusterLost(
            f"{self._where} is gone ({why}): {matches:,} matches in flight are lost, all others are kept; "
            f"with it back the same command continues"
        )

    def room(self) -> bool:
        """Whether fewer tasks are in flight than keep every worker busy."""
        self._look()
        return len(self._flight) < self.workers * _IN_FLIGHT

    def submit(self, batch: Batch) -> None:
        """Start a task."""
        self._numbers += 1
        reference = self._task.remote(self._run, self._setup, self._beat, self._numbers, batch)
        self._flight[reference] = self._numbers, batch

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """The tasks that are done, and those whose worker is gone; raises ClusterLost where all are."""
        if not self._flight:
            return []
        done, _ = ray.wait(list(self._flight), num_returns=1, timeout=timeout)
        self._look()
        return [self._result(reference) for reference in done]

    def _result(self, reference: Any) -> BatchResult:
        number, batch = self._flight[reference]
        try:
            result: BatchResult = ray.get(reference, timeout=_FETCH)
        except ray.exceptions.LocalRayletDiedError as error:
            raise self._lost(_ENDED) from error
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, ImportError):
                raise ExecutorError(
                    f"Ray's workers cannot import {error.cause.name}: install the same on every node"
                ) from None
            result = lost(batch, "ray", f"task failed: {_first_line(error.cause or error)}")
        except ray.exceptions.RayError as error:
            where, why = "ray", f"{type(error).__name__}: {_first_line(error)}"
            if isinstance(error, ray.exceptions.WorkerCrashedError) and (silent := self._silent_at(number)):
                where, why = silent, f"worker process gave no sign of life for {self._patience:g} s"
            result = lost(batch, where, why)
        del self._flight[reference]
        return result._replace(batch=batch)

    def _silent_at(self, number: int) -> str:
        """Where a batch was lost, if its worker was ended because it was silent; else empty."""
        flying = {other for other, _ in self._flight.values()} - {number}
        # One that was stopped between two batches has not said that it began the second.
        for ended in self._ended:
            if ended[0] not in flying:
                self._ended.remove(ended)
                return ended[1]
        return ""

    def interrupt(self) -> None:
        """Take back what has not begun; a task that has begun ends with its batch."""
        for reference in self._flight:
            with contextlib.suppress(ray.exceptions.RayError):
                ray.cancel(reference, force=False, recursive=False)

    def close(self) -> None:
        """Stop all tasks, and Ray itself where it was started for this run."""
        self._listener.close()
        if self._gone:
            _leave()
            return
        for reference in (*self._flight, *self._mute.open):
            with contextlib.suppress(ray.exceptions.RayError):
                ray.cancel(reference, force=True)
        self._flight.clear()
        with contextlib.suppress(ray.exceptions.RayError):
            internal_kv._internal_kv_del(f"{self._run}/", del_by_prefix=True, namespace=_TABLE)
        if self._ours:
            ray.shutdown()


def _at(node: str) -> NodeAffinitySchedulingStrategy:
    """On that machine and no other."""
    return NodeAffinitySchedulingStrategy(node, soft=False)


def _answers(questions: list[Any]) -> tuple[list[Any], list[Any]]:
    """What was answered, and the questions that are still open; a machine that is gone answers none."""
    done, still = ray.wait(questions, num_returns=len(questions), timeout=0)
    found = []
    for answer in done:
        with contextlib.suppress(ray.exceptions.RayError):
            found.append(ray.get(answer, timeout=_ANSWER))
    return found, still


def _leave() -> None:
    """Turn away from a cluster that is gone: to take leave properly may take longer than Ray lets us live."""
    atexit.unregister(ray.shutdown)
    farewell = threading.Thread(target=ray.shutdown, daemon=True)
    farewell.start()
    farewell.join(_FAREWELL)


def _start(workers: int | None, address: str | None) -> None:
    """Connect to the cluster at `address`, or start Ray on this machine."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        with same_code.inherited():
            if address is not None or os.environ.get("RAY_ADDRESS"):
                there: dict[str, Any] = {"env_vars": same_code.ONE_ORDER}
                if sent := same_code.to_send():
                    there["py_modules"] = sent
                ray.init(address=address or "auto", runtime_env=there, **quiet)
            else:
                ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"connect to Ray at {address}" if address else "start Ray"
        raise ExecutorError(f"cannot {where}: {_first_line(error)}; try --executor local") from error


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
