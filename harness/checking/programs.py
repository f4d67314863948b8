"""The check of a bot in another language: its files, the greeting at every table, the steps that play."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.errors import UnknownGame
from harness.bot_files import Facts
from harness.checking.desk import Desk
from harness.checking.examination import Examination
from harness.checking.steps import Failed, Found, Step
from harness.players import measuring
from harness.protocol.messages import PROTOCOL
from harness.submissions import BadBot
from harness.wording import counted


class ProgramExamination(Examination):
    """One program's check, at the game that is wanted, or at every one: it cannot say what it plays."""

    def steps(self) -> Iterator[Step]:
        """Every step as soon as it is done; one that cannot follow from a failed one is skipped."""
        try:
            yield self._step("files", self._files)
            yield self._step("protocol", self._protocol)
            yield from self._playing()
        finally:
            self._end()

    def _files(self) -> Found:
        """What its version is made of."""
        source = self.source
        size = sum(file.stat().st_size for file in source.files)
        names = ", ".join(file.relative_to(source.path).as_posix() for file in source.files)
        return Found(
            f"{counted(len(source.files), 'file')}, {size:,} bytes, version {source.version}: {names}",
            (f"started as {' '.join(source.command)}",),
        )

    def _protocol(self) -> Found:
        """The greeting, at every table: the version, the game and its number of seats."""
        wanted = self.wanted
        self.facts = Facts(self.source.name, "", (wanted.game,) if wanted.game else (), ())
        try:
            self.tables = self._tables()
        except (BadBot, UnknownGame) as error:
            raise Failed(str(error), "`croupier games` has them all") from None
        measuring.measure(wanted.isolation, [self.source])
        self._desk = Desk(
            self.source, isolation=wanted.isolation, allow=(), limits=wanted.limits, seed=self.seed
        )
        for table in self.tables:
            self.desk.starts(
                table.game,
                f"for {table.name}: it must start here, and answer the line `hello` with one line "
                f'{{"type":"ready","protocol":{PROTOCOL}}}, flushed; docs/protocol.md shows it',
            )
        told = ", ".join(table.name for table in self.tables)
        return Found(f"`ready` with protocol {PROTOCOL} for {told} (isolation: {self.desk.isolation})")
