"""A check from its first step to its last, and the passport that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from typing import Final

import engines
from bots.core.claims import Claim, claims
from bots.core.testing import tables as tables_of
from engines.core.errors import UnknownGame
from harness import bot_files, submitted
from harness.bot_files import Facts
from harness.checking import imports, playing
from harness.checking.desk import Desk
from harness.checking.playing import Table
from harness.checking.steps import Failed, Found, Skipped, Status, Step
from harness.checking.typed import Reading
from harness.luck import addressed
from harness.passport import Passport
from harness.records import Limits
from harness.submissions import BadBot, NotPython, Source, check_syntax

NEEDED: Final = frozenset({"files", "imports", "protocol", "plays"})
"""Steps without which a bot cannot take part at all."""
LIMITS: Final = Limits(cpu_ms=5_000, memory_mb=1_024)
"""What a seat may spend in a check: more than most events allow, and an end to a bot that hangs."""


@dataclass(frozen=True)
class Wanted:
    """How a check is to be done."""

    game: str | None = None
    """Only this game, also with seats: `code777:3-5`."""
    isolation: str = "auto"
    allow: tuple[str, ...] = ()
    """Modules that it may import beside the standard library."""
    limits: Limits = LIMITS
    seed: int | None = None
    """Of the deals and the bots' luck; None for one that follows from the bot's version: the same each time,
    and another for every bot."""
    seconds: float = 10.0
    """About how long playing may take: a table with little time gets fewer deals."""


@dataclass
class Examination:
    """One bot's check. `steps` does it; what was found is here when it is over."""

    source: Source
    wanted: Wanted = field(default_factory=Wanted)
    done: list[Step] = field(default_factory=list)
    _desk: Desk | None = None

    def steps(self) -> Iterator[Step]:
        """Every step as soon as it is done; one that cannot follow from a failed one is skipped."""
        reading = None
        try:
            yield self._step("files", self._files)
            if not self.failed:
                reading = Reading(self.source)
            yield self._step("imports", self._imports)
            yield self._step("protocol", self._protocol)
            yield self._step("types", reading.result if reading else _not_read)
            yield from self._playing()
        finally:
            if reading is not None:
                reading.stop()
            self._end()

    def _playing(self) -> Iterator[Step]:
        """The steps that play."""
        yield self._step("plays", self._plays)
        yield self._step("deterministic", lambda: playing.deterministic(self.desk, self.tables))
        yield self._step("duplicate", lambda: playing.in_duplicate(self.desk, self.tables))
        yield self._step(
            "baselines", lambda: playing.baselines(self.desk, self.tables, self.wanted.seconds / 2)
        )

    def _end(self) -> None:
        """End what was started."""
        if self._desk is not None:
            self._desk.close()

    @property
    def desk(self) -> Desk:
        """Where it plays; there once the protocol is in order."""
        if self._desk is None:
            raise RuntimeError("a bot that keeps no protocol has no table")
        return self._desk

    @property
    def seed(self) -> int:
        """What deals and luck follow from."""
        if self.wanted.seed is not None:
            return self.wanted.seed
        return addressed("check", self.source.version)

    @property
    def failed(self) -> list[Step]:
        """The steps that failed."""
        return [step for step in self.done if step.status is Status.failed]

    @property
    def can_play(self) -> bool:
        """Whether no step failed that a bot needs to take part."""
        return not any(step.name in NEEDED for step in self.failed)

    def passport(self, name: str, author: str) -> Passport:
        """What was found, to be kept with its files."""
        files = [
            file.relative_to(self.source.path).as_posix() if self.source.path.is_dir() else "bot.py"
            for file in self.source.files
        ]
        status = {step.name: step.status for step in self.done}
        return Passport(
            name=name,
            version=self.source.version,
            author=author,
            about=self.facts.about,
            games=self.facts.games,
            options=self.facts.options,
            files=tuple(files),
            submitted=submitted.now(),
            croupier=_version(),
            isolation=self.desk.isolation,
            deterministic=status["deterministic"] is Status.passed,
            cancels=status["duplicate"] is Status.passed,
            types=status["types"].value,
            memory_mb=round(self.desk.peak_kb / 1024, 1) or None,
            measured=tuple(table.measured(self.desk.bot) for table in self.tables),
        )

    def _step(self, name: str, make: Callable[[], Found]) -> Step:
        number = len(self.done) + 1
        if any(step.name in NEEDED for step in self.failed):
            step = Step(number, name, Status.skipped, "needs what failed above")
        else:
            try:
                found = make()
                step = Step(number, name, Status.passed, found.said, found.details, output=found.output)
            except Failed as failed:
                step = Step(
                    number, name, Status.failed, failed.said, failed.details, failed.advice, failed.output
                )
            except Skipped as skipped:
                step = Step(number, name, Status.skipped, str(skipped))
        self.done.append(step)
        return step

    def _files(self) -> Found:
        """Files that are Python."""
        try:
            check_syntax(self.source)
        except NotPython as error:
            raise Failed(str(error), error.advice) from None
        count = len(self.source.files)
        size = sum(file.stat().st_size for file in self.source.files)
        return Found(f"{count} file{'s' if count > 1 else ''}, {size:,} bytes, version {self.source.version}")

    def _imports(self) -> Found:
        """Modules that will be there."""
        return imports.examine(self.source, self.wanted.allow)

    def _protocol(self) -> Found:
        """One class with act and games that there are, which starts when it is seated."""
        try:
            self.facts: Facts = bot_files.facts(self.source)
            self.tables = self._tables()
        except (BadBot, UnknownGame) as error:
            raise Failed(str(error), "see docs/bots.md: a bot is one class with games and act") from None
        wanted = self.wanted
        self._desk = Desk(
            self.source,
            isolation=wanted.isolation,
            allow=wanted.allow,
            limits=wanted.limits,
            seed=self.seed,
        )
        self.desk.starts(
            self.tables[0].game, "its top level, __init__ with (game, seat, rng) alone, and end must work"
        )
        said = ", ".join(self.facts.games) or "every game"
        options = "" if self.facts.options == () else f"; options {', '.join(self.facts.options or ['any'])}"
        locked = f" (isolation: {self.desk.isolation})"
        return Found(f"class {self.facts.kind} plays {said}{options}; it starts{locked}")

    def _tables(self) -> list[Table]:
        """Every game and number of seats that it claims, or those of the game asked for."""
        own = claims(self.facts.games) or tuple(Claim(name) for name in engines.available())
        try:
            games = [game for claim in own for game in tables_of(claim)]
        except UnknownGame as error:
            raise BadBot(f"{self.source.path}: {self.facts.kind}.games: {error}") from None
        only = Claim.parse(self.wanted.game) if self.wanted.game else None
        wanted = [game for game in games if only is None or only.covers(game.name, game.seats)]
        if not wanted:
            said = f"{self.facts.kind} plays {', '.join(self.facts.games) or 'every game'}"
            if games:
                raise Failed(
                    f"{said}, which is not {self.wanted.game}", "give --game one of those, or leave it out"
                )
            there = [f"{game.name}:{game.seats}" for claim in own for game in tables_of(Claim(claim.game))]
            raise BadBot(f"{said}: there is no such table; there are {', '.join(there)}")
        return [Table(playing.brisk(game)) for game in dict.fromkeys(wanted)]

    def _plays(self) -> Found:
        return playing.every_table(self.desk, self.tables, self.wanted.seconds / 4)


def _not_read() -> Found:
    raise Skipped("needs what failed above")


def _version() -> str:
    try:
        return metadata.version("croupier")
    except metadata.PackageNotFoundError:
        return "(source tree)"
