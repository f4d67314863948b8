"""What isolation a run gets, found out before it starts; what strangers' classes claim, found out safely."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from bots.core.claims import claims
from harness import bot_class, submissions
from harness.bot_class import BadBot
from harness.players import levels, maker
from harness.players.base import BotFault
from harness.players.channel import Closed
from harness.players.isolated import IMPORT_MS
from harness.players.levels import IsolationUnavailable
from harness.players.spawner import Spawner, open_spawner
from harness.submissions import Source

_MISSING: Final = re.compile(r"ModuleNotFoundError: No module named '([A-Za-z0-9_.]+)'")


class Measured(NamedTuple):
    """What a run's bots play at."""

    level: str
    """Of those that do not ship with Croupier, or of all where the config names a level."""
    told: str
    """The same with what it means, where it is less than the best."""


def measure(
    wanted: str, sources: Sequence[Source], allow: Sequence[str] = (), *, platform: str = sys.platform
) -> Measured:
    """Try the level that a config wants; raises IsolationUnavailable where this machine has it not."""
    programs = any(source.kind == "command" for source in sources)
    if programs and not platform.startswith("linux"):
        raise IsolationUnavailable(
            f"isolation: bots in other languages play on Linux only; this is {levels.system(platform)}. "
            f"Leave them out, or run Croupier in Linux (a container or WSL2 will do)"
        )
    if wanted == levels.NONE or (wanted == levels.AUTO and not maker.strangers(sources)):
        return Measured(levels.NONE, levels.NONE)
    spawner = open_spawner(wanted, allow=allow, platform=platform)
    spawner.close()
    if spawner.level == levels.SAFE and programs:
        raise IsolationUnavailable(
            f"isolation: bots in other languages cannot be isolated here: {spawner.level} lets a seat open "
            f"no file, and a program loads its libraries. Leave them out, or use a machine with Landlock or "
            f"namespaces"
        )
    best = spawner.level == "sealed" and not spawner.remark
    told = levels.told(spawner.level, spawner.host)
    remark = f"; {spawner.remark}" if spawner.remark else ""
    return Measured(spawner.level, spawner.level if best else told + remark)


class Claims(NamedTuple):
    """What a config has to know of a bot's class."""

    name: str
    """The class's."""
    games: tuple[str, ...]
    options: tuple[str, ...] | None
    """The options it takes; None where it takes any."""


class Describer:
    """Finds out what classes claim: in this process for trusted code, in a locked seat for all other."""

    def __init__(self, isolation: str, sources: Iterable[Source], allow: Sequence[str] = ()) -> None:
        self._isolation = isolation
        self._sources = list(sources)
        self._allow = allow
        self._spawner: Spawner | None = None

    def claims(self, source: Source) -> Claims:
        """What the bot's class claims. Raises BadBot where its import fails or has no such class.

        A bot that does not even come to an answer (it hangs, or ends its process) claims every game: it
        will forfeit its matches, and stops nobody else's.
        """
        if source.kind == "command":
            return Claims(source.name, (), None)  # the config says what it does not play
        if self.trusts(source):
            return _claims(bot_class.describe_type(submissions.bot_type(source)))
        if self._spawner is None:
            own = [path for each in self._sources for path in maker.own_files(each)]
            ready = maker.ready_modules(self._sources)
            self._spawner = open_spawner(self._isolation, own=own, allow=self._allow, preload=ready)
        try:
            about = self._spawner.ask_about(maker.code_of(source), "describe", int(IMPORT_MS * 1e6))
        except Closed:
            return Claims("", (), None)
        except BotFault as fault:
            if fault.kind == "start":
                detail = fault.detail.removeprefix("did not start: ")
                missing = _MISSING.search(detail)
                hint = bot_class.sibling(source.kind, str(source.path), missing[1] if missing else None)
                raise BadBot(detail + hint) from None
            return Claims("", (), None)
        try:
            return _claims(json.loads(about))
        except (ValueError, RecursionError):  # no answer of ours: its file wrote to the channel itself
            return Claims("", (), None)

    def trusts(self, source: Source) -> bool:
        """Whether the bot's code may run in this process."""
        return source.kind == "shipped" or maker.level_of(self._isolation, source, 1) == levels.NONE

    def close(self) -> None:
        """End what was started."""
        if self._spawner is not None:
            self._spawner.close()


def _claims(about: Any) -> Claims:
    """The claims in plain values that came from a seat; raises ValueError for anything that is none."""
    try:
        found = msgspec.convert(about, _Described)
    except msgspec.ValidationError as error:
        raise BadBot(f"the class says of itself what no class can: {error}") from None
    claims(found.games)
    if not all(map(str.isidentifier, found.options or ())):
        raise BadBot("the class says of itself that it has options which are no Python names")
    return Claims(found.name, found.games, found.options)


class _Described(msgspec.Struct):
    name: str
    games: tuple[str, ...]
    options: tuple[str, ...] | None
