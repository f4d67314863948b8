"""One match in this process, from Python: for scripts, notebooks and the debugger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import engines
from bots.core.bot import Bot
from bots.core.claims import plays
from engines.core.chance import checked_luck
from engines.core.game import Game
from harness.config_values import canonical_json
from harness.match import play_match
from harness.players.local import LocalPlayer
from harness.positions import Deal, Positions, luck_of, playable
from harness.records import BotRef, Limits, MatchRecord, MatchSpec
from harness.seating import sides_of
from harness.submissions import SetupError, Source, bot_type, find, version_of

Kind = type[Bot[Any]] | str | Source
"""A bot's class, the name of one that is shipped or installed, or where one is."""
Seat = Kind | tuple[Kind, Mapping[str, Any]]
"""A bot, or (bot, its options)."""


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
    pairs = _entrants(bots)
    sides = sides_of(game.sides)
    if len(pairs) == len(sides) < game.seats:
        pairs = [pairs[sides.index(side)] for side in game.sides]
    if len(pairs) != game.seats:
        teams = f" or {len(sides)}, one a side" if len(sides) < game.seats else ""
        raise ValueError(f"{game.name} takes {game.seats} bots{teams}, got {len(pairs)}")
    for entrant, _ in pairs:
        if not plays(entrant.kind.games, game.name, game.seats):
            raise SetupError(
                f"{entrant.name} does not play {game.name} with {game.seats} seats: "
                f"it plays {', '.join(entrant.kind.games)}"
            )
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
        seats=tuple(BotRef(bot.name, bot.version, canonical_json(chosen)) for bot, chosen in pairs),
        seed=seed,
        limits=limits or Limits(),
        position=deal.position,
    )
    players = [LocalPlayer(bot.kind, chosen, raise_faults=raise_faults) for bot, chosen in pairs]
    return play_match(spec, game, players, raise_faults=raise_faults)


class _Entrant(NamedTuple):
    """A bot that takes part."""

    name: str
    version: str
    kind: type[Bot[Any]]


def _entrants(bots: Sequence[Seat]) -> list[tuple[_Entrant, dict[str, Any]]]:
    """Every bot with its options; raises TypeError for what is no bot, SetupError for one not found."""
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise TypeError(f"bots: expected a list with one bot a seat or a side, got {bots!r}")
    found = []
    bot: Any
    options: Any
    for number, seat in enumerate(bots):
        bot, options = seat, {}
        if isinstance(seat, tuple) and len(seat) == 2:  # a Source is a longer one
            bot, options = seat
        if isinstance(bot, str):
            bot = find(bot)
            if bot.kind == "submitted":
                raise SetupError(
                    f"{bot.name} was submitted, and strangers' bots play locked up: croupier run, check and "
                    f"play do so. To run it in this very process, give its file: {bot.path}"
                )
        if isinstance(bot, Source):
            entrant = _Entrant(bot.name, bot.version, bot_type(bot))
        elif isinstance(bot, type) and hasattr(bot, "act"):
            entrant = _Entrant(bot.__name__, version_of(bot), bot)
        else:
            raise TypeError(
                f"bots[{number}]: expected a bot's class or name, or (bot, options), got {seat!r}"
            )
        if not isinstance(options, Mapping):
            raise TypeError(f"bots[{number}]: expected options as a mapping, got {options!r}")
        found.append((entrant, dict(options)))
    return found


def _deal(game: Game[Any, Any], luck: int | None, position: Mapping[str, Any] | None) -> Deal:
    """Where the match starts; raises BadPosition."""
    if (luck is None) == (position is None):
        raise ValueError("expected exactly one of luck and position")
    if position is None:
        luck = checked_luck(luck)
        return Deal(f"{game.name}@{luck}", luck)
    line = playable(game, position)
    return Deal(f"{game.name}@{Positions('', (line,)).digest}", luck_of(position), line)
