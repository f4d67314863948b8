"""The values that travel: what is to be played, and what came of it.

All frozen and small; they cross processes, machines and files. Objects such as games and bots are built
from them where they are used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple


class BotRef(NamedTuple):
    """Who sits in a seat: equal refs play alike."""

    name: str
    """The bot's name in the config."""
    version: str
    """Digest over the bot's files (12 hex digits)."""
    options: str = "{}"
    """Its options as canonical JSON; part of its identity."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a seat may spend; None is no limit."""

    cpu_ms: float | None = None
    """CPU milliseconds for one decision."""
    bank_ms: float | None = None
    """CPU milliseconds for a whole match, beyond the increments."""
    increment_ms: float = 0.0
    """CPU milliseconds added to the bank by every decision."""
    memory_mb: int | None = None
    """Memory of a seat's process."""
    nodes: int | None = None
    """Nodes a search may visit for one decision: the repeatable alternative to time."""
    import_ms: float | None = None
    """CPU milliseconds for importing an isolated bot and making its object."""


@dataclass(frozen=True, slots=True)
class Suspend:
    """When a bot plays no later rounds."""

    faults: float = 0.1
    """The share of its matches that it may forfeit; 1 suspends nobody."""
    after: int = 20
    """Matches that a bot has before it is judged."""

    @property
    def on(self) -> bool:
        """Whether anybody can be suspended."""
        return self.faults < 1

    def broken(self, matches: int, forfeited: int) -> bool:
        """Whether a bot with so many forfeits in so many matches is suspended."""
        return matches >= self.after and forfeited > self.faults * matches


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match to be played. Everything about it follows from this value."""

    id: str
    """Zero-padded round, set and seating: text order is schedule order is rating order."""
    game: str
    rules: str
    """Options that differ from the game's defaults, as canonical JSON."""
    deal: str
    """The address of its luck: `<game>/<number>`, with positions `<game>/<digest>/<number>`."""
    luck: int
    """The deal's luck, from 0 up to 2**53; a position's own where the match starts from one."""
    round: int
    line_up: int
    """Number of the line-up (which bots meet) in the schedule."""
    seating: int
    """Number of the seating within the deal set."""
    seats: tuple[BotRef, ...]
    """Who sits where, from seat 0."""
    seed: int = 0
    """The run's seed, from which bots' own luck is drawn."""
    limits: Limits = field(default_factory=Limits)
    position: str = ""
    """The position in which the match starts, as canonical JSON; empty where it starts with a deal."""

    @property
    def set_id(self) -> str:
        """The deal set this match belongs to: its id without the seating."""
        return self.id.rpartition("-")[0]


class Fault(NamedTuple):
    """What a bot did wrong."""

    ply: int
    """How many moves had been made; -1 before the first decision (start-up)."""
    kind: str
    """`illegal`, `exception`, `wrong_type`, `start`, `time`, `memory`, `crash` or `malformed`."""
    detail: str
    """One line for its author; measured, not part of the digest."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat's part of a match."""

    bot: BotRef
    side: int
    score: float
    place: int
    faults: tuple[Fault, ...] = ()
    decisions: int = 0
    """Decisions it was asked for; forced moves are played for it."""
    cpu_ms: float = 0.0
    cpu_ms_max: float = 0.0
    metrics: tuple[tuple[str, float], ...] = ()
    """The bot's own numbers, averaged over its decisions, by name."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that was played: the spec, every move, the outcome, the faults, the clocks."""

    spec: MatchSpec
    status: str
    """`completed` or `forfeit`."""
    reason: str | None
    """The game's own reason for the end; None where a forfeit ended the match."""
    moves: tuple[int, ...]
    move_seats: tuple[int, ...]
    seats: tuple[SeatRecord, ...]
    move_cpu_us: tuple[int, ...] = ()
    """CPU of every move, 0 for forced ones."""
    attempt: int = 1
    started: datetime | None = None
    wall_ms: float = 0.0
    worker: str = ""
    isolation: str = "none"


class VoidTry(NamedTuple):
    """A try that the platform spoilt: nobody's loss, and played again."""

    match_id: str
    attempt: int
    when: datetime
    where: str
    why: str
