"""What a bot's files say of it, read without running them: its class, its games, its options.

A stranger's file is not imported to learn what it plays; so `games` is written out in it.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from bots.core.claims import claims
from harness import shared_parts
from harness.parsing import parse
from harness.submissions import ENTRY, BadBot, Source
from harness.wording import one_line

BASES: Final = frozenset({"bots.Bot", "bots.core.Bot", "bots.core.bot.Bot"})
"""What a bot's class is derived from, in the end."""
LONGEST: Final = 200
"""Characters of what a file says about itself."""
_GIVEN: Final = frozenset({"self", "game", "seat", "rng"})


class Facts(NamedTuple):
    """What there is to know of a bot before it plays."""

    kind: str
    """The name of its class."""
    about: str
    """The first line of what its file, or its class, says about itself."""
    games: tuple[str, ...]
    options: tuple[str, ...] | None
    """The options that it takes; None where it takes any."""


class _File(NamedTuple):
    """One Python file of the bot."""

    path: Path
    tree: ast.Module
    classes: Mapping[str, ast.ClassDef]
    names: Mapping[str, str]
    """What imported names stand for: `Bot` for `bots.Bot`."""


def facts(source: Source) -> Facts:
    """What the files of `source` say; raises BadBot with file and line, and what was expected."""
    files = _read(source)
    entry = files["bot"]
    found = [
        kind
        for name, kind in entry.classes.items()
        if not name.startswith("_") and _is_bot(files, entry, kind)
    ]
    if len(found) != 1:
        names = ", ".join(kind.name for kind in found) or "none"
        more = "; helpers start with _" if found else ": from bots import Bot, then class Mine(Bot)"
        raise BadBot(f"{entry.path}: expected one class that subclasses Bot, found {names}{more}")
    kind = found[0]
    line = list(_line_of(files, entry, kind))
    if not any(_method(one, "act") for _, one in line):
        coroutine = any(isinstance(n, ast.AsyncFunctionDef) and n.name == "act" for n in kind.body)
        hint = ": expected def act, got async def" if coroutine else ""
        raise BadBot(f"{entry.path} line {kind.lineno}: {kind.name} has no act(self, seen){hint}")
    about = (ast.get_docstring(entry.tree) or ast.get_docstring(kind) or "").partition("\n")[0]
    return Facts(kind.name, one_line(about)[:LONGEST], _games(line), _options(line))


def _read(source: Source) -> dict[str, _File]:
    """Every Python file by the name by which the others import it; the one with the class is `bot`."""
    base = source.path if source.path.is_dir() else source.path.parent
    files = {}
    for path in source.files:
        if path.suffix != ".py":
            continue
        try:
            tree = parse(path.read_bytes(), str(path))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise BadBot(f"{path}: {error}") from None
        parts = path.relative_to(base).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if source.path.is_file() or (path.name == ENTRY and len(parts) == 1):
            name = "bot"
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        files[name] = _File(path, tree, classes, dict(_names(tree)))
    return files


def _names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}".lstrip(".")


def _bases(
    files: Mapping[str, _File], file: _File, kind: ast.ClassDef
) -> Iterator[tuple[_File, ast.ClassDef] | str]:
    """What a class is derived from: classes of the bot's own files, or dotted names of others."""
    for base in kind.bases:
        node = base.value if isinstance(base, ast.Subscript) else base
        try:
            said = ast.unparse(node)
        except RecursionError:
            continue  # an expression that deep is the name of nothing
        if said in file.classes:
            yield file, file.classes[said]
            continue
        head, dot, rest = said.partition(".")
        name = file.names.get(head, head) + dot + rest
        module, _, last = name.rpartition(".")
        other = files.get(module)
        yield (other, other.classes[last]) if other and last in other.classes else _ours(name) or name


def _ours(name: str) -> tuple[_File, ast.ClassDef] | None:
    """A class of a module of `bots`, such as `bots.core.search.SearchBot`, that a bot may be made from."""
    while name not in BASES and name.startswith("bots."):
        module, _, last = name.rpartition(".")
        path = shared_parts.file_of(module)
        file = _ours_read(path) if path else None
        if file is None:
            return None
        if last in file.classes:
            return file, file.classes[last]
        name = file.names.get(last, "")  # a package names what its modules have
    return None


@functools.cache
def _ours_read(path: Path) -> _File:
    tree = ast.parse(path.read_bytes(), str(path))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    return _File(path, tree, classes, dict(_names(tree)))


def _is_bot(files: Mapping[str, _File], file: _File, kind: ast.ClassDef) -> bool:
    return any(
        isinstance(base, str) and base in BASES
        for place, one in _line_of(files, file, kind)
        for base in _bases(files, place, one)
    )


def _line_of(
    files: Mapping[str, _File], file: _File, kind: ast.ClassDef
) -> Iterator[tuple[_File, ast.ClassDef]]:
    """A class and those of the bot's own that it is derived from, each once, a class before its bases."""
    met: set[int] = set()
    waiting = [(file, kind)]
    while waiting:
        place, one = waiting.pop()
        if id(one) not in met:
            met.add(id(one))
            yield place, one
            bases = [base for base in _bases(files, place, one) if not isinstance(base, str)]
            waiting += reversed(bases)


def _method(kind: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((n for n in kind.body if isinstance(n, ast.FunctionDef) and n.name == name), None)


def _games(line: Iterable[tuple[_File, ast.ClassDef]]) -> tuple[str, ...]:
    """The nearest `games = (…)`, written out in the class or as a constant of its file."""
    for file, kind in line:
        value = _assigned(kind.body, "games")
        if value is None:
            continue
        if isinstance(value, ast.Name):
            value = _assigned(file.tree.body, value.id) or value
        where = f"{file.path} line {value.lineno}: {kind.name}.games"
        try:
            games = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            raise BadBot(f'{where}: expected texts written out, such as games = ("hund",)') from None
        try:
            claims(games)
        except (ValueError, TypeError) as error:
            raise BadBot(f"{where}: {error}") from None
        return tuple(games)
    return ()


def _assigned(body: Iterable[ast.stmt], name: str) -> ast.expr | None:
    """What is assigned to `name` last."""
    found = None
    for node in body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    return found


def _options(line: Iterable[tuple[_File, ast.ClassDef]]) -> tuple[str, ...] | None:
    for _, kind in line:
        made = _method(kind, "__init__")
        if made is not None:
            given = made.args
            if given.kwarg is not None:
                return None
            arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs]
            return tuple(one.arg for one in arguments if one.arg not in _GIVEN)
    return ()
