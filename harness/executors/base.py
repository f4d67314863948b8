"""The seam between a run and whoever plays its matches: bounded work in flight, nothing lost silently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from harness.records import BotRef, MatchRecord, MatchSpec

if TYPE_CHECKING:
    from harness.store.tables import Tables
    from harness.submissions import Source


class ExecutorError(Exception):
    """Workers cannot be had at all: a fault of the set-up; the message says what to do."""


class ClusterLost(Exception):
    """The workers are gone, all of them and for good, while a run goes on; the message says what was lost."""


class Batch(NamedTuple):
    """Matches that one worker plays one after another: whole deal sets, or one match that is tried again."""

    specs: tuple[MatchSpec, ...]
    attempt: int = 1


class Tally(NamedTuple):
    """What one bot did in some matches, for live standings."""

    games: int
    """Seats it sat in."""
    score: float
    """The sum of its scores."""
    faults: int
    """Seats in which it was at fault."""
    cpu_ms: float
    """CPU time of its decisions."""


class Loss(NamedTuple):
    """A match of a batch that was not played, by no bot's fault."""

    spec: MatchSpec
    where: str
    why: str
    died: bool = True
    """Whether its worker is gone; else the match raised something that no bot is to blame for."""


class BatchResult(NamedTuple):
    """What came of a batch: every spec of it is in the tables, lost, or (after `interrupt`) unplayed."""

    batch: Batch
    tables: Tables | None
    """Rows of the matches that were played; None where none was."""
    tallies: Mapping[tuple[str, str], Tally]
    """By (game, bot)."""
    seconds: float
    """Wall-clock time that the worker spent on it."""
    losses: tuple[Loss, ...] = ()

    @property
    def played(self) -> int:
        """How many matches the tables have."""
        return 0 if self.tables is None else int(self.tables.matches.num_rows)


class Setup(NamedTuple):
    """What workers need beside specs: where the bots' code is. Sent once."""

    sources: Mapping[tuple[str, str], Source]
    """By (bot, version)."""
    isolation: str = "none"
    """`none`, a level for every bot, or `auto`: the best there is for every bot that does not ship."""
    allow: tuple[str, ...] = ()
    """Modules that isolated bots may import beside the standard library."""
    logs: str = ""
    """The folder for what isolated bots print; empty to drop it."""

    def source(self, ref: BotRef) -> Source:
        """The code of a bot; raises KeyError for one that is not in this run."""
        return self.sources[ref.name, ref.version]


class Executor(Protocol):
    """Plays batches. Made by `open_executor`, closed with `close`, whatever happened in between."""

    name: str
    """`local` or `ray`."""
    workers: int
    """How many matches are played at once."""

    def room(self) -> bool:
        """Whether it takes another batch now; at most a few wait for each worker."""
        ...

    def submit(self, batch: Batch) -> None:
        """Start a batch, or put it in the short queue. Never waits long."""
        ...

    def collect(self, timeout: float) -> Sequence[BatchResult]:
        """Results that are there, waiting up to `timeout` seconds for the first.

        A batch whose worker died comes back with every match lost.
        """
        ...

    def interrupt(self) -> None:
        """Stop what is in flight as soon as its worker can; `collect` then gives what it had finished."""
        ...

    def close(self) -> None:
        """End the workers, whatever they do."""
        ...


def records(result: BatchResult) -> list[MatchRecord]:
    """The records of what was played, in the order of match ids."""
    if result.tables is None:
        return []
    from harness.store.tables import records_of

    specs = {spec.id: spec for spec in result.batch.specs}
    return list(records_of(result.tables, lambda match, _: specs[match["match_id"]]))


def lost(batch: Batch, where: str, why: str) -> BatchResult:
    """The result of a batch of which nothing came back."""
    return BatchResult(batch, None, {}, 0.0, tuple(Loss(spec, where, why) for spec in batch.specs))
