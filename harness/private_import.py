"""Importing a bot's files under names of their own.

Two bots may both have a `utils.py`, and a bot's `random.py` must not stand in for the standard
library's. So a bot's files become a package with a unique name, and `import utils` inside them means
their own `utils`, now and later, while the standard library always comes first.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

PREFIX = "croupier_bot_"
sources: dict[str, bytes] = {}
"""Files that were read beforehand, by path, for a process that can open none."""
_OURS = ("bots", "engines")
"""What every bot imports from Croupier; a folder of that name in a bot does not stand in for it."""


def load(path: Path, *, entry: str, tag: str) -> ModuleType:
    """Import the file at `path`, or the file `entry` of the folder there; `tag` makes the name readable.

    Whatever the bot's top level raises comes through, and nothing of it stays in `sys.modules`.
    """
    root = f"{PREFIX}{tag}_{len(_finder.roots)}"
    _finder.roots[root] = path
    name = f"{root}.{Path(entry).stem if path.is_dir() else path.stem}"
    try:
        return importlib.import_module(name)
    except BaseException:
        for module in [m for m in sys.modules if m == root or m.startswith(f"{root}.")]:
            del sys.modules[module]
        raise


def forget() -> None:
    """Drop every bot that was imported so far; for a process that will import others."""
    for module in [m for m in sys.modules if m.startswith(PREFIX)]:
        del sys.modules[module]
    _finder.roots.clear()


class _Finder(importlib.abc.MetaPathFinder):
    """Finds `croupier_bot_…` packages and what is in them; knows nothing else."""

    def __init__(self) -> None:
        self.roots: dict[str, Path] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        root, *parts = fullname.split(".")
        if root not in self.roots:
            return None
        base = self.roots[root]
        place = base.joinpath(*parts)
        if base.is_file():
            files = [base] if parts == [base.stem] else []
        elif parts:
            files = [place / "__init__.py", place.with_name(f"{place.name}.py")]
        else:
            files = []  # the root is an empty package even where the folder has an __init__.py
        for file in files:
            if file.is_file():
                return _file_spec(fullname, file, root)
        if parts and not place.is_dir():
            return None
        package = ModuleSpec(fullname, None, is_package=True)
        package.submodule_search_locations = []
        return package

    def owns(self, root: str, name: str) -> bool:
        """Whether `import name` inside the bot `root` means a file of its own."""
        base = self.roots[root]
        if name in sys.stdlib_module_names or name in _OURS or base.is_file():
            return False
        return (base / f"{name}.py").is_file() or (base / name).is_dir()


def _file_spec(fullname: str, file: Path, root: str) -> ModuleSpec | None:
    """The spec of a bot's file, as a package if it is one."""
    loader = _Loader(fullname, str(file), root)
    places: list[str] | None = [] if file.name == "__init__.py" else None
    return importlib.util.spec_from_file_location(
        fullname, file, loader=loader, submodule_search_locations=places
    )


class _Loader(SourceFileLoader):
    """Runs a bot's file with an `import` of its own; leaves no bytecode beside it."""

    def __init__(self, fullname: str, path: str, root: str) -> None:
        super().__init__(fullname, path)
        self.root = root

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = compile(self.get_data(path), path, "exec", dont_inherit=True)
        return code

    def get_data(self, path: str) -> bytes:
        return sources[path] if path in sources else super().get_data(path)

    def exec_module(self, module: ModuleType) -> None:
        own = dict(vars(builtins))
        own["__import__"] = _import_for(self.root)
        vars(module)["__builtins__"] = own
        super().exec_module(module)


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
