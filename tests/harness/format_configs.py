"""Configs of any format for bots that need not exist: matches are made up."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import formats
from harness.config_values import BotEntry, GameEntry, RunConfig
from harness.formats import Table
from harness.records import BotRef
from harness.submissions import Source

DUEL = GameEntry("kozyri-duel")
TEAMS = GameEntry("seven-symbols")
THREE = GameEntry("seven-symbols", '{"seats":3}')
FOUR = GameEntry("hund")
GAMES = {"two": DUEL, "three": THREE, "four": FOUR, "teams": TEAMS}


def config_for(name: str, game: GameEntry | Sequence[GameEntry], bots: int, **options: Any) -> RunConfig:
    """A run of the format called `name` with bots a, b, c …"""
    entries = []
    for index in range(bots):
        ref = BotRef("abcdefghijklmnopqrstuvwxyz"[index], f"{index:012}")
        entries.append(BotEntry(ref, Source(ref.name, "file", Path("x.py"), (), ref.version)))
    return RunConfig(
        name="test",
        seed=11,
        games=(game,) if isinstance(game, GameEntry) else tuple(game),
        bots=tuple(entries),
        format=name,
        format_options=dataclasses.asdict(formats.load(name).Options.of(options)),
    )


def table_for(name: str, game: GameEntry, bots: int, **options: Any) -> Table:
    """The one table of such a run."""
    return formats.tables(config_for(name, game, bots, **options))[0]
