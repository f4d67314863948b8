"""How much a run will play, and what a user should know of it before anything is played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from harness.conduct import counts_of, suspensions
from harness.config_values import GameEntry, RunConfig
from harness.formats.core.format import Extent, Table, load
from harness.formats.core.schedule import rule, scheduled, self_play_deals, tables
from harness.luck import guessable
from harness.records import MatchRecord


class GamePlan(NamedTuple):
    """How much a format will play of one game."""

    game: GameEntry
    bots: tuple[str, ...]
    left_out: tuple[str, ...]
    """Bots of the event that do not play this game."""
    extent: Extent
    """With what is played before the format begins."""


class Plan(NamedTuple):
    """How much a run will play, before anything is played."""

    games: tuple[GamePlan, ...]
    notes: tuple[str, ...]
    """What a user should know beforehand, one line each."""

    @property
    def sets(self) -> int:
        """Deal sets of all games."""
        return sum(game.extent.sets for game in self.games)

    @property
    def matches(self) -> int:
        """Matches of all games."""
        return sum(game.extent.matches for game in self.games)

    @property
    def at_most(self) -> bool:
        """Whether results decide how much is played: then these counts are the most that it can be."""
        return any(game.extent.at_most for game in self.games)


def plan(config: RunConfig) -> Plan:
    """How much the run will play; raises Unservable where the format cannot serve a game of the event."""
    games = []
    for table in tables(config):
        playing = tuple(ref.name for ref in table.bots)
        out = tuple(bot.ref.name for bot in config.bots if bot.ref.name not in playing)
        games.append(GamePlan(table.game, playing, out, _with_self_play(table, config)))
    notes = [
        f"{', '.join(game.left_out)} {'do' if game.left_out[1:] else 'does'} not play "
        f"{_label(game.game, config)}"
        for game in games
        if game.left_out
    ]
    notes += [f"{_label(game.game, config)}: {note}" for game in games for note in game.extent.notes]
    if (dealt := config.positions) and (deals := max(game.extent.deals for game in games)) > len(dealt.lines):
        notes.append(
            f"{deals} deals of {dealt.name}'s {len(dealt.lines)} positions: each comes again, "
            f"the same but for the bots' own luck"
        )
    if config.limits.memory_mb is not None:
        notes.append("limits.memory_mb is not enforced for bots that play in the worker's own process")
    if config.limits.cpu_ms is not None or config.limits.bank_ms is not None:
        notes.append("CPU limits make results depend on the machine; limits.nodes is the repeatable kind")
    if guessable(config.seed) and any(bot.source.kind == "submitted" for bot in config.bots):
        notes.append(
            f"seed {config.seed} can be guessed, and who knows it knows every card: where strangers play, "
            f'have one drawn, seed = "random" (docs/isolation.md)'
        )
    return Plan(tuple(games), tuple(notes))


def total(config: RunConfig, records: Iterable[MatchRecord]) -> int:
    """Matches of the whole run; the most that it can be while results have yet to decide that.

    `records` are gone through more than once.
    """
    planned = plan(config)
    if planned.at_most or suspensions(rule(config), counts_of(records)):
        found, over = scheduled(config, records)
        return found if over else planned.matches
    return planned.matches


def _with_self_play(table: Table, config: RunConfig) -> Extent:
    """What the format plans, and what goes before it."""
    extent, deals = load(config.format).plan(table), self_play_deals(config)
    return extent._replace(
        sets=extent.sets + deals * len(table.bots),
        matches=extent.matches + 2 * deals * len(table.bots),
        per_bot={name: games + 2 * deals for name, games in extent.per_bot.items()},
    )


def _label(game: GameEntry, config: RunConfig) -> str:
    """A game's name, with its rules where the event has the game twice."""
    several = sum(other.name == game.name for other in config.games) > 1
    return f"{game.name} {game.rules}" if several and game.rules != "{}" else game.name
