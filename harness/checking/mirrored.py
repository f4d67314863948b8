"""A bot's files laid out for mypy as its seat imports them: in a package of their own.

Read where they lie, a `random.py` would stand for the standard library's module, and what else happens to be
in that folder for modules of those names; `from . import helper` would have no package. So they are read as a
copy, with `import helper` written as what it means there, in the same line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from harness.checking.imports import Files
from harness.parsing import parse
from harness.submissions import ENTRY, Source

PACKAGE: Final = "croupier_bot"
"""What the copy is called."""
_FROM: Final = re.compile(rb"from(?:[ \t\f]|\\\r?\n)+")


def lay_out(source: Source, folder: Path) -> list[str]:
    """Write what of a bot can be imported below `folder`; the names of its Python files there."""
    own = Files(source)
    base = source.path if own.folder else source.path.parent
    found = []
    for file in source.files:
        inside = file.relative_to(base) if own.folder else Path(ENTRY)
        if file.suffix not in {".py", ".pyi"} or not all(
            part.isidentifier() for part in inside.with_suffix("").parts
        ):
            continue
        target = folder / PACKAGE / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_as_imported(file.read_bytes(), str(file), own))
        if file.suffix == ".py":
            found.append(str(target.relative_to(folder)))
    return found


def told(line: str, source: Source) -> str:
    """What mypy says of the copy as it would say it of the bot's own files."""
    line = line.replace(f"{PACKAGE}.", "")
    name = f"{PACKAGE}/"
    if not line.startswith(name):
        return line
    line = line.removeprefix(name)
    return line if source.path.is_dir() else f"{source.path.name}{line.removeprefix(ENTRY)}"


def _as_imported(content: bytes, path: str, own: Files) -> bytes:
    """A file in which plain imports of the bot's own files name the package; every line stays where it is."""
    try:
        text = content.decode("utf-8-sig").encode()
    except UnicodeDecodeError:
        return content
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = parse(text, path) if path.endswith(".py") else ast.Module([], [])
    for start, end, new in sorted(_changes(tree, text, starts, own), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _changes(
    tree: ast.AST, text: bytes, starts: Sequence[int], own: Files
) -> Iterator[tuple[int, int, bytes]]:
    """What is to be written in place of which bytes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and _own(own, node.module or ""):
            begin = starts[node.lineno - 1] + node.col_offset
            if word := _FROM.match(text, begin):
                yield word.end(), word.end(), f"{PACKAGE}.".encode()
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _own(own, alias.name):
                    begin = starts[alias.lineno - 1] + alias.col_offset
                    end = starts[(alias.end_lineno or alias.lineno) - 1] + (alias.end_col_offset or 0)
                    yield begin, end, _imported(alias).encode()


def _own(own: Files, module: str) -> bool:
    return own.owns(module.partition(".")[0])


def _imported(alias: ast.alias) -> str:
    """`import a.b` binds `a`, and so must what stands for it."""
    name = f"{PACKAGE}.{alias.name}"
    if alias.asname:
        return f"{name} as {alias.asname}"
    top, dot, _ = alias.name.partition(".")
    return f"{PACKAGE}.{top} as {top}{f', {name}' if dot else ''}"
