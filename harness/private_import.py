"""Importing a bot's files under names of their own.

Two bots may both have a `utils.py`, and a bot's `random.py` must not stand in for the standard
library's. So a bot's files become a package with a unique name, and `import utils` inside them means
their own `utils`, now and later, while the standard library always comes first.
"""

from __future__ import annotations

import builtins
import importlib
import marshal
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, NamedTuple

PREFIX = "croupier_bot_"
sources: dict[str, bytes] = {}
"""Files that were read beforehand, by path, for a process that can open none."""
compiled: dict[str, bytes] = {}
"""Files' code objects as `marshal` writes them, by path: compiling takes ten times as long as reading those.
`marshal` trusts what it reads: they may be read only in a process that is shut in for that very bot."""
_OURS = ("bots", "engines")
"""What every bot imports from Croupier; a folder of that name in a bot does not stand in for it."""


def load(path: str, *, entry: str, tag: str) -> ModuleType:
    """Import the file at `path`, or the file `entry` of the folder there; `tag` makes the name readable.

    Whatever the bot's top level raises comes through, and nothing of it stays in `sys.modules`.
    """
    root = f"{PREFIX}{tag}_{len(_finder.roots)}"
    place = _finder.roots[root] = _Place(path, folder=os.path.isdir(path))
    file = os.path.join(path, entry) if place.folder else place.path
    try:
        return _load(root, file)
    except BaseException:
        for module in [m for m in sys.modules if m == root or m.startswith(f"{root}.")]:
            del sys.modules[module]
        raise


def _load(root: str, file: str) -> ModuleType:
    """What importlib.import_module would do for `file`, with less in between: every step costs each seat."""
    package = sys.modules[root] = ModuleType(root)
    package.__path__ = []
    stem = _stem(file)
    name = f"{root}.{stem}"
    spec = _finder.file_spec(name, file)
    module = sys.modules[name] = ModuleType(name)
    module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, root
    if spec.submodule_search_locations is not None:
        module.__path__, module.__package__ = spec.submodule_search_locations, name
    assert spec.loader is not None
    spec.loader.exec_module(module)
    setattr(package, stem, module)
    return sys.modules[name]


def forget() -> None:
    """Drop every bot that was imported so far; for a process that will import others."""
    for module in [m for m in sys.modules if m.startswith(PREFIX)]:
        del sys.modules[module]
    _finder.roots.clear()


class _Place(NamedTuple):
    """Where a bot's files are."""

    path: str
    folder: bool
    """Whether there is more than one."""


class _Finder:
    """Finds `croupier_bot_…` packages and what is in them; knows nothing else.

    No importlib.abc.MetaPathFinder, which it need not be, and for which 15 modules would be imported.
    """

    def __init__(self) -> None:
        self.roots: dict[str, _Place] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        root, _, rest = fullname.partition(".")
        base = self.roots.get(root)
        if base is None:
            return None
        if rest and not base.folder:
            return self.file_spec(fullname, base.path) if rest == _stem(base.path) else None
        # The root is an empty package even where the folder has an __init__.py.
        if rest:
            place = os.path.join(base.path, *rest.split("."))
            for file in (os.path.join(place, "__init__.py"), f"{place}.py"):
                if os.path.isfile(file):
                    return self.file_spec(fullname, file)
            if not os.path.isdir(place):
                return None
        package = ModuleSpec(fullname, None, is_package=True)
        package.submodule_search_locations = []
        return package

    def owns(self, root: str, name: str) -> bool:
        """Whether `import name` inside the bot `root` means a file of its own."""
        if name in sys.stdlib_module_names or name in _OURS:
            return False
        place = os.path.join(self.roots[root].path, name)
        return os.path.isfile(f"{place}.py") or os.path.isdir(place)

    def file_spec(self, fullname: str, file: str) -> ModuleSpec:
        """The spec of a bot's file, as a package if it is one."""
        root = fullname.partition(".")[0]
        loader = _Loader(fullname, file, root if self.roots[root].folder else None)
        package = os.path.basename(file) == "__init__.py"
        return ModuleSpec(fullname, loader, origin=file, is_package=package)


def _stem(file: str) -> str:
    return os.path.basename(file).removesuffix(".py")


class _Loader(SourceFileLoader):
    """Runs a bot's file; leaves no bytecode beside it.

    Where the bot has other files, whose folder is `root`, its file gets an `import` of its own.
    """

    def __init__(self, fullname: str, path: str, root: str | None) -> None:
        super().__init__(fullname, path)
        self.root = root

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        if path in compiled:
            ready: CodeType = marshal.loads(compiled[path])  # noqa: S302 - our own compiler's, see `compiled`
            return ready
        return _compile(self.get_data(path), path)

    def get_data(self, path: str) -> bytes:
        return sources[path] if path in sources else super().get_data(path)

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.path  # here, since a spec that told it would look for bytecode as well
        if self.root is not None:
            own = dict(vars(builtins))
            own["__import__"] = _import_for(self.root)
            vars(module)["__builtins__"] = own
        exec(self.get_code(module.__name__), vars(module))  # noqa: S102 - as the base does, in more steps


def _compile(source: bytes, path: str) -> CodeType:
    # Asserts stay, however this process was started.
    code: CodeType = compile(source, path, "exec", dont_inherit=True, optimize=0)
    return code


def compile_files(paths: Iterable[str], most: int) -> dict[str, bytes]:
    """What `compiled` takes, for those of `paths` that can be compiled; none if that is over `most` bytes.

    Nothing of them is run, but it may take all the memory and time that there is: only a seat may do it.
    """
    found = {}
    for path in paths:
        try:
            found[path] = marshal.dumps(_compile(_Loader("", path, None).get_data(path), path))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # whoever imports it is told
        most -= len(path) + len(found[path])
        if most < 0:
            return {}
    return found


def _import_for(root: str) -> Any:
    """The `__import__` of one bot: its own files by their plain names, everything else as usual."""

    def private(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - the signature of __import__
        locals: Mapping[str, object] | None = None,  # noqa: A002 - the signature of __import__
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level or not _finder.owns(root, top):
            return builtins.__import__(name, globals, locals, fromlist, level)
        module = importlib.import_module(f"{root}.{name}")
        if not fromlist:
            return sys.modules[f"{root}.{top}"]
        for part in fromlist:
            if part != "*" and not hasattr(module, part) and hasattr(module, "__path__"):
                importlib.import_module(f"{root}.{name}.{part}")
        return module

    return private


_finder = _Finder()
# First, because a folder's files are ordinary files and the usual finder would take them.
sys.meta_path.insert(0, _finder)
