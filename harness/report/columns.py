"""The columns that every view of a ranking shows, in the order that people know from other tools."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from harness.analysis.overall import Overall
from harness.analysis.words import P_MEANS
from harness.formats import Summary
from harness.report.model import Line, Report, Standings
from harness.wording import counted, one_line, with_rules


class Column(NamedTuple):
    """One column of a ranking for people."""

    title: str
    cell: Callable[[Line], str]
    left: bool = False
    """Text is set left, numbers right."""
    spare: int = 0
    """Where a line is too narrow, columns with the highest number go first; 0 always stays."""


def number(value: float, digits: int) -> str:
    """A number with so many decimals, `-` where there is none; what rounds to nothing has no sign."""
    return f"{value:z.{digits}f}" if math.isfinite(value) else "-"


def with_error(value: float, error: float, digits: int) -> str:
    """`0.61 ± 0.02`, or the value alone where its error is not known."""
    shown = number(value, digits)
    return f"{shown} ± {number(error, digits)}" if math.isfinite(error) else shown


def milliseconds(value: float) -> str:
    """Three digits that matter: `0.0123`, `1.23`, `123`."""
    if not math.isfinite(value):
        return "-"
    if value <= 0:
        return "0"
    return number(value, min(4, max(0, 2 - math.floor(math.log10(value)))))


def _score(line: Line) -> str:
    return with_error(line.statistics.score.value, line.statistics.score.error, 3)


def _results(line: Line) -> str:
    found = line.statistics
    return f"{found.wins}/{found.draws}/{found.losses}"


def _cpu(line: Line) -> str:
    found = line.statistics
    return f"{milliseconds(found.cpu_ms_p50)}/{milliseconds(found.cpu_ms_p95)}"


COLUMNS: Final = (
    Column("Rank (95 %)", lambda line: f"{line.rank}{_ranks(line)}"),
    Column("Bot", lambda line: line.label, left=True),
    Column("Rating ±", lambda line: with_error(line.rating.value, line.rating.error, 2)),
    Column("Games", lambda line: str(line.statistics.games), spare=5),
    Column("Sets", lambda line: str(line.statistics.sets), spare=7),
    Column("Score ±", _score, spare=4),
    Column("Score %", lambda line: number(100 * line.statistics.share.value, 1), spare=2),
    Column("Win/Draw/Loss", _results, spare=3),
    Column("Forfeits", lambda line: str(sum(line.statistics.forfeits.values())), spare=1),
    Column("CPU ms p50/p95", _cpu, spare=6),
)


_MEANINGS: Final = {
    "Rank (95 %)": (
        "Rank: by rating; in brackets between which ranks a bot is, at 95 % confidence for all together. "
        f"{P_MEANS}"
    ),
    "Score ±": "Score ±: mean points a seat and match ± standard error over deals.",
    "Score %": "Score %: share of opposing sides beaten, a tie counting half.",
    "Win/Draw/Loss": "Win: first place, shared with no opposing side.",
    "CPU ms p50/p95": "CPU: a match's mean time of a decision, over matches.",
}


def legend(columns: Iterable[Column]) -> str:
    """What the columns that are shown mean, where their titles do not say it."""
    titles = {column.title for column in columns}
    return " ".join(meaning for title, meaning in _MEANINGS.items() if title in titles)


def seed(report: Report) -> str:
    """The run's seed, or why it is not told."""
    if report.seed_is_secret:
        return "drawn at random, told when the run is over"
    return "-" if report.seed is None else str(report.seed)


def conditions(report: Report) -> list[str]:
    """Under what conditions everything was played, one line each."""
    played = f"{report.matches:,} matches"
    if report.planned is not None and not report.complete:
        played += f" of {report.planned:,} planned: the run is not finished"
    facts = [
        "" if report.seed is None and not report.seed_is_secret else f"seed {seed(report)}",
        report.format,
        f"limits: {report.limits or 'none'}",
        f"isolation: {report.isolation}" if report.isolation else "",
    ]
    lines = [played, ", ".join(fact for fact in facts if fact), f"digest {report.digest}"]
    if alike := [one for one in report.self_play if one.first is None]:
        plays = sum(one.plays for one in alike)
        names = ", ".join(dict.fromkeys(one.bot.name for one in alike))
        matches = f"{plays} match" if plays == 1 else f"{plays} matches"
        lines.append(f"reproducible in {matches} against themselves, each played twice: {names}")
    if report.voids:
        causes = "; ".join(f"{count}: {why}" for why, count in report.void_causes.items())
        lines.append(
            f"{report.voids} void tries, which were the platform's fault and count for nobody ({causes})"
        )
    return lines


def heading(standings: Standings) -> str:
    """`kozyri-duel, deck = "easy"`: the game with the options that were changed."""
    return with_rules(standings.game, standings.rules)


def bounds(ranks: tuple[int, int]) -> str:
    """`2`, or `1 to 4`."""
    return f"{ranks[0]}" if ranks[0] == ranks[1] else f"{ranks[0]} to {ranks[1]}"


def _ranks(line: Line) -> str:
    low, high = line.standing.ranks
    return "" if low == high else f" ({bounds((low, high))})"


def basis(standings: Standings) -> str:
    """What the table rests on."""
    found = standings.found
    return (
        f"{counted(standings.seats, 'seat')}, {counted(found.matches, 'match', 'matches')} in "
        f"{counted(found.sets, 'deal set')} of {counted(found.deals, 'deal')}"
    )


OVERALL: Final = ("Rank (95 %)", "Bot", "Share % (95 %)", "Best")
"""The first columns of a ranking over several games; then come the games."""


def overall_rows(found: Overall) -> list[tuple[str, ...]]:
    """A row a bot: its rank, share and chance of being best, and its share at every game."""
    rows = []
    for bot in found.bots:
        low, high = (number(100 * end, 1) for end in bot.interval)
        rank = f"{bot.rank}" if bot.ranks[0] == bot.ranks[1] else f"{bot.rank} ({bounds(bot.ranks)})"
        own = (rank, bot.label, f"{number(100 * bot.share, 1)} ({low} to {high})", chance(bot.best))
        rows.append((*own, *(number(100 * share, 1) for share in bot.by_game)))
    return rows


def overall_notes(found: Overall) -> list[str]:
    """What the ranking over several games says and rests on."""
    notes = [f"Order over all games: {found.order}.", f"Share: {found.method}."]
    if found.left_out:
        notes.append(f"Left out, because they did not play every game: {', '.join(found.left_out)}.")
    return notes


NUMBERS: Final = 6
"""Bots' own numbers that a report shows; the results have all."""


def own_numbers(standings: Standings) -> Summary | None:
    """A column for each of the numbers that bots recorded about themselves, those of most bots first."""
    kept = Counter(name for own in standings.numbers.values() for name in own)
    names = sorted(kept, key=lambda name: (-kept[name], name))
    if not names:
        return None
    shown, rows = names[:NUMBERS], []
    for line in standings.lines:
        own = standings.numbers.get(line.statistics.entrant)
        if own:
            rows.append((line.label, *(f"{own[name]:.4g}" if name in own else "-" for name in shown)))
    notes = ["Means over matches of what each recorded with seen.metric."]
    if (more := len(names) - NUMBERS) > 0:
        notes.append(f"{more} more are in the column metrics of the results.")
    return Summary("The bots' own numbers", ("Bot", *map(one_line, shown)), tuple(rows), tuple(notes))


def chance(value: float) -> str:
    """`98 %`; never quite nothing or everything unless it is."""
    if not math.isfinite(value):
        return "-"
    if 0 < value < 0.01:
        return "< 1 %"
    return "> 99 %" if 0.99 < value < 1 else f"{100 * value:.0f} %"


def rating_note(standings: Standings) -> str:
    """How the rating's numbers are meant."""
    drawn = standings.rating_details.get("draw_probability")
    note = f"Rating: {standings.rating_title}"
    return note if drawn is None else f"{note}; draw probability from these results: {100 * drawn:.1f} %"


def forfeits(standings: Standings) -> list[str]:
    """Who forfeited and why, one line a bot."""
    found = []
    for line in standings.lines:
        kinds = line.statistics.forfeits
        if kinds:
            words = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
            found.append(f"{line.label} forfeited {sum(kinds.values())} of {line.statistics.games}: {words}")
        if late := line.statistics.late_faults:
            found.append(f"{line.label} failed in end() {late} times, which changed no result")
    return found
