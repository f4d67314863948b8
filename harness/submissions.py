"""Where bots come from: shipped modules, files, folders and installed packages, found by name or path.

The folder `bots/` is the registry of what ships. Finding a bot reads its files and computes their
digest; nothing of it runs before `bot_type` imports it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import inspect
from collections.abc import Iterable
from copy import copy
from importlib import metadata
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import bots
from bots.core.bot import Bot
from bots.core.claims import claims
from engines.core.errors import choices_hint
from engines.core.game import Game
from harness import private_import
from harness.wording import one_line

GROUP = "croupier.bots"
"""The entry points by which installed packages offer bots."""
ENTRY = "bot.py"
"""The file of a folder that has the bot's class."""


class SetupError(ValueError):
    """The run cannot start as it stands; the message is one line that says what to do."""


class BotNotFound(SetupError):
    """No bot of that name, or nothing at that path."""


class BadBot(SetupError):
    """A bot's file is there but holds no usable bot."""


class Source(NamedTuple):
    """Where one bot's code is, and which version of it."""

    name: str
    """What the bot is called there; a config may give it another name."""
    kind: str
    """`shipped`, `installed`, `file` or `folder`."""
    path: Path
    """The file with the class, or the folder."""
    files: tuple[Path, ...]
    """All its files in the order of the digest."""
    version: str
    """12 hex digits over `files`."""


def shipped() -> list[str]:
    """The names of the bots that come with Croupier, sorted: `duel-miser` for `bots/duel_miser.py`."""
    return sorted(_shipped())


def installed() -> list[str]:
    """The names of the bots that installed packages offer, sorted."""
    return sorted({point.name for point in metadata.entry_points(group=GROUP)})


def find(name: str) -> Source:
    """The bot of that name among shipped bots and installed packages.

    Raises BotNotFound with the known names, or BadBot where the name is taken twice.
    """
    wanted = canonical(name)
    places = [path for found, path in _shipped().items() if found == wanted]
    points = [p for p in metadata.entry_points(group=GROUP) if canonical(p.name) == wanted]
    if len(places) + len(points) > 1:
        where = [str(path) for path in places] + [f"entry point {p.value}" for p in points]
        raise BadBot(f"bot {name!r} is there twice: {', '.join(where)}; give it by `path`")
    if places:
        return _source(wanted, "shipped", places[0], places)
    if points:
        return _installed_source(points[0])
    raise BotNotFound(f"unknown bot {name!r}, {choices_hint(wanted, [*_shipped(), *installed()])}")


def at(path: Path) -> Source:
    """The bot at `path`, a Python file or a folder with `bot.py`; raises BotNotFound or BadBot."""
    if path.is_dir():
        entry = path / ENTRY
        if not entry.is_file():
            raise BotNotFound(f"the folder {path} has no {ENTRY}")
        files = [f for f in sorted(path.rglob("*")) if f.is_file() and not _ignored(f.relative_to(path))]
        source = _source(path.name, "folder", path, files)
    elif path.is_file():
        if path.suffix != ".py":
            raise BadBot(f"expected a Python file or a folder with {ENTRY}, got {path}")
        source = _source(path.stem, "file", path, [path])
    else:
        raise BotNotFound(f"no such file or folder: {path}")
    check_syntax(source)
    return source


def canonical(name: str) -> str:
    """A bot's name as it is looked up: `duel_miser` and `duel-miser` are one."""
    return name.replace("_", "-")


def check_syntax(source: Source) -> None:
    """Compile every Python file of a bot without running it; raises BadBot with file and line."""
    for file in source.files:
        if file.suffix == ".py":
            try:
                compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
            except SyntaxError as error:
                line = f" line {error.lineno}" if error.lineno else ""
                raise BadBot(f"{file}{line}: {error.msg}") from None
            except ValueError as error:
                raise BadBot(f"{file}: {error}") from None


def bot_type(source: Source) -> type[Bot[Any]]:
    """The bot's class, imported in this process under a module name of its own.

    Raises BadBot where the import fails or there is not exactly one class to take.
    """
    return _bot_type(source.kind, source.path, source.name, source.version)


@functools.cache
def _bot_type(kind: str, path: Path, name: str, version: str) -> type[Bot[Any]]:
    where = _shown(path)
    try:
        if kind == "installed":
            (point,) = (p for p in metadata.entry_points(group=GROUP) if p.name == name)
            return check_type(point.load(), where)
        if kind == "shipped":
            module = importlib.import_module(f"bots.{path.stem}")
        else:
            if (now := at(path).version) != version:
                raise BadBot(f"{where} has changed: expected version {version}, found {now}")  # noqa: TRY301 - told as it is
            module = private_import.load(path, entry=ENTRY, tag=version)
    except (KeyboardInterrupt, SetupError):
        raise
    except BaseException as error:
        why = f"{type(error).__name__}: {one_line(error)}{_sibling(kind, path, error)}"
        raise BadBot(f"{where} cannot be imported: {why}") from error
    return only_bot(module, where)


def _sibling(kind: str, path: Path, error: BaseException) -> str:
    """What to do where a bot of one file wants a file that lies beside it."""
    if kind != "file" or not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    beside = path.parent / error.name.partition(".")[0]
    if not (beside.is_dir() or beside.with_name(f"{beside.name}.py").is_file()):
        return ""
    return f"; a bot with helpers is a folder: put {beside.name} beside its {ENTRY} and give the folder"


def only_bot(module: ModuleType, where: str) -> type[Bot[Any]]:
    """The one public subclass of Bot that `module` defines; raises BadBot otherwise."""
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
        raise BadBot(f"{where}: expected one class that subclasses Bot, found none")
    if len(found) > 1:
        names = ", ".join(kind.__name__ for kind in found)
        raise BadBot(f"{where}: expected one class that subclasses Bot, found {names}; helpers start with _")
    return check_type(found[0], where)


def check_type(kind: Any, where: str) -> type[Bot[Any]]:
    """`kind` if it is a class that can play; raises BadBot otherwise."""
    if not (isinstance(kind, type) and Bot in kind.__mro__):
        raise BadBot(f"{where}: expected a class that subclasses Bot, got {kind!r}")
    bot: type[Bot[Any]] = kind
    if bot.act is Bot.act:
        raise BadBot(f"{where}: {bot.__name__} has no act(self, seen)")
    try:
        claims(bot.games)
    except (ValueError, TypeError) as error:
        raise BadBot(f"{where}: {bot.__name__}.games: {error}") from None
    return bot


def check_options(kind: type[Bot[Any]], options: dict[str, Any]) -> None:
    """Refuse options that the class cannot take, before anything is played; raises ValueError."""
    if not options:
        return
    if kind.__init__ is Bot.__init__:
        raise ValueError(f"{next(iter(options))}: {kind.__name__} takes no options")
    parameters = inspect.signature(kind.__init__).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    known = [p.name for p in parameters if p.name not in {"self", "game", "seat", "rng"}]
    for name in options:
        if name not in known:
            raise ValueError(f"{name}: unknown option of {kind.__name__}, {choices_hint(name, known)}")


def try_options(kind: type[Bot[Any]], game: Game[Any, Any], options: dict[str, Any]) -> None:
    """Build the bot once for a game; raises ValueError where it does not take these options' values."""
    try:
        kind(copy(game), 0, Random(0), **options)
    except ValueError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the bot raises is told
        given = ", ".join(f"{name} = {value!r}" for name, value in options.items())
        why = f"{type(error).__name__}: {one_line(error)}"
        raise ValueError(f"{kind.__name__} cannot be built with {given}: {why}") from None


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """12 hex digits over (relative name, content) pairs in order."""
    state = hashlib.blake2b(digest_size=6)
    for name, content in files:
        for part in (name.encode(), content):
            state.update(len(part).to_bytes(8, "big"))
            state.update(part)
    return state.hexdigest()


def version_of(kind: type) -> str:
    """The digest of a class that was handed over as such, from its source file where there is one."""
    try:
        content = Path(inspect.getfile(kind)).read_bytes()
    except (OSError, TypeError):
        content = f"{kind.__module__}.{kind.__qualname__}".encode()
    return digest([(ENTRY, content)])


@functools.cache
def _shipped() -> dict[str, Path]:
    """Every public module of `bots/` by the bot's name."""
    folder = Path(bots.__file__).parent
    return {canonical(f.stem): f for f in sorted(folder.glob("*.py")) if not f.stem.startswith("_")}


def _source(name: str, kind: str, path: Path, files: Iterable[Path]) -> Source:
    ordered = tuple(files)
    # A file of any name and a folder with nothing but bot.py are the same bot.
    names = [f.relative_to(path).as_posix() for f in ordered] if kind == "folder" else [ENTRY] * len(ordered)
    try:
        content = [f.read_bytes() for f in ordered]
    except OSError as error:
        raise BotNotFound(f"cannot read {error.filename}: {error.strerror}") from None
    return Source(name, kind, path, ordered, digest(zip(names, content, strict=True)))


def _installed_source(point: metadata.EntryPoint) -> Source:
    spec = importlib.util.find_spec(point.module)
    if spec is None or spec.origin is None:
        raise BadBot(f"bot {point.name!r}: its entry point {point.value} names no module")
    path = Path(spec.origin)
    files = sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
    names = [f.relative_to(path.parent).as_posix() for f in files]
    content = [f.read_bytes() for f in files]
    return Source(point.name, "installed", path, tuple(files), digest(zip(names, content, strict=True)))


def _ignored(relative: Path) -> bool:
    """Caches and hidden files are not part of a bot."""
    return relative.suffix == ".pyc" or any(p == "__pycache__" or p.startswith(".") for p in relative.parts)


def _shown(path: Path) -> str:
    """A path as people want it: from here where it is below."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
