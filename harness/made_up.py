"""Matches that nobody plays: records by a model of the bots' strengths, for what is tried on schedules.

Each is a function of its spec and nothing else, as real matches are.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from random import Random

from engines.core.game import Outcome, places
from harness import formats
from harness.config_values import GameEntry, RunConfig
from harness.records import Fault, MatchRecord, MatchSpec, SeatRecord
from harness.verdict import ends_match, verdict

Play = Callable[[MatchSpec], MatchRecord]
"""How the record of a match comes about; a function of the spec."""


def made_up(
    config: RunConfig,
    strengths: Mapping[str, float] | None = None,
    *,
    draws: float = 0.1,
    luck: float = 1.0,
    faulty: Mapping[str, float] | None = None,
) -> Play:
    """Records by a model: in every match a side's form is its bots' mean strength and some luck.

    The higher form wins; with chance `draws` two sides draw. Strengths default to one less a place in the
    config, and `luck` is the deviation of a side's form, in the same unit. `faulty` names bots that forfeit,
    and in what share of their matches.
    """
    strong = strengths or {bot.ref.name: -float(place) for place, bot in enumerate(config.bots)}
    tables = {table.game: table.sides for table in formats.tables(config)}
    stakes = {table.game: _range(table.game) for table in formats.tables(config)}

    def play(spec: MatchSpec) -> MatchRecord:
        game = GameEntry(spec.game, spec.rules)
        sides = tables[game]
        address = json.dumps([spec.seed, spec.game, spec.rules, spec.deal, [ref.name for ref in spec.seats]])
        rng = Random(address)
        teams: dict[int, list[float]] = {}
        for side, ref in zip(sides, spec.seats, strict=True):
            teams.setdefault(side, []).append(strong.get(ref.name, 0.0))
        form = {side: math.fsum(team) / len(team) + rng.gauss(0, luck) for side, team in teams.items()}
        order = sorted(form.values())
        low, high = stakes[game]
        points = {side: order.index(value) / (len(order) - 1) for side, value in form.items()}
        if rng.random() < draws:
            points = dict.fromkeys(points, 0.5)
        scores = tuple([low + (high - low) * points[side] for side in sides])
        cards = Outcome(scores, places(scores, sides), sides, "won")
        guilty = {name for name, chance in (faulty or {}).items() if rng.random() < chance}
        offenders = {side for side, ref in zip(sides, spec.seats, strict=True) if ref.name in guilty}
        result = verdict(sides, game.load().stakes, offenders, cards)
        seats = tuple(
            SeatRecord(
                ref,
                side,
                score,
                place,
                decisions=1,
                faults=(Fault(0, "exception", "made up"),) if ref.name in guilty else (),
            )
            for ref, side, score, place in zip(spec.seats, sides, *result, strict=True)
        )
        over = None if ends_match(sides, offenders) else "won"
        return MatchRecord(spec, "forfeit" if offenders else "completed", over, (0,), (0,), seats)

    return play


def _range(entry: GameEntry) -> tuple[float, float]:
    game = entry.load()
    return game.stakes[0], game.highest
