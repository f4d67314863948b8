"""One short game of every game, printed for a person to read: every position, and what every seat sees.

    python -m tests.engines.golden            write the files anew; read what changed before committing
    python -m tests.engines.golden lines      print games as JSON lines, to compare two builds byte for byte

A leak can be read off these pages: what a seat sees must follow from its own cards and the public moves.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engines
from engines.core.chance import Stream, event_code
from engines.core.playthrough import playthrough

FOLDER = Path(__file__).parent / "golden"
PICKS = event_code("golden")
GAMES: dict[str, dict[str, Any]] = {
    "code777": {"seats": 3, "target": 1, "max_questions": 3},
    "hund": {"cap": 24},
    "kozyri-classic": {"seats": 3, "cap": 24},
    "kozyri-duel": {"deck": ["J", "Q", "K", "A"], "cap": 40},
    "seven-symbols": {"seats": 3, "deals": 1},
}
"""Options that keep a game short; a game that is not named is played with its defaults."""


def lines(name: str, luck: int = 7, **options: Any) -> Iterator[dict[str, Any]]:
    """A playthrough with views, whose moves are a function of `luck` alone."""
    game = engines.load(name, **{**GAMES.get(name, {}), **options})
    picks = Stream(luck, PICKS)

    def choose(state: Any, legal: tuple[Any, ...]) -> int:
        return int(legal[picks.below(len(legal))])

    return playthrough(game, luck, choose, bots=["golden"] * game.seats, views=True)


def page(name: str) -> str:
    """The game as text: a paragraph a move."""
    head, *turns, end = lines(name)
    text = [f"{head['game']} {json.dumps(head['rules'])}, luck {head['seed']}"]
    for turn in turns:
        text.append(
            f"\n{turn['n']}. seat {turn['seat']} plays {turn['move']}\n   of {', '.join(turn['legal'])}"
        )
        text += _keys("   ", turn["state"])
        for seat, view in enumerate(turn["views"]):
            hidden = {key: value for key, value in view.items() if value != turn["state"].get(key)}
            text += [f"   seat {seat} sees the same but for", *_keys("      ", hidden)]
    text.append(f"\n{end['n']}. the end: {json.dumps(end['outcome'])}")
    return "\n".join([*text, *_keys("   ", end["state"])]) + "\n"


def _keys(indent: str, values: dict[str, Any]) -> list[str]:
    return [f"{indent}{key}: {json.dumps(value)}" for key, value in values.items()]


def main() -> None:
    if sys.argv[1:] == ["lines"]:
        for name in engines.available():
            for luck in range(6):
                for line in lines(name, luck):
                    print(json.dumps(line))
        return
    FOLDER.mkdir(exist_ok=True)
    for name in engines.available():
        (FOLDER / f"{name}.txt").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
