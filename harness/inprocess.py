"""One match in this process, from Python: for scripts, notebooks and the debugger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import engines
from bots.core.bot import Bot
from engines.core.game import Game
from harness.config_values import canonical_json
from harness.match import play_match
from harness.players.local import LocalPlayer
from harness.positions import Deal, Positions, luck_of, playable
from harness.records import BotRef, Limits, MatchRecord, MatchSpec
from harness.seating import sides_of
from harness.submissions import version_of

Seat = type[Bot[Any]] | tuple[type[Bot[Any]], Mapping[str, Any]]
"""A bot's class, or (class, its options)."""


def play_here(
    game: Game[Any, Any] | str,
    bots: Sequence[Seat],
    *,
    luck: int | None = None,
    position: Mapping[str, Any] | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    raise_faults: bool = False,
) -> MatchRecord:
    """Play one match; see `harness.play`."""
    if isinstance(game, str):
        rules = (position or {}).get("rules", {}) if options is None else options
        game = engines.load(game, **rules)
    elif options:
        raise ValueError("options go with a game's name; a loaded game has its own")
    pairs = [(seat, {}) if isinstance(seat, type) else (seat[0], dict(seat[1])) for seat in bots]
    sides = sides_of(game.sides)
    if len(pairs) == len(sides) < game.seats:
        pairs = [pairs[sides.index(side)] for side in game.sides]
    if len(pairs) != game.seats:
        teams = f" or {len(sides)}, one a side," if len(sides) < game.seats else ""
        raise ValueError(f"{game.name} takes {game.seats} bots{teams} got {len(pairs)}")
    deal = _deal(game, luck, position)
    spec = MatchSpec(
        id="000000-000000-00",
        game=game.name,
        rules=canonical_json(game.rules.changed()),
        deal=deal.address,
        luck=deal.luck,
        round=0,
        line_up=0,
        seating=0,
        seats=tuple(
            BotRef(kind.__name__, version_of(kind), canonical_json(chosen)) for kind, chosen in pairs
        ),
        seed=seed,
        limits=limits or Limits(),
        position=deal.position,
    )
    players = [LocalPlayer(kind, chosen, raise_faults=raise_faults) for kind, chosen in pairs]
    return play_match(spec, game, players, raise_faults=raise_faults)


def _deal(game: Game[Any, Any], luck: int | None, position: Mapping[str, Any] | None) -> Deal:
    """Where the match starts; raises BadPosition."""
    if (luck is None) == (position is None):
        raise ValueError("expected exactly one of luck and position")
    if position is None:
        return Deal(f"{game.name}@{luck}", int(luck or 0))
    line = playable(game, position)
    return Deal(f"{game.name}@{Positions('', (line,)).digest}", luck_of(position), line)
