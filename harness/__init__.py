"""Tournaments: schedules, workers, results, rankings. `play` one match from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.core.game import Game
    from harness.inprocess import Seat
    from harness.records import Limits, MatchRecord

__all__ = ["play"]


def play(
    game: Game[Any, Any] | str,
    bots: Sequence[Seat],
    *,
    luck: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    raise_faults: bool = False,
) -> MatchRecord:
    """Play one match in this process: `play("kozyri-duel", [MyBot, Uniform], luck=7)`.

    `game` is a game or its name (then `options` are its rules); `bots` are classes, or (class, options),
    one for every seat or one for every side; `luck` (0 … 2**53 - 1) is the deal, `seed` the bots' own
    luck. A bot's fault is in the record; with `raise_faults` its exception is raised, for pdb.
    """
    from harness.inprocess import play_here

    return play_here(
        game, bots, luck=luck, seed=seed, options=options, limits=limits, raise_faults=raise_faults
    )
