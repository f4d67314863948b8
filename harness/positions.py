"""Deals from a file of positions: reading it strictly, and keeping it with the run that plays it.

A file has one JSON position a line; blank lines are skipped. The first position is deal 0, the next deal 1.
To a format a file of eight positions is `deals = 8`. To one that plays more deals than that (new ones every
round, say) deal 8 is the first position again; one that must not have that asks its table: `positions`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from engines.core.errors import BadPosition
from engines.core.game import Game
from engines.core.state import State
from harness.config_values import ConfigError, RunConfig, canonical_json
from harness.luck import deal_luck
from harness.records import MatchSpec

KEPT: Final = "positions.jsonl"
"""The run's own copy, in its folder."""


class Deal(NamedTuple):
    """Where a match starts."""

    address: str
    """`<game>/<number>`, or `<game>/<digest of the positions>/<number>`."""
    luck: int
    position: str = ""
    """The position that is dealt, as canonical JSON; empty where the deal follows from the luck."""


@dataclass(frozen=True)
class Positions:
    """The positions of a run, in order: deal k is position k, and they start over after the last."""

    name: str
    """What the file was called, without its folder."""
    lines: tuple[str, ...]
    """Each as canonical JSON."""

    @functools.cached_property
    def digest(self) -> str:
        """12 hex digits; depends neither on the file's place and name nor on its layout."""
        return hashlib.blake2b(self.text.encode(), digest_size=6).hexdigest()

    @property
    def text(self) -> str:
        """The file's content, one position a line."""
        return "".join(f"{line}\n" for line in self.lines)

    def at(self, number: int) -> str:
        """The position of deal `number`."""
        return self.lines[number % len(self.lines)]


def deal_of(config: RunConfig, game: str, number: int) -> Deal:
    """Deal `number` of a game, wherever the run's deals come from."""
    positions = config.positions
    if positions is None:
        return Deal(f"{game}/{number}", deal_luck(config.seed, game, number))
    line = positions.at(number)
    return Deal(f"{game}/{positions.digest}/{number}", luck_of(json.loads(line)), line)


def luck_of(position: Mapping[str, Any]) -> int:
    """What chance events after a position depend on: the luck that it names itself."""
    return int(position.get("state", position).get("luck", 0))


def start(game: Game[Any, Any], spec: MatchSpec) -> State:
    """The state in which the match begins."""
    return dealt(game, spec.luck, spec.position)


def dealt(game: Game[Any, Any], luck: int, position: str) -> State:
    """The state in which every match of a deal begins."""
    state: State = game.from_position(json.loads(position)) if position else game.deal(luck)
    return state


def playable(game: Game[Any, Any], data: Mapping[str, Any]) -> str:
    """A position from which there is something to play, as canonical JSON; raises BadPosition."""
    if game.from_position(data).seat < 0:
        raise BadPosition("turn: expected a seat to move, but the game is over here")
    return canonical_json(data)


def read(path: Path, game: Game[Any, Any]) -> Positions:
    """The positions in a file; raises ConfigError naming file, line and key of the first mistake."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    found: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                found.append(playable(game, _parsed(line)))
            except ValueError as error:
                raise ConfigError(f"{path}: line {number}: {error}") from None
    if not found:
        raise ConfigError(f"{path}: is empty: expected a JSON position on every line")
    return Positions(path.name, tuple(found))


def _parsed(line: str) -> Mapping[str, Any]:
    """A line as a whole position: one that does not say its game could be meant for another."""
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadPosition(f"not valid JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise BadPosition("not a position: nested too deeply") from None
    if not isinstance(data, dict):
        raise BadPosition(f"expected an object with game, rules and state, got {data!r}")
    for key in ("game", "state"):
        if key not in data:
            raise BadPosition(f"{key}: is missing; a position has game, rules and state")
    return data


def kept(folder: Path, name: str, digest: str) -> Positions:
    """The copy in a run's folder; raises ConfigError where it is not what the run was started with."""
    path = folder / KEPT
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{path}: cannot be read; the run's matches start from its positions") from None
    found = Positions(name, tuple(line for line in lines if line))
    if found.digest != digest:
        raise ConfigError(f"{path}: was changed: expected positions of digest {digest}, got {found.digest}")
    return found


def of_run(folder: Path) -> Positions | None:
    """The positions of the run in a folder; None where it has none, or where there is no run."""
    try:
        run = tomllib.loads((folder / "run.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return kept(folder, run["format"]["deals"], run["positions"]["digest"]) if "positions" in run else None
