"""A small event whose config changes between its runs."""

from __future__ import annotations

from pathlib import Path

from harness import config, tournament
from harness.tournament import RunResult
from tests.harness.small_runs import RANDOM, Watch, write_config

SET = 2
"""Matches in the deal set of a duel."""
DEALS = 6


def bot(number: int, path: str | None = None) -> str:
    """A `[[bots]]` table."""
    return f'[[bots]]\nname = "bot{number}"\npath = "{path or f"bot{number}.py"}"\n'


class Event:
    """A config in a folder of its own, to be changed between runs."""

    def __init__(self, folder: Path, *, bots: int = 3, head: str = "", form: str = "") -> None:
        self.folder = folder
        self.path = write_config(folder, [RANDOM] * bots, deals=DEALS)
        text = self.path.read_text(encoding="utf-8")
        self.head = text.split("[[bots]]")[0]
        if form:
            self.head = self.head.replace(f'name = "round_robin", deals = {DEALS}', form)
        self.seated = list(range(bots))
        self.head += head
        for number in (3, 4):
            (folder / f"bot{number}.py").write_text(RANDOM, encoding="utf-8")

    def change(self, before: str, after: str) -> None:
        """Put another text into the config's head."""
        assert before in self.head
        self.head = self.head.replace(before, after)

    def run(self, out: str | None = "run", workers: int = 1) -> RunResult:
        """Play or continue it."""
        self.path.write_text(self.head + "".join(map(bot, self.seated)), encoding="utf-8")
        place = None if out is None else self.folder / out
        watch = Watch()
        return tournament.run(
            config.read(self.path), out=place, executor="local", workers=workers, progress=watch
        )

    def digest_of_fresh_run(self) -> str:
        """What the config as it is now comes to when nothing was played before."""
        return self.run("fresh").digest
