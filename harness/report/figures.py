"""A page's drawings as files of their own, `figures/*.svg`: for a paper, a slide or another page.

In a page colours are CSS variables, which follow the reader's system; here they are those of the light page,
written out, on its paper.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from harness import pages
from harness.durable import write_text
from harness.report.parts import Part

FOLDER: Final = "figures"
_STYLES: Final = (pages.HERE / "theme.css", Path(__file__).parent / "page.css")


def write(folder: Path, parts: Sequence[Part]) -> list[Path]:
    """Write the drawings of all games into a run's `figures/`, each wholly or not at all; their paths."""
    place = folder / FOLDER
    found = []
    for name, drawing in _drawings(parts):
        place.mkdir(exist_ok=True)
        found.append(place / f"{name}.svg")
        write_text(found[-1], alone(drawing))
    return found


def _drawings(parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
    """Every drawing by its file's name: `hund-strength`; with a number where a game has several rules."""
    games = Counter(part.title for part in parts)
    for part in parts:
        game = part.title if games[part.title] == 1 else f"{part.title}-{part.id.rpartition('-')[2]}"
        for what, figure in (("strength", part.progress), ("scores", part.spreads), ("cpu", part.cpu)):
            if figure is not None and figure["drawing"]:
                yield f"{game}-{what}", str(figure["drawing"])


def alone(drawing: str) -> str:
    """A drawing that was made for a page, as a file that needs none."""
    colours = _light()
    text = re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], drawing)
    return (
        text.replace('<svg aria-hidden="true" ', f'<svg style="background: {colours["--paper"]}" ', 1) + "\n"
    )


def _light() -> dict[str, str]:
    """What the variables stand for in a light page, which the styles have first."""
    found: dict[str, str] = {}
    for style in _STYLES:
        for name, value in re.findall(r"(--[\w-]+):\s*([^;]+);", style.read_text(encoding="utf-8")):
            found.setdefault(name, value)
    return found
