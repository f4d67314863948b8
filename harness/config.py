"""Reading a tournament's TOML, strictly, and writing it as resolved: the only code that knows file syntax.

Reading also loads every game and finds every bot, so that a mistake is one clear line before anything
is written.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import tomli_w

import engines
from bots.core.claims import claims, plays
from engines.core.errors import BadRules, UnknownGame, choices_hint
from engines.core.game import Game
from harness import bot_files, formats, positions, submissions, submitted
from harness.config_keys import Keys
from harness.config_values import (
    EXECUTORS,
    ISOLATION,
    REPORTS,
    BotEntry,
    ConfigError,
    GameEntry,
    RunConfig,
    Timed,
    canonical_json,
)
from harness.players.measuring import Claims, Describer
from harness.positions import Positions
from harness.records import BotRef, Limits, Suspend
from harness.submissions import SetupError, Source

__all__ = ["BotEntry", "ConfigError", "GameEntry", "RunConfig", "dump", "loads", "read"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")
"""Names of runs and bots: they become folders, whose names file systems keep below 256 bytes."""
SUBMITTED = "submitted"
"""What `entrants` can be: everything that was submitted."""


def read(path: Path, *, out: Path | None = None, isolation: str | None = None) -> RunConfig:
    """The config at `path`, resolved; relative paths in it start from its folder. Raises ConfigError.

    `out` is the run's folder where it is not `reports/<name>`: a run that goes on has its positions there,
    should their file be gone, and what `--time` has chosen. `isolation` stands before the config's: bots that
    are to be isolated are not even imported in this process.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    config = parse(text, file=str(path), folder=path.parent, name=path.stem, out=out, isolation=isolation)
    try:
        formats.plan(config)
    except formats.Unservable as error:
        raise ConfigError(f"{path}: {error.key}: {error}") from None
    return config


def loads(text: str, *, folder: Path | None = None, file: str = "run.toml") -> RunConfig:
    """What `dump` wrote. Bots keep their recorded versions and need not be there any more.

    `folder` is the run's, whose `bots/<name>-<version>/` has the files that played; they stand in where
    the original is gone or has changed. Positions are read from its copy.
    """
    return parse(text, file=file, folder=folder or Path.cwd(), name="run", resolved=True)


def dump(config: RunConfig) -> str:
    """The config as TOML, resolved, with every default that has a value."""
    data: dict[str, Any] = {
        "name": config.name,
        "seed": config.seed,
        **({} if config.self_play is None else {"self_play": config.self_play}),
        "executor": config.executor,
        "isolation": config.isolation,
        "allow": list(config.allow),
        "format": {"name": config.format, **config.format_options},
        "limits": dataclasses.asdict(config.limits),
        "suspend": dataclasses.asdict(config.suspend),
        "games": [
            {"name": game.name, "rules": dataclasses.asdict(game.load().rules)} for game in config.games
        ],
        "bots": [_bot_data(bot) for bot in config.bots],
    }
    if config.workers is not None:
        data["workers"] = config.workers
    if (dealt := config.positions) is not None:
        data["format"]["deals"] = dealt.name
        data["positions"] = {"count": len(dealt.lines), "digest": dealt.digest}
    if config.timed is not None:
        data["time"] = config.timed._asdict()
    return tomli_w.dumps(_plain(data))


def parse(
    text: str,
    *,
    file: str,
    folder: Path,
    name: str,
    resolved: bool = False,
    out: Path | None = None,
    isolation: str | None = None,
) -> RunConfig:
    """The config in `text`; `file` is what errors call it, `resolved` says that `dump` wrote it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: not valid TOML: {_repeated(text, error) or error}") from None
    return resolve(data, file=file, folder=folder, name=name, resolved=resolved, out=out, isolation=isolation)


def resolve(
    data: Mapping[str, Any],
    *,
    file: str,
    folder: Path,
    name: str,
    resolved: bool = False,
    out: Path | None = None,
    isolation: str | None = None,
) -> RunConfig:
    """The config in a table as TOML gives it; see `parse`."""
    keys = Keys(file, data)
    run_name = keys.take("name", str, name)
    _named(keys, run_name)
    seed = keys.whole("seed", 0, 2**63 - 1, default=0)
    games = _games(keys)
    if resolved:
        dealt = _kept_positions(keys, folder)
    else:
        dealt = _positions(keys, games, folder, out or REPORTS / run_name)
    format_name, format_options = _format(keys, dealt)
    timed = _timed(keys.table("time")) if resolved else None
    if not resolved and (timed := timed_of(out or REPORTS / run_name)) is not None:
        if format_options.get(timed.option) in {timed.instead_of, timed.number}:
            format_options = {**format_options, timed.option: timed.number}
        else:
            timed = None  # the config says something new, which the run cannot go on with
    limits = _limits(keys.table("limits"))
    suspend = _suspend(keys.table("suspend"))
    allow = keys.texts("allow")
    own_isolation = keys.choice("isolation", ISOLATION, "auto")
    isolation = isolation or own_isolation
    self_play = keys.whole("self_play", 0, default=None)
    executor = keys.choice("executor", EXECUTORS, "auto")
    workers = keys.whole("workers", 1, default=None)
    entrants = keys.take("entrants", str, None)
    if entrants not in {None, SUBMITTED}:
        keys.fail(
            "entrants", f"expected {SUBMITTED!r} (every submitted bot whose games fit), got {entrants!r}"
        )
    entries = keys.tables("bots")
    loaded = [game.load() for game in games]
    keys.refuse_unknown()
    if resolved:
        bots = _bots(entries, lambda table: _recorded_bot(table, folder))
    else:
        with _describer(entries, folder, isolation, allow) as describer:
            bots = _bots(
                entries,
                functools.partial(_bot, loaded=loaded, folder=folder, describer=describer),
            )
    if entrants:
        bots += tuple(_submitted(keys, bots, [(game.name, game.seats) for game in loaded]))
    if not bots:
        none = ", and nothing that was submitted plays here" if entrants else ""
        keys.fail("bots", f"expected at least two [[bots]] tables, got none{none}")
    return RunConfig(
        name=run_name,
        seed=seed,
        games=games,
        bots=bots,
        format=format_name,
        format_options=format_options,
        limits=limits,
        suspend=suspend,
        isolation=isolation,
        executor=executor,
        workers=workers,
        self_play=self_play,
        allow=allow,
        positions=dealt,
        timed=timed,
    )


def timed_of(folder: Path) -> Timed | None:
    """What `--time` has chosen for the run in this folder, if there is one and it did."""
    try:
        data = tomllib.loads((folder / "run.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # whoever continues the run is told
    return _timed(Keys(str(folder / "run.toml"), data).table("time"))


def _timed(table: Keys) -> Timed | None:
    if not table.data:
        return None
    return Timed(
        table.take("asked", str),
        table.take("option", str),
        table.whole("number", 1),
        table.whole("instead_of", 1),
    )


def _repeated(text: str, error: tomllib.TOMLDecodeError) -> str | None:
    """Which key stands there twice, where that is the mistake: the parser tells the place alone."""
    place = re.fullmatch(r"Cannot overwrite a value \(at line (\d+), column \d+\)", str(error))
    if place is None:
        return None
    number = int(place[1])
    key = text.splitlines()[number - 1].partition("=")[0].strip()
    return f"{key} is there twice, the second time in line {number}"


def _named(keys: Keys, name: str) -> None:
    """Refuse a name that cannot be a folder."""
    if not NAME.fullmatch(name):
        shown = repr(name) if len(name) <= 100 else f"{name[:20]!r}… of {len(name)} characters"
        wanted = "at most 100 letters, digits and . _ + -, the first a letter or digit"
        keys.fail("name", f"expected {wanted} (it becomes a folder), got {shown}")


def _games(keys: Keys) -> tuple[GameEntry, ...]:
    single = keys.take("game", str, None)
    rules = keys.table("rules")
    several = keys.tables("games")
    if single is not None and several:
        keys.fail("game", "expected either `game` or [[games]] tables, got both")
    if single is not None:
        return (_game(keys, "game", single, rules),)
    if rules.data:
        keys.fail("rules", "belongs to `game`; a [[games]] table has `rules` of its own")
    if not several:
        keys.refuse_unknown(
            "format", "limits", "suspend", "allow", "isolation", "executor", "workers", "bots", "entrants"
        )
        keys.fail("game", f"is missing; known: {', '.join(engines.available())}")
    found: list[GameEntry] = []
    for table in several:
        entry = _game(table, "name", table.take("name", str), table.table("rules"))
        table.refuse_unknown()
        if entry in found:
            table.fail("", f"is the same as games[{found.index(entry)}]")
        found.append(entry)
    return tuple(found)


def _game(keys: Keys, key: str, name: str, rules: Keys) -> GameEntry:
    try:
        game = engines.load(name, **rules.data)
    except UnknownGame as error:
        keys.fail(key, str(error))
    except BadRules as error:
        option, _, reason = str(error).partition(": ")
        rules.fail(option, reason)
    return GameEntry(game.name, canonical_json(game.rules.changed()))


def _positions(keys: Keys, games: tuple[GameEntry, ...], folder: Path, run: Path) -> Positions | None:
    """What `deals = "puzzles.jsonl"` names; from the run's own copy where the file is gone."""
    table = keys.table("format")
    name = table.data.get("deals")
    if not isinstance(name, str):
        return None
    if len(games) > 1:
        several = ", ".join(
            game.name if game.rules == "{}" else f"{game.name} {game.rules}" for game in games
        )
        table.fail("deals", f"positions are of one game with one set of rules, but this event has {several}")
    path = folder / name
    if not path.exists():
        dealt = positions.of_run(run)
        if dealt is not None and dealt.name == path.name:
            return dealt
    return positions.read(path, games[0].load())


def _kept_positions(keys: Keys, folder: Path) -> Positions | None:
    """The run's own copy, where `dump` wrote that there is one."""
    table = keys.table("positions")
    if not table.data:
        return None
    return positions.kept(folder, keys.table("format").take("deals", str), table.take("digest", str))


def _format(keys: Keys, dealt: Positions | None) -> tuple[str, Mapping[str, Any]]:
    table = keys.table("format")
    name = table.take("name", str, "round_robin")
    kind = table.attempt("name", lambda: formats.load(name))
    options = {key: value for key, value in table.data.items() if key != "name"}
    if dealt is not None:
        options["deals"] = len(dealt.lines)
    try:
        chosen = kind.Options.of(options)
    except BadRules as error:
        option, _, reason = str(error).partition(": ")
        table.fail(option, reason)
    return name, dataclasses.asdict(chosen)


def _limits(keys: Keys) -> Limits:
    limits = Limits(
        cpu_ms=keys.number("cpu_ms", None),
        bank_ms=keys.number("bank_ms", None),
        increment_ms=keys.number("increment_ms", 0.0, zero=True),
        memory_mb=keys.whole("memory_mb", 1, default=None),
        nodes=keys.whole("nodes", 1, default=None),
        import_ms=keys.number("import_ms", None),
    )
    keys.refuse_unknown()
    if limits.increment_ms and limits.bank_ms is None:
        keys.fail("increment_ms", "is added to the bank; give bank_ms too")
    return limits


def _suspend(keys: Keys) -> Suspend:
    rule = Suspend()
    faults = keys.number("faults", rule.faults, zero=True)
    if faults > 1:
        keys.fail("faults", f"expected a share of matches from 0 to 1, got {faults:g}")
    after = keys.whole("after", 1, default=rule.after)
    keys.refuse_unknown()
    return Suspend(faults, after)


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


def _bots(entries: list[Keys], read_one: Callable[[Keys], BotEntry]) -> tuple[BotEntry, ...]:
    found: list[BotEntry] = []
    for table in entries:
        bot = read_one(table)
        for index, other in enumerate(found):
            if other.ref.name == bot.ref.name:
                table.fail("name", f"{bot.ref.name!r} is also the name of bots[{index}]")
        found.append(bot)
    return tuple(found)


def _submitted(keys: Keys, listed: tuple[BotEntry, ...], seats: list[tuple[str, int]]) -> list[BotEntry]:
    """The newest version of every submission that plays a game of the event, by name.

    One that the config lists itself is not entered a second time.
    """
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
    return found


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
    _named(keys, name)
    kind = keys.attempt(source_key, lambda: _claims(source, describer))
    try:
        submissions.check_known(kind.name, kind.options, options)
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
                submissions.try_options(submissions.bot_type(source), game, options)
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
        return "command", keys.attempt("command", lambda: submissions.program(command, files, folder))
    if path is not None:
        place = (folder / path).resolve()
        return "path", keys.attempt("path", lambda: submissions.at(place))
    if bot is None:
        keys.refuse_unknown("name", "options", "games")
        keys.fail("", "expected `bot` (a name), `path` (a file or folder) or `command` (a program), got none")
    return "bot", keys.attempt("bot", lambda: submissions.find(bot))


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
            source = submissions.recorded_program(name, place, files, command)
        except SetupError:
            continue
        if source.version == version:
            return source
    return Source(name, "command", base, (), version, command)


def _bot_data(bot: BotEntry) -> dict[str, Any]:
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


def _plain(value: Any) -> Any:
    """Without what TOML has no word for: None is left out, tuples are lists."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
