"""What a bot's files import, read without running them, and what of it its seat would not find.

A seat has the standard library, `bots`, `engines`, what the event allows, and the bot's own files: by their
plain names where `harness.private_import` takes them for its own, and relative to each other. Nothing that is
looked for here is imported by this process: whether a module is there is read from the import path.
"""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from harness.checking.steps import Failed, Found
from harness.parsing import parse
from harness.submissions import ENTRY, Source
from harness.wording import one_line

OURS: Final = frozenset({"bots", "engines"})
"""What every bot may import of Croupier's."""
FOLDER: Final = f"a bot of several files is a folder with {ENTRY}"
SECONDS: Final = 60
"""How long an allowed package may take to say whether it makes a module of that name itself."""
_HERE: Final = frozenset({"__main__", "xml.parsers.expat.errors", "xml.parsers.expat.model"})
"""Of the standard library's modules those that have no file and that this process need not have loaded."""
_CAUGHT: Final = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_SYSTEM: Final = frozenset({"platform", "version_info"})


class Import(NamedTuple):
    """One import of one file."""

    file: PurePosixPath
    """Within the bot."""
    line: int
    module: str
    """As it is written; empty in `from . import name`."""
    names: tuple[str, ...] = ()
    """What `from` takes of it."""
    level: int = 0
    """Dots before it."""
    optional: bool = False
    """Whether the file can do without: it catches the error, or asks for the system or the Python first."""
    private: bool = True
    """Whether a plain name may mean the bot's own file: `importlib.import_module` knows nothing of those."""

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{one_line(self.file)} line {self.line}"


class Files:
    """A bot's own files, as its imports see them."""

    def __init__(self, source: Source) -> None:
        self.folder = source.path.is_dir()
        base = source.path if self.folder else source.path.parent
        found = [file.relative_to(base) for file in source.files]
        self._modules = {file.with_suffix("").parts for file in found if file.suffix == ".py"}
        self._folders = {folder.parts for file in found for folder in file.parents}

    def module(self, parts: Sequence[str]) -> bool:
        """Whether there is a file or a folder for the module `a.b`, given as its parts."""
        return tuple(parts) in self._modules or tuple(parts) in self._folders

    def bare(self, parts: Sequence[str]) -> bool:
        """Whether that is a folder without code of its own, which has nothing but modules."""
        there = tuple(parts)
        return there in self._folders and (not there or (*there, "__init__") not in self._modules)

    def owns(self, name: str) -> bool:
        """Whether `import name` means a file of the bot's own; see harness.private_import."""
        return self.folder and self.module([name]) and not self.hides([name])

    def hides(self, names: Iterable[str]) -> list[str]:
        """Those names that stand for others' modules, whatever files the bot has."""
        return [name for name in names if name in sys.stdlib_module_names or name in OURS]

    def hidden(self) -> list[str]:
        """Files and folders that no plain import gets, since their names are others'."""
        tops = {parts[0] for parts in (*self._modules, *self._folders) if parts}
        return sorted(self.hides(tops)) if self.folder else []


def examine(source: Source, allow: Sequence[str]) -> Found:
    """The step: raises Failed for the first import that no seat could do, or for all that are not allowed."""
    own = Files(source)
    tops = {name.partition(".")[0] for name in allow}
    beside: dict[str, bool] = {}
    for one in imports(source):
        top = one.module.partition(".")[0]
        if one.level and source.kind == "installed":
            continue  # a package that is installed whole
        if one.level or (one.private and own.owns(top)):
            if not one.optional:
                _own(own, one)
        elif top == "harness":
            raise Failed(
                f"it imports harness ({one.place})",
                "a bot needs bots and its game's package of engines, no more",
            )
        elif top in sys.stdlib_module_names or top in OURS or top in _HERE:
            if not one.optional and not _there(one.module):
                _missing(one, "take one that this Python and this Croupier have, or do without")
        elif not _installed(top, source, allowed=top in tops):
            if not one.optional:
                lies = source.path.parent / f"{top}.py"
                more = f"; {lies} lies beside it: {FOLDER}" if not own.folder and lies.exists() else ""
                _missing(one, f"install {top}, or do without{more}")
        else:
            if top in tops and not one.optional and not _there(one.module) and not _made(one.module):
                _missing(one, f"take one that {top} has here, or do without")
            beside[top] = beside.get(top, True) and one.optional
    barred = sorted(top for top, optional in beside.items() if top not in tops and not optional)
    if barred:
        raise Failed(
            f"it imports {', '.join(barred)} beside the standard library",
            f"an isolated bot gets those only where the event has allow = {barred!r}; "
            f"check it so: --allow {','.join(barred)}",
        )
    used = sorted(top for top in beside if top in tops)
    spared = sorted(top for top in beside if top not in tops)
    more = f", and {', '.join(used)}" if used else ""
    without = f"; without {', '.join(spared)}, which it can do without" if spared else ""
    return Found(f"the standard library, bots and engines{more}{without}", tuple(_shadows(own)))


def imports(source: Source) -> Iterator[Import]:
    """Every import of every Python file, also inside of functions; not those for type checkers alone."""
    base = source.path if source.path.is_dir() else source.path.parent
    for path in source.files:
        if path.suffix == ".py":
            file = PurePosixPath(path.relative_to(base).as_posix())
            yield from sorted(_of(file, parse(path.read_bytes(), str(path))), key=lambda one: one.line)


def _of(file: PurePosixPath, tree: ast.AST) -> Iterator[Import]:
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, optional = waiting.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(file, node.lineno, alias.name, optional=optional)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            yield Import(file, node.lineno, node.module or "", names, node.level, optional)
        elif isinstance(node, ast.Call) and (called := _called(node)):
            yield Import(file, node.lineno, called[1], optional=optional, private=called[0] == "__import__")
        waiting += _below(node, optional=optional)


def _below(node: ast.AST, *, optional: bool) -> Iterator[tuple[ast.AST, bool]]:
    """What is inside of a node, and whether an import there may fail."""
    spared: set[int] = set()
    if isinstance(node, ast.If) and "TYPE_CHECKING" in _names(node.test):
        yield from ((inner, optional) for inner in node.orelse)
        return
    if isinstance(node, ast.Try | ast.TryStar):
        catching = [one for one in node.handlers if one.type is None or _CAUGHT & _names(one.type)]
        spared = {id(inner) for inner in (*(node.body if catching else ()), *catching)}
    elif isinstance(node, ast.With) and any(
        "suppress" in _names(item.context_expr) and _CAUGHT & _names(item.context_expr) for item in node.items
    ):
        spared = {id(inner) for inner in node.body}
    elif isinstance(node, ast.If) and (_SYSTEM & (asked := _names(node.test)) or {"os", "name"} <= asked):
        spared = {id(inner) for inner in (*node.body, *node.orelse)}
    yield from ((inner, optional or id(inner) in spared) for inner in ast.iter_child_nodes(node))


def _names(expression: ast.AST) -> set[str]:
    """Every name and attribute in an expression."""
    found = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
    return found | {node.attr for node in ast.walk(expression) if isinstance(node, ast.Attribute)}


def _called(node: ast.Call) -> tuple[str, str] | None:
    """`__import__("x")` or `import_module("x")`: which of them, and what it is asked for."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called not in {"__import__", "import_module"} or not node.args:
        return None
    first = node.args[0]
    if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return None
    return (called, first.value) if first.value and not first.value.startswith(".") else None


def _own(own: Files, one: Import) -> None:
    """Check an import of a file of the bot's own."""
    if not own.folder:
        said = f"it imports {'.' * one.level}{one.module or one.names[0]} from beside itself ({one.place})"
        raise Failed(f"{said}, and it is one file", FOLDER)
    parts = [*filter(None, one.module.split("."))]
    if one.level:
        above = one.file.parent.parts
        if one.level - 1 > len(above):
            raise Failed(
                f"it imports {'.' * one.level}{one.module or one.names[0]} ({one.place}), above its folder",
                f"a bot reaches its own files only: those beside {ENTRY} are one dot away",
            )
        parts = [*above[: len(above) - (one.level - 1)], *parts]
    wanted = [parts]
    if own.bare(parts):
        wanted += [[*parts, name] for name in one.names if name != "*"]
    for module in wanted:
        if not own.module(module):
            name = one_line("/".join(module))
            raise Failed(
                f"it imports {'.'.join(module)}, which is not in its folder ({one.place})",
                f"add {name}.py, or the folder {name}, or do without",
            )


def _missing(one: Import, advice: str) -> None:
    raise Failed(f"it imports {one_line(one.module)}, which is not here ({one.place})", advice)


def _there(module: str) -> bool:
    """Whether the import path has that module; no package on the way to it is run."""
    if module in sys.modules or module in _HERE:
        return True
    top, *rest = module.split(".")
    try:
        spec: ModuleSpec | None = importlib.util.find_spec(top)
        name = top
        for part in rest:
            if spec is None or spec.submodule_search_locations is None:
                return False
            name = f"{name}.{part}"
            spec = PathFinder.find_spec(name, list(spec.submodule_search_locations))
    except (ImportError, ValueError):
        return False
    return spec is not None


def _installed(top: str, source: Source, *, allowed: bool) -> bool:
    """Whether that module is installed, rather than a file that happens to lie where one works."""
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    if spec is None or allowed:
        return spec is not None
    places = spec.submodule_search_locations or filter(None, [spec.origin])
    folder = source.path if source.path.is_dir() else source.path.parent
    not_installed = {Path.cwd()} if source.kind == "installed" else {Path.cwd(), folder.resolve()}
    return not_installed.isdisjoint(Path(place).resolve().parent for place in places)


def _made(module: str) -> bool:
    """Whether an allowed package makes that module itself, as six makes six.moves: it is asked elsewhere."""
    program = f"import importlib; importlib.import_module({module!r})"
    try:
        done = subprocess.run(  # noqa: S603 - this Python, and a package that the event allows
            [sys.executable, "-P", "-c", program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _shadows(own: Files) -> Iterator[str]:
    """What to know of files that have the names of others' modules."""
    for name in own.hidden():
        whose = "Croupier's" if name in OURS else "the standard library's"
        yield (
            f"`import {name}` gets {whose} {name} and not the bot's own, which `from . import {name}` gets: "
            f"another name is clearer"
        )
