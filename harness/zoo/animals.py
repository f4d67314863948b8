"""What each bot of the zoo says of itself, read without running it: some attack when they are imported."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Final, NamedTuple

from engines.core.errors import choices_hint
from harness import submissions
from harness.submissions import ENTRY, Source

FOLDER: Final = Path(__file__).parent / "bots"


class Animal(NamedTuple):
    """One bot of the zoo."""

    name: str
    """In words: `reads a secret`."""
    source: Source
    tries: str
    """What it does and what is to contain it, in a sentence."""
    contained_from: str
    """The weakest level of isolation at which it does no harm."""
    faults: tuple[str, ...]
    """The kinds of fault it may end with; none where it plays on in vain."""
    twice: bool = False
    """Whether it wants a second match, to find what it left in the first."""
    pair: bool = False
    """Whether it sits in both seats, to tell itself something."""
    spared_below: str = "none"
    """The weakest level at which it is played at all: below, it would hurt the machine."""


def animals() -> list[Animal]:
    """All of them, by name."""
    files = [f for f in FOLDER.glob("*.py") if f.stem != "__init__"]
    folders = [f.parent for f in FOLDER.glob(f"*/{ENTRY}")]
    return sorted(map(animal, [*files, *folders]))


def animal(path: Path) -> Animal:
    """The one at `path`, a file or a folder."""
    tree = ast.parse((path / ENTRY if path.is_dir() else path).read_text(encoding="utf-8"))
    said: dict[str, Any] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
            if name.isupper() and isinstance(statement.value, ast.Constant | ast.Tuple):
                said[name] = ast.literal_eval(statement.value)
    return Animal(
        path.stem.replace("_", " "),
        submissions.at(path),
        ast.get_docstring(tree) or "",
        said["CONTAINED_FROM"],
        said["FAULTS"],
        said.get("TWICE", False),
        said.get("PAIR", False),
        said.get("SPARED_BELOW", "none"),
    )


def named(name: str) -> Animal:
    """The one of that name; raises ValueError with the nearest."""
    found = {animal.name: animal for animal in animals()}
    wanted = name.replace("_", " ").replace("-", " ")
    if wanted not in found:
        raise ValueError(f"no bot of the zoo is called {name!r}, {choices_hint(wanted, found)}")
    return found[wanted]
