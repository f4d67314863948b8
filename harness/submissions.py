"""Where bots come from: shipped modules, submissions, files, folders and installed packages.

The folder `bots/` is the registry of what ships, `bots/submitted/` of what was submitted. Finding a bot
reads its files and computes their digest; nothing of it runs before `bot_type` imports it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeVar

import bots
from bots.core.bot import Bot
from engines.core.errors import choices_hint
from harness import passport, shared_parts, submitted
from harness.bot_class import (
    ENTRY,
    BadBot,
    BotNotFound,
    SetupError,
    import_type,
    known_options,
    shown,
)
from harness.parsing import NotText, parse

P = TypeVar("P", bound=PurePath)

GROUP = "croupier.bots"
"""The entry points by which installed packages offer bots."""
__all__ = [
    "ENTRY",
    "GROUP",
    "BadBot",
    "BotNotFound",
    "NotPython",
    "SetupError",
    "Source",
    "at",
    "bot_type",
    "canonical",
    "check_syntax",
    "check_unchanged",
    "digest",
    "entry_point",
    "find",
    "ignored",
    "in_order",
    "installed",
    "known_options",
    "shipped",
    "source_of",
    "submission",
    "version_of",
]


class NotPython(BadBot):
    """A file of a bot that cannot be read as Python."""

    advice = "mend that line"
    """What to do about it."""


class Source(NamedTuple):
    """Where one bot's code is, and which version of it."""

    name: str
    """What the bot is called there; a config may give it another name."""
    kind: str
    """`shipped`, `installed`, `submitted`, `file`, `folder` or `command`."""
    path: Path
    """The file with the class, or the folder."""
    files: tuple[Path, ...]
    """All its files in the order of the digest."""
    version: str
    """12 hex digits over `files`; for a command over its words too, for a shipped bot over what it imports of
    `bots` beside the contract."""
    command: tuple[str, ...] = ()
    """How to start a bot in another language: words as the shell has them, its own files named from `path`,
    which is the folder it runs in."""


def shipped() -> list[str]:
    """The names of the bots that come with Croupier, sorted: `duel-miser` for `bots/duel_miser.py`."""
    return sorted(_shipped())


def installed() -> list[str]:
    """The names of the bots that installed packages offer, sorted."""
    return sorted({point.name for point in metadata.entry_points(group=GROUP)})


def find(name: str) -> Source:
    """The bot of that name among shipped bots, submissions and installed packages.

    Of a submission it is the newest version; `name@digest` names another. Raises BotNotFound with the
    known names, or BadBot where the name is taken twice.
    """
    bare, _, digits = name.partition("@")
    wanted = canonical(bare)
    places = [path for found, path in _shipped().items() if found == wanted]
    points = [p for p in metadata.entry_points(group=GROUP) if canonical(p.name) == wanted]
    entered = submission(wanted, digits)
    if len(places) + len(points) + bool(entered) > 1:
        where = [str(path) for path in places] + [f"entry point {p.value}" for p in points]
        where += [str(entered.folder.parent)] if entered else []
        raise BadBot(f"bot {name!r} is there twice: {', '.join(where)}; give it by `path`")
    if entered:
        return source_of(entered)
    if digits and (places or points):
        raise BotNotFound(f"unknown bot {name!r}: versions are of submitted bots, and {bare} is none")
    if places:
        return _source(wanted, "shipped", places[0], places)
    if points:
        return _installed_source(points[0])
    known = [*_shipped(), *installed(), *submitted.names()]
    raise BotNotFound(f"unknown bot {name!r}, {choices_hint(wanted, known)}")


def submission(name: str, digits: str = "") -> submitted.Submission | None:
    """The newest submission of a bot, or the one whose version begins with `digits`.

    None where nobody submitted that bot; raises BotNotFound where that version is not there, BadBot where a
    passport cannot be read.
    """
    try:
        found = submitted.versions(name)
    except passport.BadPassport as error:
        raise BadBot(str(error)) from None
    fits = [one for one in found if one.passport.version.startswith(digits)]
    if found and len(fits) != 1 and digits:
        there = ", ".join(one.called for one in found)
        raise BotNotFound(f"{'no' if not fits else 'more than one'} version {name}@{digits}; there: {there}")
    return fits[0] if fits else None


def source_of(entered: submitted.Submission) -> Source:
    """Where a submission's code is; raises BadBot where it is not what was submitted."""
    folder, told = entered
    source = at(folder, syntax=False)._replace(name=told.name, kind="submitted")
    if source.version != told.version:
        raise BadBot(
            f"{folder} was changed after it had been submitted: delete that folder and submit the bot again"
        )
    check_syntax(source)
    return source


def at(path: Path, *, syntax: bool = True) -> Source:
    """The bot at `path`, a Python file or a folder with `bot.py`; raises BotNotFound or BadBot.

    Its files must be valid Python, unless `syntax` is left to the caller.
    """
    if path.is_dir():
        entry = path / ENTRY
        if not entry.is_file():
            raise BotNotFound(f"the folder {path} has no {ENTRY}")
        files = [f for f in in_order(path.rglob("*")) if f.is_file() and not ignored(f.relative_to(path))]
        _check_links(path, files)
        source = _source(path.name, "folder", path, files)
    elif path.is_file():
        if path.suffix != ".py":
            raise BadBot(
                f"expected a Python file or a folder with {ENTRY}, got {path}; a program in another language "
                f"plays by `command` in a config, and `croupier check --command` checks it (docs/protocol.md)"
            )
        source = _source(path.stem, "file", path, [path])
    else:
        raise BotNotFound(f"no such file or folder: {path}")
    if syntax:
        check_syntax(source)
    return source


def _check_links(folder: Path, files: Iterable[Path]) -> None:
    """Refuse what is only a link to another's file, which the bot would get to read; raises BadBot."""
    root = folder.resolve()
    for file in files:
        if not file.resolve().is_relative_to(root):
            raise BadBot(f"{file} is a link that leads out of {folder}: a bot's folder has its files itself")


def canonical(name: str) -> str:
    """A bot's name as it is looked up: `duel_miser` and `duel-miser` are one."""
    return name.replace("_", "-")


def check_syntax(source: Source) -> None:
    """Parse every Python file of a bot; raises NotPython with file and line.

    What can be seen only in compiling (a `return` outside of a function) is told by the seat that does it.
    """
    for file in source.files:
        if file.suffix == ".py":
            try:
                parse(file.read_bytes(), str(file))
            except SyntaxError as error:
                line = f" line {error.lineno}" if error.lineno else ""
                wrong = NotPython(f"{file}{line}: {error.msg}")
                if isinstance(error, NotText):
                    wrong.advice = error.advice
                elif not line:
                    wrong.advice = "write it otherwise"
                raise wrong from None
            except (ValueError, RecursionError, MemoryError) as error:
                deep = not isinstance(error, ValueError)
                said = "its expressions are nested too deeply to be compiled" if deep else error
                wrong = NotPython(f"{file}: {said}")
                wrong.advice = "break them up into several" if deep else "write it otherwise"
                raise wrong from None


def bot_type(source: Source) -> type[Bot[Any]]:
    """The bot's class, imported in this process under a module name of its own.

    Raises BadBot where the import fails or there is not exactly one class to take.
    """
    return _bot_type(source.kind, source.path, source.name, source.version)


@functools.cache
def _bot_type(kind: str, path: Path, name: str, version: str) -> type[Bot[Any]]:
    check_unchanged(kind, path, version)
    return import_type(kind, str(path), version, entry_point(name) if kind == "installed" else "")


def check_unchanged(kind: str, path: Path, version: str) -> None:
    """Refuse a file or folder that is no longer what it was; raises BadBot."""
    if kind in {"file", "folder", "submitted"} and (now := at(path, syntax=False).version) != version:
        raise BadBot(f"{shown(str(path))} has changed: expected version {version}, found {now}")


def entry_point(name: str) -> str:
    """Where an installed package has the bot of that name: `module:class`."""
    (point,) = (p for p in metadata.entry_points(group=GROUP) if p.name == name)
    return point.value


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
        path = Path(inspect.getfile(kind))
        content = [(ENTRY, path.read_bytes())]
    except (OSError, TypeError):
        return digest([(ENTRY, f"{kind.__module__}.{kind.__qualname__}".encode())])
    return digest(content + shared_parts.parts(path) if path.parent == shared_parts.ROOT else content)


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
    parts = shared_parts.parts(path) if kind == "shipped" else []
    return Source(name, kind, path, ordered, digest([*zip(names, content, strict=True), *parts]))


def _installed_source(point: metadata.EntryPoint) -> Source:
    spec = importlib.util.find_spec(point.module)
    if spec is None or spec.origin is None:
        raise BadBot(f"bot {point.name!r}: its entry point {point.value} names no module")
    path = Path(spec.origin)
    files = in_order(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
    names = [f.relative_to(path.parent).as_posix() for f in files]
    content = [f.read_bytes() for f in files]
    return Source(point.name, "installed", path, tuple(files), digest(zip(names, content, strict=True)))


def in_order(files: Iterable[P]) -> list[P]:
    """Files of one folder in the order of a digest, by folders and names as they are written.

    Paths themselves are ordered so on POSIX alone: Windows takes `B.py` and `b.py` for the same name.
    """
    return sorted(files, key=lambda file: file.parts)


def ignored(relative: Path) -> bool:
    """Caches, hidden files and a passport are not part of a bot."""
    caches = any(part == "__pycache__" or part.startswith(".") for part in relative.parts)
    return caches or relative.suffix == ".pyc" or relative.as_posix() == passport.FILE
