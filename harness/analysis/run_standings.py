"""The rankings of a whole run: one for every game and rules, and one over all games.

found = run_standings(open_run("reports/weekend"))
for game in found.games: ...          # `GameStandings`
found.overall                         # `Overall`, or None where there is one game
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.analysis.frames import Run
from harness.analysis.overall import Overall, overall
from harness.analysis.standings import DEFAULT, GameStandings, standings
from harness.analysis.tables import tables


@dataclass(frozen=True)
class RunStandings:
    """Everything that a run's results say of its bots."""

    games: tuple[GameStandings, ...]
    """In the order of the schedule."""
    overall: Overall | None
    """Over all games; None where there is one, or where fewer than two bots played all of them."""
    warnings: tuple[str, ...]
    """What is doubtful about the run as a whole; each game has warnings of its own."""


def run_standings(run: Run, by: str = DEFAULT) -> RunStandings:
    """Rank the bots of a run by the rating method `by`; raises UnknownRating."""
    games = tuple(standings(table, by) for table in tables(run))
    return RunStandings(games, overall(games), tuple(mixed_rules(games)))


def mixed_rules(games: Sequence[GameStandings]) -> list[str]:
    """Games that were played under several rules."""
    names = [game.game for game in games]
    return [
        f"{name} was played under {names.count(name)} different rules, which are ranked apart"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
