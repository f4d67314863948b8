"""The tables of a report as plain values, made from a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines.core.rules import show
from harness import config as configs
from harness import formats, ratings
from harness.analysis import reproducible
from harness.analysis.frames import Run
from harness.analysis.reproducible import Repeated
from harness.analysis.results import Entrant, results
from harness.analysis.statistics import BotStatistics, by_bot
from harness.analysis.tables import Table, tables
from harness.comparable import doubts
from harness.config_values import GameEntry, RunConfig
from harness.formats import Summary
from harness.ratings.core import Rating
from harness.records import MatchRecord
from harness.store.digest import RunDigest, match_digests
from harness.store.parts import PartReader, sorted_tables
from harness.store.reading import StoredRun, steady

SAME: Final = 9
"""Decimals to which two orders are equal, so that rounding does not part a tie."""


@dataclass(frozen=True)
class Line:
    """One bot in one table."""

    rank: int
    """1 + the number of bots that are rated higher; equal ratings share a rank."""
    label: str
    """The bot's name; with its version where a name has several in this run."""
    rating: Rating
    statistics: BotStatistics


@dataclass(frozen=True)
class Standings:
    """The ranking of one game under one set of rules."""

    game: str
    rules: str
    """Options that differ from the defaults, as canonical JSON."""
    seats: int
    matches: int
    sets: int
    deals: int
    rating: str
    """The rating method's name."""
    rating_title: str
    """What its numbers are, in words."""
    rating_details: Mapping[str, float]
    lines: tuple[Line, ...]
    summary: Summary | None = None
    """Standings of the format's own: a Swiss table, a bracket."""


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
    format: str
    limits: str
    isolation: str
    standings: tuple[Standings, ...]
    warnings: tuple[str, ...]
    self_play: tuple[Repeated, ...] = ()
    """What came of each bot's playing itself on the same deals twice; empty where that was not asked for."""

    @property
    def complete(self) -> bool:
        """Whether everything that was planned is in the tables."""
        return self.planned is None or self.matches >= self.planned


def build(run: Run, rating: str = "trueskill") -> Report:
    """The report of a run; raises UnknownRating."""
    method = ratings.method(rating)
    found = tables(run)
    stored = StoredRun(run.folder)
    config = _config(run)
    summaries = {} if config is None else steady(lambda: formats.summaries(config, _Records(stored)))
    standings = tuple(
        _standings(table, rating, method, summaries.get(GameEntry(table.game, table.rules)))
        for table in found
    )
    matches = sum(len(table) for table in found)
    repeated = steady(lambda: reproducible.of_run(run.folder)) if config is not None else []
    planned = None if config is None else steady(lambda: formats.total(config, _Records(stored)))
    return Report(
        run=run.name,
        digest=steady(lambda: stored_digest(stored)),
        matches=matches,
        planned=planned,
        voids=len(stored.voids()),
        seed=run.config.get("seed"),
        format=_options(run.config.get("format", {})),
        limits=_options(run.config.get("limits", {})),
        isolation=str(run.provenance.get("isolation", run.config.get("isolation", ""))),
        standings=standings,
        warnings=(
            *run.warnings,
            *(f"{table.game}: {doubt}" for table in found for doubt in _doubts(table)),
            *(str(one) for one in repeated if one.first is not None),
            *([] if config is None else _deals_amiss(config, standings, planned == matches)),
        ),
        self_play=tuple(repeated),
    )


def stored_digest(stored: StoredRun) -> str:
    """The digest of what is stored, whatever the order of rows in its files."""
    digest = RunDigest()
    for part in stored.parts():
        with PartReader(part) as reader:
            digest.add(list(match_digests(sorted_tables(list(reader.tables())))))
    return digest.finish()


def _standings(table: Table, rating: str, method: ratings.Method, summary: Summary | None) -> Standings:
    rated = method.rate(results(table.played()))
    versions = Counter(entrant.bot for entrant in table.entrants)
    statistics = [found for found in by_bot(table) if found.games]
    order = {s.entrant: round(rated.ratings[s.entrant].order, SAME) for s in statistics}
    lines = [
        Line(
            rank=1 + sum(other > order[s.entrant] for other in order.values()),
            label=_label(s.entrant, versions),
            rating=rated.ratings[s.entrant],
            statistics=s,
        )
        for s in statistics
    ]
    return Standings(
        game=table.game,
        rules=table.rules,
        seats=table.seats,
        matches=len(table),
        sets=len({match_id.rpartition("-")[0] for match_id in table.match_ids}),
        deals=len(set(table.deals)),
        rating=rating,
        rating_title=method.TITLE,
        rating_details=dict(rated.details),
        lines=tuple(sorted(lines, key=lambda line: (line.rank, line.label))),
        summary=summary,
    )


def _label(entrant: Entrant, versions: Mapping[str, int]) -> str:
    return entrant.bot if versions[entrant.bot] == 1 else f"{entrant.bot}@{entrant.version}"


def _deals_amiss(config: RunConfig, standings: Sequence[Standings], finished: bool) -> list[str]:
    """Games that met more deals than their plan has, or fewer though they have met all they will."""
    plans = {(plan.game.name, plan.game.rules): plan for plan in formats.plan(config).games}
    found = []
    for one in standings:
        plan = plans.get((one.game, one.rules))
        if plan is None:
            continue
        most = max(plan.deals, config.self_play or 0)
        fewer = finished and one.deals < plan.deals and not (plan.at_most or plan.shares_open)
        if one.deals > most or fewer:
            found.append(f"{one.game}: {one.deals:,} different deals were met, and {plan.deals:,} planned")
    return found


def _doubts(table: Table) -> list[str]:
    """Whom this game's results cannot tell apart."""
    return doubts(dict.fromkeys(match.arrangement.sides for match in table.played()))


def _config(run: Run) -> RunConfig | None:
    """The run's config; None for a run of another version, or whose games are not here."""
    path = run.folder / "run.toml"
    try:
        config = configs.loads(path.read_text(encoding="utf-8"), folder=run.folder)
        formats.plan(config)
    except (OSError, ValueError):
        return None
    return config


class _Records:
    """The stored records, as often as they are gone through."""

    def __init__(self, stored: StoredRun) -> None:
        self._stored = stored

    def __iter__(self) -> Iterator[MatchRecord]:
        return self._stored.records()


def _options(options: Mapping[str, Any]) -> str:
    """`round_robin, deals = 200`: what a table of run.toml says, in one line."""
    words: Sequence[str] = [
        str(value) if key == "name" else f"{key} = {show(value)}"
        for key, value in options.items()
        if value is False or value not in (None, 0, [], "")
    ]
    return ", ".join(words)
