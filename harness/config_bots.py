"""The bots of a config: `[[bots]]` tables read, their files found, their classes looked at."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from pathlib import Path
from random import Random
from typing import Any

from bots.core.bot import Bot
from bots.core.claims import claims, plays
from engines.core.errors import choices_hint
from engines.core.game import Game
from harness import bot_files, bot_programs, submissions, submitted
from harness.config_keys import Keys
from harness.config_values import BotEntry, ConfigError, canonical_json
from harness.players.measuring import Claims, Describer
from harness.records import BotRef
from harness.submissions import SetupError, Source
from harness.submitted import NAME
from harness.wording import named

SUBMITTED = "submitted"
"""What `entrants` can be: everything that was submitted."""


def check_name(keys: Keys, name: str) -> None:
    """Refuse a name that cannot be a folder."""
    if not NAME.fullmatch(name):
        shown = repr(name) if len(name) <= 100 else f"{name[:20]!r}… of {len(name)} characters"
        wanted = "at most 100 letters, digits and . _ + -, the first a letter or digit"
        keys.fail("name", f"expected {wanted} (it becomes a folder), got {shown}")


@contextlib.contextmanager
def _describer(
    entries: list[Keys], folder: Path, isolation: str, allow: tuple[str, ...]
) -> Iterator[Describer]:
    """Whoever looks at the classes of these bots; what is wrong with a bot's place is told later."""
    sources = []
    for table in entries:
        with contextlib.suppress(ConfigError):
            sources.append(_source(Keys(table.file, table.data), folder)[1])
    describer = Describer(isolation, sources, allow)
    try:
        yield describer
    finally:
        describer.close()


def entered(
    entries: list[Keys], loaded: list[Game[Any, Any]], folder: Path, isolation: str, allow: tuple[str, ...]
) -> tuple[BotEntry, ...]:
    """The bots of a config's `[[bots]]` tables, found, looked at and checked against the games."""
    with _describer(entries, folder, isolation, allow) as describer:
        return _bots(entries, functools.partial(_bot, loaded=loaded, folder=folder, describer=describer))


def recorded(entries: list[Keys], folder: Path) -> tuple[BotEntry, ...]:
    """The bots of a run.toml, as they were when it was written."""
    return _bots(entries, functools.partial(_recorded_bot, folder=folder))


def _bots(entries: list[Keys], read_one: Callable[[Keys], BotEntry]) -> tuple[BotEntry, ...]:
    found: list[BotEntry] = []
    for table in entries:
        bot = read_one(table)
        for index, other in enumerate(found):
            if other.ref.name == bot.ref.name:
                table.fail("name", f"{bot.ref.name!r} is also the name of bots[{index}]")
        found.append(bot)
    return tuple(found)


def submissions_of(
    keys: Keys, listed: tuple[BotEntry, ...], loaded: list[Game[Any, Any]]
) -> tuple[BotEntry, ...]:
    """The newest version of every submission that plays a game of the event, by name.

    One that the config lists itself is not entered a second time.
    """
    seats = [(game.name, game.seats) for game in loaded]
    found = []
    for name in submitted.names():
        source = keys.attempt("entrants", functools.partial(submissions.find, name))
        facts = keys.attempt("entrants", functools.partial(bot_files.facts, source))
        entered = _entered(seats, facts.games)
        there = next((bot for bot in listed if bot.ref.name == name), None)
        if there is not None and there.ref.version == source.version:
            continue
        if there is not None:
            index = listed.index(there)
            keys.fail(f"bots[{index}].name", f"{name!r} is also the name of a submitted bot: give it another")
        if entered:
            found.append(BotEntry(BotRef(name, source.version), source, entered))
    return tuple(found)


def _entered(seats: list[tuple[str, int]], *said: tuple[str, ...]) -> tuple[str, ...]:
    """The games of the event, with seats, to which all of these claims say yes."""
    fits = (f"{game}:{n}" for game, n in seats if all(plays(games, game, n) for games in said))
    return tuple(dict.fromkeys(fits))


def _claims(source: Source, describer: Describer) -> Claims:
    """What a bot's class claims; of a submission its files say it, which costs no seat."""
    if source.kind == SUBMITTED:
        facts = bot_files.facts(source)
        return Claims(facts.kind, facts.games, facts.options)
    return describer.claims(source)


def _bot(keys: Keys, *, loaded: list[Game[Any, Any]], folder: Path, describer: Describer) -> BotEntry:
    """One `[[bots]]` table: its files found, its class looked at, its options checked."""
    seats = [(game.name, game.seats) for game in loaded]
    given = keys.take("name", str, None)
    source_key, source = _source(keys, folder)
    options = keys.take("options", dict, {})
    only = keys.texts("games")
    keys.refuse_unknown()
    name = source.name if given is None else given
    check_name(keys, name)
    kind = keys.attempt(source_key, lambda: _claims(source, describer))
    try:
        check_known(kind.name, kind.options, options)
        written = canonical_json(options)
    except (ValueError, TypeError) as error:
        keys.fail("options", str(error))
    for claim in keys.attempt("games", lambda: claims(only)):
        if claim.game not in {game for game, _ in seats}:
            names = [game for game, _ in seats]
            keys.fail(
                "games", f"{claim.game!r} is not a game of this event, {choices_hint(claim.game, names)}"
            )
    entered = _entered(seats, kind.games, only)
    if not entered:
        here = ", ".join(f"{game}:{n}" for game, n in seats)
        keys.fail(source_key, f"{name!r} plays {', '.join(only or kind.games)}, which is none of {here}")
    if options and source.kind in {"shipped", "installed"} and describer.trusts(source):
        for game in (game for game in loaded if f"{game.name}:{game.seats}" in entered):
            try:
                try_options(submissions.bot_type(source), game, options)
            except ValueError as error:
                keys.fail("options", str(error))
    return BotEntry(BotRef(name, source.version, written), source, entered)


def _source(keys: Keys, folder: Path) -> tuple[str, Source]:
    """The key that says where the bot is, and what is there."""
    bot = keys.take("bot", str, None)
    path = keys.take("path", str, None)
    command = keys.texts("command")
    files = keys.texts("files")
    given = [key for key in ("bot", "path", "command") if key in keys.data]
    if len(given) > 1:
        keys.fail("", f"expected exactly one of `bot`, `path` and `command`, got {' and '.join(given)}")
    if files and given != ["command"]:
        keys.fail("files", "belongs to `command`; a Python bot of several files is a folder with bot.py")
    if given == ["command"]:
        return "command", keys.attempt("command", lambda: bot_programs.program(command, files, folder))
    if path is not None:
        place = (folder / path).resolve()
        return "path", keys.attempt("path", lambda: submissions.at(place))
    if bot is None:
        keys.refuse_unknown("name", "options", "games")
        keys.fail("", "expected `bot` (a name), `path` (a file or folder) or `command` (a program), got none")
    return "bot", keys.attempt("bot", lambda: submissions.find(bot))


def check_known(name: str, known: Sequence[str] | None, options: Iterable[str]) -> None:
    """Refuse options that are not among `known` (None: all are) of the class `name`; raises ValueError."""
    if known is None:
        return
    for option in options:
        if not known:
            raise ValueError(f"{option}: {name} takes no options")
        if option not in known:
            raise ValueError(f"{option}: unknown option of {name}, {choices_hint(option, known)}")


def try_options(kind: type[Bot[Any]], game: Game[Any, Any], options: dict[str, Any]) -> None:
    """Build the bot once for a game; raises ValueError where it does not take these options' values."""
    try:
        kind(copy(game), 0, Random(0), **options)
    except (KeyboardInterrupt, ValueError):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever the bot raises is told, SystemExit too
        given = ", ".join(f"{name} = {value!r}" for name, value in options.items())
        raise ValueError(f"{kind.__name__} cannot be built with {given}: {named(error)}") from None


def _recorded_bot(keys: Keys, folder: Path) -> BotEntry:
    """One `[[bots]]` table as `dump` wrote it."""
    name = keys.take("name", str)
    bot = keys.take("bot", str, None)
    path = keys.take("path", str, None)
    version = keys.take("version", str)
    options = keys.take("options", dict, {})
    games = keys.texts("games")
    command = keys.texts("command")
    files = keys.texts("files")
    keys.refuse_unknown()
    kept = folder / "bots" / f"{name}-{version}"
    if command:
        source = _program_still_there(name, Path(path or kept), kept, files, command, version)
        return BotEntry(BotRef(name, version, canonical_json(options)), source, games)
    stub = Source(bot or name, "shipped" if bot else "file", Path(path or kept), (), version)
    source = _still_there(stub, bot, kept)
    return BotEntry(BotRef(name, version, canonical_json(options)), source, games)


def _still_there(stub: Source, bot: str | None, kept: Path) -> Source:
    """The recorded version of a bot: at its own place, else the run's copy, else only its name."""
    for place in (stub.path, kept, *sorted(kept.glob("*.py"))):
        try:
            source = submissions.find(bot) if bot and place == stub.path else submissions.at(place)
        except SetupError:
            continue
        if source.version == stub.version:
            return source
    return stub


def _program_still_there(
    name: str, base: Path, kept: Path, files: tuple[str, ...], command: tuple[str, ...], version: str
) -> Source:
    """The recorded version of a program: at its own place, else the run's copy, else only its name."""
    for place in (base, kept):
        try:
            source = bot_programs.recorded(name, place, files, command)
        except SetupError:
            continue
        if source.version == version:
            return source
    return Source(name, "command", base, (), version, command)


def written(bot: BotEntry) -> dict[str, Any]:
    """A bot's table in run.toml, as `recorded` reads it."""
    named = bot.source.kind in {"shipped", "installed"}
    return {
        "name": bot.ref.name,
        **({"bot": bot.source.name} if named else {"path": str(bot.source.path)}),
        "version": bot.ref.version,
        **_command_data(bot.source),
        "options": json.loads(bot.ref.options),
        "games": list(bot.games),
    }


def _command_data(source: Source) -> dict[str, Any]:
    if source.kind != "command":
        return {}
    files = [file.relative_to(source.path).as_posix() for file in source.files]
    return {"command": list(source.command), "files": files}
