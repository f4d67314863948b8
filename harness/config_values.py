"""A run's configuration as a frozen value: what `config.read` gives and all other code sees."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import engines
from bots.core.claims import plays
from engines.core.game import Game
from harness.records import BotRef, Limits, Suspend
from harness.submissions import Source

if TYPE_CHECKING:
    from harness.positions import Positions

REPORTS: Final = Path("reports")
"""Where runs have their folders unless told otherwise."""
EXECUTORS = ("auto", "local", "ray")
RANDOM: Final = "random"
"""What a config says for its seed to be drawn when the run starts."""
ISOLATION = ("auto", "none", "bounded", "locked-noopen", "locked", "locked-ns", "sealed")
"""Levels of isolation from the weakest up; `auto` is the strongest that the bots need and the machine has."""


class ConfigError(ValueError):
    """A config cannot be run. Its text is one line that names the file and the key."""


def canonical_json(value: Any) -> str:
    """The one way in which a value is written as JSON: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class GameEntry(NamedTuple):
    """One game of the event."""

    name: str
    rules: str = "{}"
    """Options that differ from the game's defaults, as canonical JSON."""

    def load(self) -> Game[Any, Any]:
        """The game with these rules."""
        return engines.load(self.name, **json.loads(self.rules))


class BotEntry(NamedTuple):
    """One bot of the event."""

    ref: BotRef
    source: Source
    games: tuple[str, ...] = ()
    """The games of the event that it plays, with seats: `seven-symbols:4`."""

    def plays(self, game: Game[Any, Any]) -> bool:
        """Whether it enters `game`."""
        return plays(self.games, game.name, game.seats)


class Timed(NamedTuple):
    """A number that `--time` has chosen for this run, once and for all."""

    asked: str
    """The time that was asked for: `30m`."""
    option: str
    """The option of the format that was chosen."""
    number: int
    instead_of: int
    """What the config says, and is overruled."""


@dataclass(frozen=True)
class RunConfig:
    """Everything that a run is, resolved: games loaded once, bots found, every default filled in."""

    name: str
    """The run's name, which is its folder's unless told otherwise."""
    seed: int
    """All luck of the run comes from it; 0 … 2**63 - 1."""
    games: tuple[GameEntry, ...]
    bots: tuple[BotEntry, ...]
    format: str = "round_robin"
    format_options: Mapping[str, Any] = field(default_factory=dict)
    """Every option of the format, defaults included."""
    limits: Limits = field(default_factory=Limits)
    suspend: Suspend = field(default_factory=Suspend)
    """When a bot that forfeits too much plays no later rounds."""
    isolation: str = "auto"
    executor: str = "auto"
    """`auto`, `local` or `ray`."""
    workers: int | None = None
    """Worker processes; None is one a core."""
    self_play: int | None = None
    """Deals on which every bot first plays itself, twice each, to see whether its play can be repeated.

    They are part of the results. None: a few such matches at the end, which are not (see self_check.py).
    """
    allow: tuple[str, ...] = ()
    """Modules that isolated bots may import beside the standard library."""
    positions: Positions | None = None
    """Where the deals come from a file: its positions, as many as the format's `deals` then says."""
    timed: Timed | None = None
    """Where `--time` has chosen one of the format's options."""
    seed_drawn: bool = False
    """Whether the seed was drawn for this run alone: a secret until the run is over."""
