"""The games of a config: `game` or `[[games]]` read, their rules checked, the positions that are dealt."""

from __future__ import annotations

from pathlib import Path

import engines
from engines.core.errors import BadRules, UnknownGame
from harness import positions
from harness.config_keys import Keys
from harness.config_values import GameEntry, canonical_json
from harness.positions import Positions


def games_of(keys: Keys) -> tuple[GameEntry, ...]:
    """What `game`, or the [[games]] tables, say is played; unknown games and bad rules are told."""
    single = keys.take("game", str, None)
    rules = keys.table("rules")
    several = keys.tables("games")
    if single is not None and several:
        keys.fail("game", "expected either `game` or [[games]] tables, got both")
    if single is not None:
        return (_game(keys, "game", single, rules),)
    if rules.data:
        keys.fail("rules", "belongs to `game`; a [[games]] table has `rules` of its own")
    if not several:
        keys.refuse_unknown(
            "format", "limits", "suspend", "allow", "isolation", "executor", "workers", "bots", "entrants"
        )
        keys.fail("game", f"is missing; known: {', '.join(engines.available())}")
    found: list[GameEntry] = []
    for table in several:
        entry = _game(table, "name", table.take("name", str), table.table("rules"))
        table.refuse_unknown()
        if entry in found:
            table.fail("", f"is the same as games[{found.index(entry)}]")
        found.append(entry)
    return tuple(found)


def _game(keys: Keys, key: str, name: str, rules: Keys) -> GameEntry:
    try:
        game = engines.load(name, **rules.data)
    except UnknownGame as error:
        keys.fail(key, str(error))
    except BadRules as error:
        option, _, reason = str(error).partition(": ")
        rules.fail(option, reason)
    return GameEntry(game.name, canonical_json(game.rules.changed()))


def positions_of(keys: Keys, games: tuple[GameEntry, ...], folder: Path, run: Path) -> Positions | None:
    """What `deals = "puzzles.jsonl"` names; from the run's own copy where the file is gone."""
    table = keys.table("format")
    name = table.data.get("deals")
    if not isinstance(name, str):
        return None
    if len(games) > 1:
        several = ", ".join(
            game.name if game.rules == "{}" else f"{game.name} {game.rules}" for game in games
        )
        table.fail("deals", f"positions are of one game with one set of rules, but this event has {several}")
    path = folder / name
    if not path.exists():
        dealt = positions.of_run(run)
        if dealt is not None and dealt.name == path.name:
            return dealt
        table.fail("deals", f"{path}: cannot be read: No such file or directory")
    return positions.read(path, games[0].load())


def kept_positions(keys: Keys, folder: Path) -> Positions | None:
    """The run's own copy, where `dump` wrote that there is one."""
    table = keys.table("positions")
    if not table.data:
        return None
    return positions.kept(folder, keys.table("format").take("deals", str), table.take("digest", str))
