"""What a run tells whoever watches it: the first lines, then batch after batch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from harness.executors.base import BatchResult
from harness.records import BotRef, Limits

if TYPE_CHECKING:
    from harness.analysis.reproducible import Deals
    from harness.config_values import Timed


class GameInfo(NamedTuple):
    """One game of a run."""

    name: str
    rules: str
    """Options that differ from the defaults, as canonical JSON."""
    version: int
    """The version of its rules."""
    deals: Deals
    sets: int
    matches: int
    at_most: bool = False
    """Whether results decide how many deals there are: then it is the most."""


class RunInfo(NamedTuple):
    """What a run is about to do."""

    folder: Path
    name: str
    seed: int
    format: str
    games: tuple[GameInfo, ...]
    bots: tuple[BotRef, ...]
    limits: Limits
    isolation: str
    executor: str
    workers: int
    sets: int
    matches: int
    """Matches of the whole run, as far as its format can say beforehand."""
    stored: int
    """Matches that an earlier start has played."""
    notes: tuple[str, ...]
    """What a user should know: leftovers that were cleared away, bots that are left out."""
    at_most: bool = False
    """Whether results decide how much is played: `sets` and `matches` are the most that it can be."""
    timed: Timed | None = None
    """Where `--time` has chosen how much is played."""
    changes: tuple[str, ...] = ()
    """What is new since the run was last started, one line each: bots that join, more deals."""
    sources: tuple[Path, ...] = ()
    """Folders of earlier results; what the schedule asks for is taken over from there."""
    seed_drawn: bool = False
    """Whether the seed is a secret while the run goes on."""
    self_play: int = 0
    """How many of `matches` are of bots against themselves, to see whether their play can be repeated."""


class Progress(Protocol):
    """Watches a run. All calls come from the run's own thread."""

    def start(self, info: RunInfo) -> None:
        """Once, before anything is played."""
        ...

    def advance(self, result: BatchResult) -> None:
        """After each batch: `result.played` matches are done, `result.tallies` say who did what."""
        ...

    def note(self, text: str) -> None:
        """Something happened that a user should know: a worker died, the run is being stopped."""
        ...

    def stop(self) -> None:
        """Once, whatever happened."""
        ...


class Silent:
    """Watches and says nothing."""

    def start(self, info: RunInfo) -> None:
        """Nothing."""

    def advance(self, result: BatchResult) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""
