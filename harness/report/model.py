"""The tables of a report as plain values, made from a run."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.core.rules import show
from harness import config as configs
from harness import formats, ratings
from harness.analysis import reproducible
from harness.analysis.frames import Run
from harness.analysis.overall import Overall, overall
from harness.analysis.own_numbers import Numbers, own_numbers
from harness.analysis.reproducible import Repeated
from harness.analysis.run_standings import mixed_rules
from harness.analysis.standings import DEFAULT, BotStanding, GameStandings, standings
from harness.analysis.statistics import BotStatistics
from harness.analysis.tables import Table, tables
from harness.conduct import Suspension, suspensions
from harness.config_values import GameEntry, RunConfig
from harness.formats import Summary
from harness.ratings.core import Rating
from harness.store.conduct import StoredRecords
from harness.store.digest import RunDigest, match_digests
from harness.store.parts import PartReader, sorted_tables
from harness.store.reading import StoredRun, steady


@dataclass(frozen=True)
class Line:
    """One bot in one table."""

    standing: BotStanding
    rating: Rating
    """By the method that orders the table."""

    @property
    def rank(self) -> int:
        """1 + the number of bots that are rated higher; equal ratings share a rank."""
        return self.standing.rank

    @property
    def label(self) -> str:
        """The bot's name; with its version where a name has several in this run."""
        return self.standing.label

    @property
    def statistics(self) -> BotStatistics:
        """What it did."""
        return self.standing.statistics


@dataclass(frozen=True)
class Standings:
    """The ranking of one game under one set of rules."""

    found: GameStandings
    """Everything that is known: verdicts on pairs, seats, the result in sentences."""
    seats: int
    rating_title: str
    """What the rating's numbers are, in words."""
    summary: Summary | None = None
    """Standings of the format's own: a Swiss table, a bracket."""
    numbers: Numbers = field(default_factory=dict)
    """What bots recorded about themselves, by name, as means over their matches."""

    @property
    def game(self) -> str:
        """The game's name."""
        return self.found.game

    @property
    def rules(self) -> str:
        """Options that differ from the defaults, as canonical JSON."""
        return self.found.rules

    @property
    def rating(self) -> str:
        """The rating method's name."""
        return self.found.by

    @property
    def rating_details(self) -> Mapping[str, float]:
        """What the method estimated on the way."""
        return self.found.rated[self.found.by].details

    @functools.cached_property
    def lines(self) -> tuple[Line, ...]:
        """By rank, then by name."""
        return tuple(Line(bot, bot.ratings[self.found.by]) for bot in self.found.bots)


@dataclass(frozen=True)
class Report:
    """All tables of a run, with the conditions under which they came about."""

    run: str
    digest: str
    """The digest of everything that is stored."""
    matches: int
    """Matches in the tables."""
    planned: int | None
    """Matches that the schedule has; None where it cannot be told."""
    voids: int
    """Tries that the platform spoilt and that were, or will be, played again."""
    seed: int | None
    """None where it is not known, or a secret while the run goes on."""
    format: str
    limits: str
    isolation: str
    standings: tuple[Standings, ...]
    warnings: tuple[str, ...]
    self_play: tuple[Repeated, ...] = ()
    """What came of each bot's playing itself on the same deals twice; empty where that was not asked for."""
    overall: Overall | None = None
    """The ranking over all games; None where there is one, or where fewer than two bots played them all."""
    tables: tuple[Table, ...] = field(default=(), repr=False)
    """The matches behind each of `standings`, for drawings."""
    suspensions: tuple[Suspension, ...] = ()
    """Bots that were kept out of later rounds for their forfeits; `warnings` has them in words."""
    void_causes: Mapping[str, int] = field(default_factory=dict)
    """Why tries were void, and how many of them."""
    seed_is_secret: bool = False

    @property
    def complete(self) -> bool:
        """Whether everything that was planned is in the tables."""
        return self.planned is None or self.matches >= self.planned


def build(run: Run, rating: str = DEFAULT) -> Report:
    """The report of a run; raises UnknownRating."""
    method = ratings.method(rating)
    found = tables(run)
    stored = StoredRun(run.folder)
    config = _config(run)
    summaries = {} if config is None else steady(lambda: formats.summaries(config, StoredRecords(stored)))
    games = tuple(standings(table, rating) for table in found)
    own = steady(lambda: own_numbers(run, found))
    matches = sum(map(len, found))
    causes = dict(Counter(tried.why for tried in stored.voids()).most_common())
    repeated = steady(lambda: reproducible.of_run(run.folder)) if config is not None else []
    planned = None if config is None else steady(lambda: formats.total(config, StoredRecords(stored)))
    stopped = () if config is None else steady(lambda: _suspensions(run, config, stored))
    return Report(
        run=run.name,
        digest=steady(lambda: stored_digest(stored)),
        matches=matches,
        planned=planned,
        voids=sum(causes.values()),
        void_causes=causes,
        seed=None if run.seed_is_secret else run.config.get("seed"),
        seed_is_secret=run.seed_is_secret,
        format=_options(run.config.get("format", {})),
        limits=_options(run.config.get("limits", {})),
        isolation=str(run.provenance.get("isolation", run.config.get("isolation", ""))),
        standings=tuple(
            Standings(
                found=game,
                seats=table.seats,
                rating_title=method.TITLE,
                summary=summaries.get(GameEntry(table.game, table.rules)),
                numbers=numbers,
            )
            for game, table, numbers in zip(games, found, own, strict=True)
        ),
        warnings=(
            *run.warnings,
            *mixed_rules(games),
            *(f"{game.game}: {doubt}" for game in games for doubt in game.warnings),
            *(str(one) for one in repeated if one.first is not None),
            *([] if config is None else _deals_amiss(config, games, planned == matches)),
            *(f"{stop.game.name}: {stop.sentence(config.suspend)}" for stop in stopped if config is not None),
        ),
        self_play=tuple(repeated),
        overall=overall(games),
        tables=tuple(found),
        suspensions=stopped,
    )


def stored_digest(stored: StoredRun) -> str:
    """The digest of what is stored, whatever the order of rows in its files."""
    digest = RunDigest()
    for part in stored.parts():
        with PartReader(part) as reader:
            digest.add(list(match_digests(sorted_tables(list(reader.tables())))))
    return digest.finish()


def _deals_amiss(config: RunConfig, games: Sequence[GameStandings], finished: bool) -> list[str]:
    """Games that met more deals than their plan has, or fewer though they have met all they will."""
    extents = {plan.game: plan.extent for plan in formats.plan(config).games}
    there = math.inf if config.positions is None else len(config.positions.lines)
    found = []
    for one in games:
        planned = extents.get(GameEntry(one.game, one.rules))
        if planned is None:
            continue
        deals = min(planned.deals, there)
        most = max(deals, config.self_play or 0)
        fewer = finished and one.deals < deals and not (planned.at_most or planned.shares_open)
        if one.deals > most or fewer:
            found.append(f"{one.game}: {one.deals:,} different deals were met, and {deals:,} planned")
    return found


def _suspensions(run: Run, config: RunConfig, stored: StoredRun) -> tuple[Suspension, ...]:
    """Who was suspended; a round that may still be going on decides nothing."""
    counts = StoredRecords(stored).counts()
    latest = {game: max(number for number, other, _ in counts if other == game) for _, game, _ in counts}
    over = "finished" in run.provenance
    found = suspensions(formats.rule(config), counts)
    return tuple(stop for stop in found if over or stop.round < latest[stop.game])


def _config(run: Run) -> RunConfig | None:
    """The run's config; None for a run of another version, or whose games are not here."""
    path = run.folder / "run.toml"
    try:
        config = configs.loads(path.read_text(encoding="utf-8"), folder=run.folder)
        formats.plan(config)
    except (OSError, ValueError):
        return None
    return config


def _options(options: Mapping[str, Any]) -> str:
    """`round_robin, deals = 200`: what a table of run.toml says, in one line."""
    words: Sequence[str] = [
        str(value) if key == "name" else f"{key} = {show(value)}"
        for key, value in options.items()
        if value is False or value not in (None, 0, [], "")
    ]
    return ", ".join(words)
