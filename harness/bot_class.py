"""The class in a bot's file: importing it, and what is wrong with one that cannot play.

A seat's process needs this and nothing else of `submissions`: what it does not import need not be forked.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from bots.core.bot import Bot
from bots.core.claims import claims
from harness import private_import
from harness.wording import named

ENTRY = "bot.py"
"""The file of a folder that has the bot's class."""


class SetupError(ValueError):
    """The run cannot start as it stands; the message is one line that says what to do."""


class BotNotFound(SetupError):
    """No bot of that name, or nothing at that path."""


class BadBot(SetupError):
    """A bot's file is there but holds no usable bot."""


def import_type(kind: str, path: str, version: str, point: str = "") -> type[Bot[Any]]:
    """The class of a bot of that kind at that path, as `bot_type`, whatever its version is now."""
    try:
        if kind == "installed":
            module_name, _, attributes = point.partition(":")
            found = functools.reduce(getattr, attributes.split("."), importlib.import_module(module_name))
            return check_type(found, path)
        if kind == "shipped":
            module = importlib.import_module(f"bots.{Path(path).stem}")
        else:
            module = private_import.load(path, entry=ENTRY, tag=version)
    except (KeyboardInterrupt, SetupError):
        raise
    except BaseException as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        why = f"{named(error)}{sibling(kind, path, missing)}"
        raise BadBot(f"{shown(path)} cannot be imported: {why}") from error
    return only_bot(module, path)


def sibling(kind: str, path: str, missing: str | None) -> str:
    """What to do where a bot of one file wants a module that lies beside it."""
    if kind != "file" or not missing:
        return ""
    beside = Path(path).parent / missing.partition(".")[0]
    if not (beside.is_dir() or beside.with_name(f"{beside.name}.py").is_file()):
        return ""
    return f"; a bot with helpers is a folder: put {beside.name} beside its {ENTRY} and give the folder"


def only_bot(module: ModuleType, path: str) -> type[Bot[Any]]:
    """The one public subclass of Bot that `module`, the bot at `path`, defines; raises BadBot otherwise."""
    found = [
        value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and Bot in value.__mro__
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]
    found = list(dict.fromkeys(found))
    if not found:
        raise BadBot(f"{shown(path)}: expected one class that subclasses Bot, found none")
    if len(found) > 1:
        names = ", ".join(kind.__name__ for kind in found)
        raise BadBot(
            f"{shown(path)}: expected one class that subclasses Bot, found {names}; helpers start with _"
        )
    return check_type(found[0], path)


def check_type(kind: Any, path: str) -> type[Bot[Any]]:
    """`kind` if it is a class that can play; raises BadBot otherwise."""
    if not (isinstance(kind, type) and Bot in kind.__mro__):
        raise BadBot(f"{shown(path)}: expected a class that subclasses Bot, got {kind!r}")
    bot: type[Bot[Any]] = kind
    if bot.act is Bot.act:
        raise BadBot(f"{shown(path)}: {bot.__name__} has no act(self, seen)")
    try:
        claims(bot.games)
    except (ValueError, TypeError) as error:
        raise BadBot(f"{shown(path)}: {bot.__name__}.games: {error}") from None
    return bot


def describe_type(kind: type[Bot[Any]]) -> dict[str, Any]:
    """What a config needs to know of a class, plainly: `name`, `games`, `options` (None: takes any)."""
    return {"name": kind.__name__, "games": list(kind.games), "options": known_options(kind)}


def known_options(kind: type[Bot[Any]]) -> list[str] | None:
    """The options that a class takes, by name; None where it takes whatever it is given."""
    if kind.__init__ is Bot.__init__:
        return []
    parameters = inspect.signature(kind.__init__).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return [p.name for p in parameters if p.name not in {"self", "game", "seat", "rng"}]


def shown(path: str) -> str:
    """A path as people want it: from here where it is below."""
    here = Path.cwd()
    return str(Path(path).relative_to(here) if Path(path).is_relative_to(here) else path)
