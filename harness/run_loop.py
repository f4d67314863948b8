"""The loop of a run: what the schedule asks for and the store has not goes out, what comes back is kept."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from harness import formats
from harness.conduct import Counts
from harness.config_values import RunConfig
from harness.executors.base import Batch, BatchResult, Executor, ExecutorError, Loss
from harness.pace import Pace
from harness.progress import Progress
from harness.records import MatchRecord, MatchSpec
from harness.run_folder import CannotContinue
from harness.stopping import Stop
from harness.store.conduct import StoredRecords
from harness.store.parquet import ParquetStore
from harness.store.reading import Identities
from harness.store.reuse import Earlier
from harness.store.tables import match_ids
from harness.tries import Tries

_LOOK: Final = 0.2
"""Seconds between looks at what else there is to do."""
_IN_VAIN: Final = 20
"""Matches that raise something no bot is to blame for before any is played: then the run gives up."""


class _Stopped(Exception):
    """The schedule wants results of a round that will not be finished now: interrupted, or a set stays open.

    What comes next would follow from less than the whole round, and be wrong once that is there.
    """


class RunLoop:
    """A run while it goes on."""

    def __init__(
        self,
        config: RunConfig,
        planned: int,
        store: ParquetStore,
        stored: Identities,
        earlier: Earlier,
        watching: Progress,
        opening: Callable[[Callable[[], int]], Executor],
        chores: Callable[[], None],
    ) -> None:
        self.played = 0
        """Matches played by this start."""
        self.taken = 0
        """Matches taken over from earlier schedules by this start."""
        self.scheduled = 0
        """Matches that the schedule has named so far, stored ones included."""
        self._config = config
        self._planned = planned
        self._store = store
        self._stored = stored
        self._earlier = earlier
        self._watching = watching
        self._opening = opening
        self._chores = chores
        self._executor: Executor | None = None
        self._stop = Stop(self._note_stop, self._break_off)
        self._pace = Pace()
        self._in_vain = 0
        self._found = 0
        self._flight = 0
        self._tries = Tries(store.reading.voids())
        self._batch: list[MatchSpec] = []
        self._partial: dict[str, int] = {}
        self._outstanding: Counter[int] = Counter()
        self._batches = self._batched()

    @property
    def stopping(self) -> bool:
        """Whether the run was interrupted."""
        return self._stop.asked

    @property
    def open_sets(self) -> set[str]:
        """Deal sets with a match that had too many void tries."""
        return self._tries.open_sets

    def play(self) -> None:
        """Play until everything is stored or the run is interrupted."""
        with self._stop.heeded():
            self._fill()
            while self._flight and not self._stop.overdue:
                self._collect()
                self._fill()
            self._take_over()

    def _left(self) -> int:
        """Matches still to play, as far as the plan says."""
        return max(0, self._planned - self._found - self.played)

    def _players(self) -> Executor:
        """The executor, opened when it is first needed: a run that is complete starts no workers."""
        if self._executor is None:
            self._executor = self._opening(self._left)
        return self._executor

    # What goes out

    def _fill(self) -> None:
        """Give the executor what it has room for."""
        while not self.stopping and (self._executor is None or self._executor.room()):
            if self._tries.again:
                batch = self._tries.again.popleft()
            else:
                try:
                    found = next(self._batches, None)
                except _Stopped:
                    return
                if found is None:
                    if self._tries.again:
                        continue  # the rest of the schedule was void before, and is tried again
                    return
                batch = found
            self._submit(batch)

    def _submit(self, batch: Batch) -> None:
        self._players().submit(batch)
        self._flight += 1

    def _batched(self) -> Iterator[Batch]:
        """What is missing, in batches of whole deal sets."""
        seconds = 0.0
        for deal_set in self._missing():
            seconds = self._pace.seconds(deal_set) + (seconds if self._batch else 0.0)
            self._batch += deal_set
            if self._pace.full(self._batch, seconds, self._left(), self._players().workers):
                yield self._take()
        if self._batch:
            yield self._take()

    def _take(self) -> Batch:
        batch = Batch(tuple(self._batch))
        self._batch = []
        return batch

    def _missing(self) -> Iterator[list[MatchSpec]]:
        """The deal sets of the schedule, without the matches that are stored or were void before."""
        schedule = formats.schedule(self._config)
        specs = next(schedule, None)
        while specs is not None:
            first = last = ""
            for name, group in itertools.groupby(specs, key=lambda spec: spec.set_id):
                if self.stopping:
                    raise _Stopped
                deal_set = list(group)
                first, last = first or deal_set[0].id, deal_set[-1].id
                self.scheduled += len(deal_set)
                waiting = self._earlier.waiting
                missing = [spec for spec in deal_set if not self._is_there(spec)]
                taken = self._earlier.waiting - waiting
                self._found += len(deal_set) - len(missing)
                self._outstanding[deal_set[0].round] += len(missing)
                fresh = [spec for spec in missing if spec not in self._tries]
                if (len(fresh) < len(deal_set) and missing) or 0 < taken < len(deal_set):
                    self._partial[name] = len(deal_set)
                if self._earlier.full:
                    self._take_over()
                for spec in missing:
                    if spec in self._tries:
                        self._tries.retry(spec)
                if fresh:
                    yield fresh
            try:
                specs = schedule.send(_Results(self, first, last))
            except StopIteration:
                return

    def _is_there(self, spec: MatchSpec) -> bool:
        """Whether nobody need play it: it is stored, or an earlier schedule had it too."""
        stored = self._is_stored(spec)
        return self._earlier.take(spec, wanted=not stored) or stored

    def _is_stored(self, spec: MatchSpec) -> bool:
        stored = self._stored.has(spec)
        if stored is None:
            raise CannotContinue(
                f"{self._store.folder} has another match under the id {spec.id}: expected deal {spec.deal} "
                f"of {', '.join(ref.name for ref in spec.seats)}; start a new run in another folder (--out)"
            )
        return stored

    def _take_over(self) -> None:
        """Store what was found in earlier schedules."""
        tables = self._earlier.fetch()
        if tables is None:
            return
        sets = {name.rpartition("-")[0] for name in match_ids(tables)}
        self._store.append(tables, {name: self._partial[name] for name in sets if name in self._partial})
        self.taken += tables.matches.num_rows
        if self._executor is not None:
            self._watching.advance(BatchResult(Batch(()), tables, {}, 0.0))

    # What comes back

    def _collect(self, timeout: float = _LOOK) -> None:
        for result in self._players().collect(timeout):
            self._flight -= 1
            self._keep(result)
        self._store.tick()
        self._chores()

    def _keep(self, result: BatchResult) -> None:
        """Store what was played, and see to what was not."""
        batch = result.batch
        sizes = Counter(spec.set_id for spec in batch.specs)
        losses = list(result.losses)
        if result.played + len(losses) < len(batch.specs):
            there = {loss.spec.id for loss in losses}
            there |= set(match_ids(result.tables)) if result.tables else set()
            unplayed = [spec for spec in batch.specs if spec.id not in there]
            if self._stop.at_once:
                for spec in unplayed:
                    self._partial.setdefault(spec.set_id, sizes[spec.set_id])
            else:
                losses += [Loss(spec, "worker", "the worker left it out") for spec in unplayed]
        for loss in losses:
            self._partial.setdefault(loss.spec.set_id, sizes[loss.spec.set_id])
        split = {name: self._partial[name] for name in sizes if name in self._partial}
        if result.tables is not None:
            self._store.append(result.tables, split)
            self.played += result.played
            self._settled(batch, losses)
            self._pace.learn(result)
        if losses:
            self._void(batch, losses)
        self._watching.advance(result)

    def _void(self, batch: Batch, losses: Sequence[Loss]) -> None:
        """Put tries that no bot is to blame for on record, and have the matches played again, each alone."""
        self._in_vain += sum(not loss.died for loss in losses)
        if self._in_vain >= _IN_VAIN and not self.played:
            raise ExecutorError(f"no match can be played: {losses[0].why} ({losses[0].where})")
        self._store.void(self._tries.void(batch, losses))
        first = losses[0]
        self._watching.note(f"{len(losses)} matches void, to be played again: {first.why} ({first.where})")

    def _settled(self, batch: Batch, losses: Sequence[Loss]) -> None:
        """Count down what each round still lacks."""
        there = Counter(spec.round for spec in batch.specs)
        there.subtract(loss.spec.round for loss in losses)
        self._outstanding.subtract(there)

    def settle(self, upto: int | None = None) -> None:
        """Finish all that was scheduled, or round `upto` at least; raises _Stopped where that cannot be.

        Nothing waits long for a round when all of the next one has gone out.
        """
        self._take_over()
        while upto is None or self._outstanding[upto]:
            while not self.stopping and (self._tries.again or self._batch) and self._players().room():
                self._submit(self._tries.again.popleft() if self._tries.again else self._take())
            if not self._flight or self._stop.overdue:
                break
            self._collect()
        if self.stopping or self.open_sets:
            raise _Stopped
        self._store.flush()

    def round_records(self, first: str, last: str) -> StoredRecords:
        """The records of a settled round in schedule order."""
        return StoredRecords(self._store.reading, first, last)

    # When it is to stop

    def _note_stop(self) -> None:
        """Called from a signal handler, where Ctrl-C was pressed once."""
        self._watching.note("finishing the matches in flight; Ctrl-C again stops at once")

    def _break_off(self) -> None:
        """Called from a signal handler, where it was pressed again."""
        if self._executor is not None:
            self._executor.interrupt()


class _Results:
    """The records of a round, for its format: whoever looks waits until the round is played."""

    def __init__(self, running: RunLoop, first: str, last: str) -> None:
        self._running = running
        self._first = first
        self._last = last

    def __iter__(self) -> Iterator[MatchRecord]:
        self._running.settle()
        return iter(self._running.round_records(self._first, self._last))

    def counts(self) -> Counts:
        """Who forfeited how often; waits for this round only."""
        self._running.settle(upto=int(self._first.partition("-")[0]))
        return self._running.round_records(self._first, self._last).counts()
