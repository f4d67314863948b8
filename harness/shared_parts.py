"""Which modules of `bots` a shipped bot is made of beside its own file: a change there makes another bot.

Imports are read, not run, and followed from file to file. What every bot is written against (the contract)
is no part of any.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import bots
from harness.parsing import parse

ROOT: Final = Path(bots.__file__).parent
CONTRACT: Final = frozenset(
    ROOT / name for name in ("__init__.py", "core/__init__.py", "core/bot.py", "core/claims.py")
)


def parts(file: Path) -> list[tuple[str, bytes]]:
    """(name below `bots`, content) of every module that `file` imports from there, itself left out, sorted.

    A file that is not Python has none: that it cannot be imported is told elsewhere.
    """
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        for part in _imported(waiting.pop()):
            if part != file and part not in found and part not in CONTRACT:
                found.add(part)
                waiting.append(part)
    return sorted((part.relative_to(ROOT).as_posix(), part.read_bytes()) for part in found)


def modules(files: Iterable[Path]) -> set[str]:
    """Names of the modules of `bots` that these files import, such as `bots.core.search`."""
    python = [file for file in files if file.suffix == ".py"]
    return {name for file in python for name in _named(file) if file_of(name) not in {None, *CONTRACT}}


def _imported(file: Path) -> Iterator[Path]:
    """The files below `bots` that one file's import statements name."""
    for name in _named(file):
        yield from _files(name)


def _named(file: Path) -> Iterator[str]:
    """What may be a module in one file's import statements, also within its functions."""
    try:
        tree = parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            # `from bots.seven import outlook` may name a module or something in one.
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        yield from names


def _files(module: str) -> Iterator[Path]:
    """The file of a module of `bots`, and those of the packages that hold it, as far as they are there."""
    words = module.split(".")
    for end in range(1, len(words) + 1):
        if found := file_of(".".join(words[:end])):
            yield found


def file_of(module: str) -> Path | None:
    """The file of a module or package of `bots`, such as `bots.core.search`; None where there is none."""
    root, *words = module.split(".")
    place = ROOT.joinpath(*words)
    files = (place / "__init__.py", place.with_suffix(".py")) if words else (place / "__init__.py",)
    return next((file for file in files if file.is_file()), None) if root == "bots" else None
