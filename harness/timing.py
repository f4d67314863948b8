"""`--time`: the design that fits into a given time, chosen once, from what a pilot says matches take.

Every format names the option that its amount of play is proportional to (`TIMED`: deals, rounds, a budget).
One number is chosen for the whole event, so line-ups, bots and games stay as even as the format makes them.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence
from typing import Final

from harness import formats
from harness.config_values import RunConfig, Timed
from harness.pilot import Trial

RESERVE: Final = 0.1
"""The part of the time that is not planned for: estimates err, and workers wait at the end of a round."""
CLOSING: Final = 4e-4
"""Seconds a match that the digest and the report take at the end, a rough figure without compiled engines."""
OPENING: Final = {"local": 1.0, "ray": 8.0}
"""Seconds until the workers of an executor play, a rough figure for two slow cores."""
ENDING: Final = 3.0
"""Seconds that the report takes however short a run was, a rough figure for two slow cores."""
_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0}


class CannotTime(ValueError):
    """`--time` cannot be had like that; the message is one line that says why and what to do."""


def seconds_of(text: str) -> float:
    """`30s`, `45m`, `2h`, `1h30m` as seconds; raises CannotTime."""
    found = re.findall(r"(\d+(?:\.\d+)?)([smh])", text)
    total = sum(float(number) * _UNITS[unit] for number, unit in found)
    if "".join(number + unit for number, unit in found) != text or not total:
        raise CannotTime(f"--time {text}: expected a time such as 30s, 45m, 2h or 1h30m")
    return total


def option_of(config: RunConfig) -> str:
    """The option that `--time` chooses for this config's format; raises CannotTime where there is none."""
    option: str | None = getattr(formats.load(config.format), "TIMED", None)
    if option is None:
        raise CannotTime(f"--time: the format {config.format} has no option that says how much is played")
    if option == "deals" and (dealt := config.positions) is not None:
        raise CannotTime(f"--time: the deals are the positions of {dealt.name}, so their number is given")
    return option


def typical(config: RunConfig) -> RunConfig:
    """A config whose plan says what usually will be played, not the most that it can be."""
    usual = getattr(formats.load(config.format), "TYPICAL", {})
    return dataclasses.replace(config, format_options={**config.format_options, **usual})


def playing(config: RunConfig, trials: Sequence[Trial], workers: int) -> float:
    """Seconds that this config's matches take on so many workers, by a pilot of it."""
    games = formats.plan(typical(config)).games
    return (
        sum(game.extent.matches * trial.seconds for game, trial in zip(games, trials, strict=True)) / workers
    )


def chosen(config: RunConfig, trials: Sequence[Trial], workers: int, asked: str, left: float) -> RunConfig:
    """The config with as much play as fits into the `left` seconds of the time that was `asked` for.

    Raises CannotTime where that is less than one deal for everybody.
    """
    option = option_of(config)
    for trial in trials:
        if math.isnan(trial.seconds):
            raise CannotTime(f"--time: no match of {trial.game.name} could be played: {trial.lost}")
    number = config.format_options[option]
    bare = dataclasses.replace(config, self_play=0)
    matches = formats.plan(typical(bare)).matches / number
    each = playing(bare, trials, workers) / number + matches * CLOSING
    spare = (1 - RESERVE) * left - (playing(config, trials, workers) - playing(bare, trials, workers))
    most = math.floor(spare / each)
    if most < 1:
        raise CannotTime(
            f"--time {asked} is too short: {option} = 1 takes about {each / (1 - RESERVE):.3g} s "
            f"({matches:,.0f} matches); give more time, or play with fewer bots, games or line-ups"
        )
    options = {**config.format_options, option: most}
    found = dataclasses.replace(config, format_options=options, timed=Timed(asked, option, most, number))
    try:
        formats.plan(found)
    except formats.Unservable as error:
        raise CannotTime(f"--time {asked}: {option} = {most:,} would fit, but {error}") from None
    return found
