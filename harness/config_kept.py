"""What a run keeps once it has started: its seed, be it drawn, and what `--time` has chosen."""

from __future__ import annotations

import tomllib
from pathlib import Path

from harness import luck
from harness.config_keys import Keys
from harness.config_values import RANDOM, Timed


def seed_of(keys: Keys, run: Path | None) -> tuple[int, bool]:
    """The seed, and whether it was drawn: now, or when the run in that folder started.

    `run` is None where the config is what `dump` wrote.
    """
    if run is not None and isinstance(word := keys.data.get("seed"), str):
        keys.take("seed", str)
        if word != RANDOM:
            keys.fail("seed", f"expected a whole number or {RANDOM!r}, got {word!r}")
        return random_seed(run)
    drawn = run is None and keys.take("seed_drawn", bool, False)
    return keys.whole("seed", 0, 2**63 - 1, default=0), drawn


def random_seed(folder: Path) -> tuple[int, bool]:
    """What `seed = "random"` is for the run in this folder: its own, or where none is there one drawn now.

    And whether it was drawn: a run that was started with a number goes on with that.
    """
    found = _written(folder)
    return (luck.drawn_seed(), True) if found is None else seed_of(found, None)


def _written(folder: Path) -> Keys | None:
    """The run.toml in this folder, if there is one that can be read."""
    path = folder / "run.toml"
    try:
        return Keys(str(path), tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None  # whoever continues the run is told


def timed_of(folder: Path) -> Timed | None:
    """What `--time` has chosen for the run in this folder, if there is one and it did."""
    found = _written(folder)
    return None if found is None else timed_in(found.table("time"))


def timed_in(table: Keys) -> Timed | None:
    """What a run.toml has of it."""
    if not table.data:
        return None
    return Timed(
        table.take("asked", str),
        table.take("option", str),
        table.whole("number", 1),
        table.whole("instead_of", 1),
    )
