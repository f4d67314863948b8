"""Reading a tournament's TOML, strictly, and writing it as resolved: the only code that knows file syntax.

Reading also loads every game and finds every bot, so that a mistake is one clear line before anything
is written.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from engines.core.errors import BadRules
from harness import config_bots, config_games, config_kept, formats
from harness.config_bots import SUBMITTED, check_name
from harness.config_keys import Keys
from harness.config_values import (
    EXECUTORS,
    ISOLATION,
    REPORTS,
    BotEntry,
    ConfigError,
    GameEntry,
    RunConfig,
)
from harness.positions import Positions
from harness.records import Limits, Suspend

__all__ = ["BotEntry", "ConfigError", "GameEntry", "RunConfig", "dump", "loads", "read"]


def read(path: Path, *, out: Path | None = None, isolation: str | None = None) -> RunConfig:
    """The config at `path`, resolved; relative paths in it start from its folder. Raises ConfigError.

    `out` is the run's folder where it is not `reports/<name>`: a run that goes on has its positions there,
    should their file be gone, the seed that was drawn for it, and what `--time` has chosen. `isolation`
    stands before the config's: bots that are to be isolated are not even imported in this process.
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
        **({"seed_drawn": True} if config.seed_drawn else {}),
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
        "bots": [config_bots.written(bot) for bot in config.bots],
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
    check_name(keys, run_name)
    seed, drawn = config_kept.seed_of(keys, None if resolved else out or REPORTS / run_name)
    games = config_games.games_of(keys)
    if resolved:
        dealt = config_games.kept_positions(keys, folder)
    else:
        dealt = config_games.positions_of(keys, games, folder, out or REPORTS / run_name)
    format_name, format_options = _format(keys, dealt)
    timed = config_kept.timed_in(keys.table("time")) if resolved else None
    if not resolved and (timed := config_kept.timed_of(out or REPORTS / run_name)) is not None:
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
        bots = config_bots.recorded(entries, folder)
    else:
        bots = config_bots.entered(entries, loaded, folder, isolation, allow)
    if entrants:
        bots += config_bots.submissions_of(keys, bots, loaded)
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
        seed_drawn=drawn,
    )


def _repeated(text: str, error: tomllib.TOMLDecodeError) -> str | None:
    """Which key stands there twice, where that is the mistake: the parser tells the place alone."""
    place = re.fullmatch(r"Cannot overwrite a value \(at line (\d+), column \d+\)", str(error))
    if place is None:
        return None
    number = int(place[1])
    key = text.splitlines()[number - 1].partition("=")[0].strip()
    return f"{key} is there twice, the second time in line {number}"


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
        nodes=keys.whole("nodes", 1, 2**53, default=None),
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


def _plain(value: Any) -> Any:
    """Without what TOML has no word for: None is left out, tuples are lists."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
