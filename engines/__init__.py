"""Games with exact rules. `load("hund", second="must")` gives one; `available()` names them all."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.core.errors import UnknownGame, choices_hint
from engines.core.game import Game

if TYPE_CHECKING:
    from importlib import metadata

__all__ = ["available", "game_type", "load"]

_NOT_GAMES = ("core", "adapters")


@functools.cache
def _found() -> dict[str, type[Game[Any, Any]]]:
    """Every Game class in a public module of a game's folder, by name: the folder is the registry."""
    games: dict[str, type[Game[Any, Any]]] = {}
    for package in pkgutil.iter_modules([str(Path(__file__).parent)], "engines."):
        if not package.ispkg or package.name.removeprefix("engines.") in _NOT_GAMES:
            continue
        folder = importlib.import_module(package.name)
        for module in pkgutil.iter_modules(folder.__path__, f"{package.name}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, type) and issubclass(value, Game) and "name" in vars(value):
                    games[value.name] = value
    return games


@functools.cache
def _installed() -> dict[str, metadata.EntryPoint]:
    """Games of installed packages, by the entry points of group `croupier.games`."""
    from importlib import metadata  # 40 modules, which who plays our own games need not have in memory

    return {point.name: point for point in metadata.entry_points(group="croupier.games")}


def available() -> list[str]:
    """The names of all games, sorted."""
    return sorted({*_found(), *_installed()})


def game_type(name: str) -> type[Game[Any, Any]]:
    """The class of the game called `name`; raises UnknownGame with the known names."""
    if name in _found():
        return _found()[name]
    if name in _installed():
        found: type[Game[Any, Any]] = _installed()[name].load()
        return found
    bare = name.partition(":")[0]
    if bare != name and bare in available():
        raise UnknownGame(
            f"unknown game {name!r}: expected its name alone, {bare!r}; "
            f"seats are an option of games that leave them open (`croupier games`)"
        )
    raise UnknownGame(f"unknown game {name!r}, {choices_hint(name, available())}")


def load(name: str, **options: Any) -> Game[Any, Any]:
    """The game called `name` with these options; raises UnknownGame or BadRules."""
    kind = game_type(name)
    return kind(kind.rules_type.of(options))
