"""What `croupier run --dry-run` and `--time` say: how much, about how long, and how sure it will be."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from harness.cli.common import UsageProblem, counted
from harness.wording import with_rules

if TYPE_CHECKING:
    from pathlib import Path

    from harness.config import RunConfig
    from harness.formats import Extent, GamePlan
    from harness.pilot import Trial
    from harness.precision import Precision, Variation

TRIAL_SECONDS: Final = 1.0
"""How long each game is tried for a forecast."""
TRIAL_SHARE: Final = 0.05
"""The part of `--time` that goes into trying the games, where it is more than TRIAL_SECONDS for each."""
TRIAL_MOST: Final = 5.0
"""Seconds for each game, at most."""
MEANING: Final = (
    "expected: half of the 95 % interval of a bot's mean score, in points a seat and match; and how far two "
    "true means must be apart for 95 % of such runs to tell them apart with 95 % confidence"
)


class Piloted(NamedTuple):
    """What a pilot has found, and with what."""

    trials: list[Trial]
    workers: int


def tried(
    config: RunConfig, executor: str, workers: int | None, address: str | None, seconds: float
) -> Piloted:
    """Play a pilot on workers like the run's: on the cluster at that address, else here."""
    from harness.executors.base import Setup
    from harness.executors.choice import open_executor
    from harness.pilot import pilot

    sources = {(bot.ref.name, bot.ref.version): bot.source for bot in config.bots}
    setup = Setup(sources, config.isolation, config.allow)
    players = open_executor(
        executor if address else "local", setup, workers=workers or config.workers, address=address
    )
    try:
        trials = pilot(config, players, seconds)
    finally:
        players.close()
    return Piloted(trials, players.workers)


def foresee(
    config: RunConfig,
    executor: str,
    workers: int | None,
    address: str | None,
    found: Piloted | None = None,
) -> Iterator[str]:
    """The lines to print; nothing is written anywhere."""
    from harness import formats
    from harness.analysis import reproducible

    plan = formats.plan(config)
    seed = "a seed drawn when it first starts" if config.seed_drawn else f"seed {config.seed}"
    yield (
        f"{config.name}: {config.format}, {seed}: {'at most ' if plan.at_most else ''}"
        f"{counted(plan.sets, 'deal set')}, {counted(plan.matches, 'match', 'matches')}"
    )
    found = found or tried(config, executor, workers, address, TRIAL_SECONDS)
    for game, trial in zip(plan.games, found.trials, strict=True):
        extent = game.extent
        deals = reproducible.deals(config, game.game, extent.deals)
        yield (
            f"  {with_rules(*game.game)}: {counted(len(game.bots), 'bot')}, "
            f"{counted(extent.line_ups, 'line-up')}; "
            f"{'at most ' if extent.at_most or extent.shares_open else ''}{deals}; "
            f"{'at most ' if extent.at_most else ''}"
            f"{counted(extent.sets, 'deal set')}, {counted(extent.matches, 'match', 'matches')}, "
            f"{'at most ' if extent.shares_open else ''}{spread(extent)} for each bot"
        )
        yield f"    {precision(config, game, trial)}"
    for note in plan.notes:
        yield f"  Note: {note}"
    for trial in found.trials:
        if trial.lost:
            yield f"  Note: a match of {trial.game.name} could not be played: {trial.lost}"
    yield f"  {MEANING}"
    yield f"  {duration_line(config, found, at_most=plan.at_most)}"


def spread(extent: Extent) -> str:
    """Matches of a bot: `120`, or `120 to 124`."""
    least, most = min(extent.per_bot.values()), max(extent.per_bot.values())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def precision(config: RunConfig, game: GamePlan, trial: Trial) -> str:
    """How sure the ranking of one game will be, and from what that is known."""
    from harness.precision import worst

    loaded = game.game.load()
    variation = trial.variation or worst(loaded.stakes[0], loaded.highest)
    found = _foreseen(config, game, variation)
    if trial.variation is None:
        source = "how scores vary was not measured: as if they varied as much as they can"
    else:
        source = f"by a pilot of {counted(variation.sets, 'deal set')} on {counted(variation.deals, 'deal')}"
    whole = "if all is played, " if game.extent.at_most else ""
    return (
        f"expected: {whole}mean scores ± {digits(found.half_width)}, differences of {digits(found.apart)} "
        f"told apart{_halving(config, game, variation, found)} ({source})"
    )


def _halving(config: RunConfig, game: GamePlan, variation: Variation, before: Precision) -> str:
    """`; half of that with deals = 400`; empty where results or a file say how much is played."""
    from dataclasses import replace

    from harness import formats, timing

    if game.extent.at_most:
        return ""
    try:
        option = timing.option_of(config)
        number = 4 * config.format_options[option]
        more = replace(config, format_options={**config.format_options, option: number})
        after = _foreseen(more, game, variation)
    except (timing.CannotTime, formats.Unservable):
        return ""
    exact = math.isclose(2 * after.half_width, before.half_width, rel_tol=0.01)
    return f"; half of that with {option} = {number}" if exact else ""


def _foreseen(config: RunConfig, game: GamePlan, variation: Variation) -> Precision:
    """What the scores of one game, varying like that, lead to expect of the config's design."""
    from dataclasses import replace

    from harness import formats
    from harness.precision import expected
    from harness.timing import typical

    usual = formats.plan(typical(replace(config, self_play=0))).games
    extent = next(one.extent for one in usual if one.game == game.game)
    bots = len(game.bots)
    if extent.shares_open:  # two meet, and all play as much on average
        sets = 2 * extent.sets / bots
    else:
        sets = sum(extent.per_bot.values()) / bots * extent.sets / extent.matches
    return expected(variation, bots, min(extent.deals, sets), sets)


def digits(value: float) -> str:
    """A number with two digits that matter: `0.034`, `1.2`."""
    if value <= 0:
        return "0"
    return f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f}"


def duration_line(config: RunConfig, found: Piloted, *, at_most: bool) -> str:
    """About how long, and what that rests on."""
    from harness.timing import playing, typical

    seconds = playing(config, found.trials, found.workers)
    matches = sum(trial.matches for trial in found.trials)
    if math.isnan(seconds):
        return "how long it takes is not known: no match could be tried"
    about = "at most about" if at_most and typical(config) == config else "about"
    return (
        f"{about} {duration(seconds)} with {counted(found.workers, 'worker')}: "
        f"an estimate from {counted(matches, 'match', 'matches')} just played"
    )


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


# --time


class Choice(NamedTuple):
    """The config with the design for a time, and the pilot it rests on: None where that was chosen before."""

    config: RunConfig
    found: Piloted | None


def choose(
    config: RunConfig,
    folder: Path,
    asked: str,
    executor: str,
    workers: int | None,
    address: str | None,
    began: float,
) -> Choice:
    """The design for a time, chosen now for a new run; raises UsageProblem where a run goes on otherwise.

    `began` is when the command began, by the monotonic clock: what it took until now is part of the time.
    """
    from harness import config_kept, timing

    whole = timing.seconds_of(asked)
    timing.option_of(config)
    if (folder / "run.toml").exists():
        before = config_kept.timed_of(folder)
        if before is None:
            raise UsageProblem(
                f"{folder} was started without --time and goes on as it is; leave --time out, or name "
                f"another folder (--out)"
            )
        if timing.seconds_of(before.asked) != whole:
            raise UsageProblem(
                f"{folder} has {before.option} = {before.number:,} for --time {before.asked} and goes on so; "
                f"leave --time {asked} out, or name another folder (--out)"
            )
        return Choice(config, None)
    each = min(TRIAL_MOST, max(TRIAL_SECONDS, TRIAL_SHARE * whole / len(config.games)))
    found = tried(config, executor, workers, address, min(each, whole / 10 / len(config.games)))
    opening = timing.OPENING["ray" if uses_ray(executor, address, whole, found.workers) else "local"]
    ending = min(timing.ENDING, timing.RESERVE * whole)
    left = max(0.0, whole - (time.monotonic() - began) - opening - ending)
    return Choice(timing.chosen(config, found.trials, found.workers, asked, left), found)


def uses_ray(executor: str, address: str | None, seconds: float, workers: int) -> bool:
    """Whether the run will be played by Ray."""
    from harness.executors.choice import RAY_PAYS_AFTER, answers, cluster_address

    if address or executor == "ray":
        return True
    if executor != "auto" or workers == 1:
        return False
    cluster = cluster_address()
    return seconds >= RAY_PAYS_AFTER or (cluster is not None and answers(cluster))


def reasons(choice: Choice, *, kept: bool) -> Iterator[str]:
    """What was chosen for the time, and why; `kept` where a run's folder has it from now on."""
    from harness import timing

    timed = choice.config.timed
    if timed is None or choice.found is None:
        return
    tried_games = ", ".join(
        f"{trial.game.name} {1e3 * trial.seconds:.3g} ms a match" for trial in choice.found.trials
    )
    yield (
        f"--time {timed.asked}: {timed.option} = {timed.number:,} in place of the config's "
        f"{timed.instead_of:,}" + ("; run.toml keeps it, and the run goes on with it" if kept else "")
    )
    yield (
        f"  why: {tried_games} with {counted(choice.found.workers, 'worker')}; "
        f"{100 * timing.RESERVE:.0f} % of the time is held back, beside start and report"
    )
