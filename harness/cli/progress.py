"""What `croupier run` shows while it plays, on stderr: first lines, a bar, live standings."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Final

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from harness.cli.common import counted, room
from harness.wording import one_line, with_rules

if TYPE_CHECKING:
    from harness.executors.base import BatchResult
    from harness.progress import RunInfo

SHOWN: Final = 8
"""Bots a game that the live standings have room for."""
ALIKE: Final = 3
"""Notes that differ in numbers only and are shown one by one."""


class Speed(ProgressColumn):
    """Matches per second, of late."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(
            "" if speed is None else f"{speed:,.0f} matches/s" if speed >= 10 else f"{speed:.1f} matches/s"
        )


class Watcher:
    """Shows a run. Where stderr is no terminal there are lines for what happens, and no bar."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.notes = 0
        """How many notes there were."""
        self._alike: Counter[str] = Counter()
        self._standings = Scores()
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            Speed(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self._live = Live(console=console, refresh_per_second=4, get_renderable=self._shown, transient=True)

    def start(self, info: RunInfo) -> None:
        """The first lines, then the bar."""
        for line in opening(info):
            self._say(line)
        for text in info.notes:
            self.note(text)
        self._task = self._bar.add_task("", total=info.matches, completed=info.stored)
        if self.console.is_terminal:
            self._live.start()

    def advance(self, result: BatchResult) -> None:
        """Move the bar."""
        self._bar.advance(self._task, result.played)
        self._standings.add(result)
        for text in irreproducible(result):
            self.note(text)

    def note(self, text: str) -> None:
        """One line, above the bar; of notes that are much alike only the first few."""
        self.notes += 1
        text = one_line(text)
        kind = re.sub(r"\d+", "#", text)
        self._alike[kind] += 1
        if self._alike[kind] <= ALIKE:
            self._say(f"Note: {text}")

    def stop(self) -> None:
        """Take the bar away."""
        if self._live.is_started:
            self._live.stop()
        for kind, count in self._alike.items():
            if count > ALIKE:
                self._say(f"Note: {count - ALIKE:,} more like this: {kind}")
        self._alike.clear()

    def _say(self, text: str) -> None:
        for part in fitted(text, room(self.console)):
            self.console.print(escape(part), highlight=False, soft_wrap=True)

    def _shown(self) -> Group:
        return Group(self._bar.get_renderable(), *self._standings.tables())


def irreproducible(result: BatchResult) -> list[str]:
    """What a batch of self-play says of bots that played the same match in two ways."""
    if not any(spec.round == 0 for spec in result.batch.specs):
        return []
    from harness.analysis import reproducible
    from harness.executors.base import records

    found = reproducible.check(record for record in records(result) if record.spec.round == 0)
    return [str(one) for one in found if one.first is not None]


class Scores:
    """Mean scores so far, by game and bot: of the matches of this start."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[str, tuple[int, float, int]]] = {}

    def add(self, result: BatchResult) -> None:
        """Take in what a batch brought."""
        for (game, bot), tally in result.tallies.items():
            games, score, faults = self._sums.setdefault(game, {}).get(bot, (0, 0.0, 0))
            self._sums[game][bot] = (games + tally.games, score + tally.score, faults + tally.faults)

    def tables(self) -> list[Table]:
        """One small table a game."""
        return [self._table(game, bots) for game, bots in sorted(self._sums.items())]

    def _table(self, game: str, bots: dict[str, tuple[int, float, int]]) -> Table:
        table = Table(
            box=None, padding=(0, 2, 0, 0), title_justify="left", title=f"{game}, so far", title_style=""
        )
        table.add_column("Bot")
        for title in ("Mean score", "Seats", "Faults"):
            table.add_column(title, justify="right")
        ordered = sorted(bots.items(), key=lambda item: (-item[1][1] / max(1, item[1][0]), item[0]))
        for bot, (games, score, faults) in ordered[:SHOWN]:
            table.add_row(escape(bot), f"{score / max(1, games):.3f}", f"{games:,}", f"{faults:,}")
        if len(ordered) > SHOWN:
            table.add_row(f"and {len(ordered) - SHOWN} more")
        return table


def fitted(line: str, width: int | None) -> list[str]:
    """A line in parts that a terminal has room for, those after the first set in; whole where it is none."""
    if width is None or len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    joined = line.replace(" (", "\xa0(")  # a name and its digest stay together
    parts = textwrap.wrap(
        joined, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [part.replace("\xa0", " ") for part in parts]


def opening(info: RunInfo) -> list[str]:
    """The conditions of a run in a few lines."""
    from harness.records import Limits

    names = Limits.__slots__
    limits = ", ".join(f"{n} = {v:g}" for n in names if (v := getattr(info.limits, n)))
    most = "at most " if info.at_most else ""
    played = f"{most}{counted(info.sets, 'deal set')}, {counted(info.matches, 'match', 'matches')}"
    if info.self_play:
        played += f", {info.self_play:,} of them in self-play"
    workers = f"; {counted(info.workers, 'worker')} ({info.executor})" if info.executor else ""
    seed = "a seed drawn at random" if info.seed_drawn else f"seed {info.seed}"
    lines = [
        f"{info.name}: {info.format}, {seed}, {played}",
        f"  limits: {limits or 'none'}; isolation: {info.isolation}{workers}",
    ]
    for game in info.games:
        lines.append(
            f"  {with_rules(game.name, game.rules)}, rules version {game.version}: "
            f"{'at most ' if game.at_most else ''}{game.deals}; "
            f"{counted(game.sets, 'deal set')}, {counted(game.matches, 'match', 'matches')}"
        )
    lines.append("  bots: " + ", ".join(f"{ref.name} ({ref.version})" for ref in info.bots))
    if info.timed is not None:
        lines.append(
            f"  {info.timed.option} = {info.timed.number:,} was chosen for --time {info.timed.asked}"
        )
    lines += [f"  {change}" for change in info.changes]
    if info.sources:
        places = ", ".join(str(place) for place in info.sources)
        lines.append(f"  what {places} has already is taken over")
    if info.stored:
        lines.append(f"  continuing in {info.folder}: {info.stored:,} matches are stored already")
    return lines
