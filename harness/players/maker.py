"""Makes the players of a worker's matches, each at the level that its bot and the run ask for."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from harness import shared_parts, submissions
from harness.executors.base import Setup
from harness.players import levels, output, programs, wire
from harness.players.base import BotFault, Player
from harness.players.external import ExternalPlayer
from harness.players.isolated import IMPORT_MS, IsolatedPlayer
from harness.players.local import LocalPlayer
from harness.players.scripted import ScriptedPlayer
from harness.players.spawner import Spawner, open_spawner
from harness.records import BotRef, MatchSpec
from harness.submissions import Source
from harness.wording import one_line


class PlayerMaker:
    """One worker's players: classes by bot for those in its own process, a zygote for all others."""

    def __init__(self, setup: Setup, interrupted: Callable[[], bool] = lambda: False) -> None:
        self.setup = setup
        self._interrupted = interrupted
        self._kinds: dict[BotRef, Any] = {}
        self._codes: dict[BotRef, wire.Code | BotFault] = {}
        self._options: dict[str, dict[str, Any]] = {}
        self._spawners: dict[str, Spawner] = {}

    def players(self, spec: MatchSpec, attempt: int = 1) -> tuple[list[Player], str]:
        """A fresh player for every seat, and the weakest level among the seats that are not our own bots'.

        Raises IsolationUnavailable or PlatformFault.
        """
        made: list[Player] = []
        reached: list[str] = []
        for number, ref in enumerate(spec.seats):
            source = self.setup.source(ref)
            level = level_of(self.setup.isolation, source, attempt)
            if level == levels.NONE:
                made.append(self._local(ref, source))
            else:
                spawner = self._spawner(level)
                level = spawner.level
                made.append(self._isolated(spawner, spec, number, ref, source))
            if source.kind != "shipped" or level != levels.NONE:
                reached.append(level)
        return made, levels.weakest(reached)

    def isolates(self) -> bool:
        """Whether any seat of this worker is, or may be, in a process of its own."""
        return any(level_of(self.setup.isolation, s, 1) != levels.NONE for s in self.setup.sources.values())

    def give_up_zygotes(self) -> None:
        """End all zygotes; the next match starts new ones."""
        for spawner in self._spawners.values():
            spawner.close()
        self._spawners.clear()

    def _spawner(self, level: str) -> Spawner:
        if level not in self._spawners:
            sources = self.setup.sources.values()
            self._spawners[level] = open_spawner(
                level,
                own=[path for source in sources for path in own_files(source)],
                allow=self.setup.allow,
                preload=ready_modules(sources),
            )
        return self._spawners[level]

    def _isolated(
        self, spawner: Spawner, spec: MatchSpec, number: int, ref: BotRef, source: Source
    ) -> Player:
        code = self._codes.get(ref)
        if code is None:
            try:
                submissions.check_unchanged(source.kind, source.path, source.version)
                code = programs.code_of(source) if source.kind == "command" else code_of(source)
                if source.kind not in {"command", "shipped", "installed"}:
                    code.compiled = spawner.compiled(code, int((spec.limits.import_ms or IMPORT_MS) * 1e6))
            except submissions.SetupError as error:
                code = BotFault("start", f"did not start: {one_line(error)}")
            self._codes[ref] = code
        if isinstance(code, BotFault):
            return ScriptedPlayer(start=code)
        printed: Callable[[str], None] = lambda _: None  # noqa: E731 - the same shape as the other
        if self.setup.logs:
            printed = functools.partial(output.keep, Path(self.setup.logs), ref, spec.id, number)
        kind = ExternalPlayer if source.kind == "command" else IsolatedPlayer
        return kind(spawner, code, self._given(ref), spec.limits, printed=printed)

    def _local(self, ref: BotRef, source: Source) -> Player:
        kind = self._kinds.get(ref)
        if kind is None:
            try:
                kind = submissions.bot_type(source)
            except submissions.SetupError as error:
                kind = BotFault("start", f"did not start: {one_line(error)}")
            self._kinds[ref] = kind
        if isinstance(kind, BotFault):
            return ScriptedPlayer(start=kind)
        return LocalPlayer(kind, self._given(ref), interrupted=self._interrupted)

    def _given(self, ref: BotRef) -> Mapping[str, Any]:
        if ref.options not in self._options:
            self._options[ref.options] = json.loads(ref.options)
        return self._options[ref.options]


def level_of(wanted: str, source: Source, attempt: int) -> str:
    """The level that a bot is to play at, where a run wants `wanted` and this is that try of its match.

    `auto` lets what ships with Croupier play in the worker's process. After a void try everybody gets a
    process of his own: so a bot that killed its worker is found out.
    """
    if source.kind == "command" and wanted == levels.NONE:
        return levels.BOUNDED  # a program has a process of its own anyhow
    if wanted == levels.NONE:
        return levels.BOUNDED if attempt > 1 else levels.NONE
    if wanted == levels.AUTO and source.kind == "shipped":
        again = levels.AUTO if sys.platform.startswith("linux") else levels.BOUNDED
        return again if attempt > 1 else levels.NONE
    return wanted


def strangers(sources: Iterable[Source]) -> bool:
    """Whether any of these bots does not ship with Croupier."""
    return any(source.kind != "shipped" for source in sources)


def own_files(source: Source) -> tuple[str, ...]:
    """What a bot alone may read: its file or folder; nothing for shipped ones, which are imported before."""
    if source.kind == "shipped":
        return ()
    if source.kind == "command":
        return programs.files_of(source)
    if source.kind == "installed" and source.path.name == "__init__.py":
        return (os.path.realpath(source.path.parent),)
    return (os.path.realpath(source.path),)


def ready_modules(sources: Iterable[Source]) -> list[str]:
    """What is imported before the door is shut: shipped bots, and what others import of `bots`."""
    found: set[str] = set()
    for source in sources:
        shipped = source.kind == "shipped"
        found |= {f"bots.{source.path.stem}"} if shipped else shared_parts.modules(source.files)
    return sorted(found)


def code_of(source: Source) -> wire.Code:
    """A bot as its seat is told."""
    point = submissions.entry_point(source.name) if source.kind == "installed" else ""
    path = source.path if source.kind == "shipped" else Path(os.path.realpath(source.path))
    python = tuple(os.path.realpath(file) for file in source.files if file.suffix == ".py")
    return wire.Code(source.kind, str(path), source.version, point, own_files(source), python)
