"""Bots from their source texts, seated in real processes."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import engines
from engines.core.game import Game
from harness import submissions
from harness.match import play_match
from harness.players.isolated import IsolatedPlayer
from harness.players.local import LocalPlayer
from harness.players.maker import code_of, own_files
from harness.players.spawner import Spawner
from harness.records import BotRef, Limits, MatchRecord, MatchSpec
from harness.submissions import Source

DUEL = engines.load("kozyri-duel", cap=30, cap_result="fewest_cards")
FIRST = """
from bots import Bot
class First(Bot):
    def act(self, seen):
        return seen.moves[0]
"""


def bot(body: str, before: str = "") -> str:
    """The text of a bot whose `act` has these lines."""
    lines = "\n".join(f"        {line}" for line in body.strip().splitlines())
    return f"{before}\nfrom bots import Bot\nclass Mine(Bot):\n    def act(self, seen):\n{lines}\n"


MISDEEDS = (
    (bot("raise KeyError(7)"), "exception", "raised KeyError: 7 (it.py line 5)"),
    (bot("return 10**40"), "illegal", "played move"),
    (bot("import os\nos._exit(3)"), "crash", "ended itself in act() (exit code 3)"),
    (
        bot("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"),
        "crash",
        "was ended by SIGSEGV in act()",
    ),
    (bot("while True: pass"), "time", "of CPU for a move; the limit is 100 ms"),
    (bot("return 0", "import os; os._exit(0)"), "start", "ended itself while it started (exit code 0)"),
    (bot("return 0", "import pandas"), "start", "what the config's `allow` names"),
)
"""What a bot does wrong on any system, at 100 ms a move; the kind of its fault, and words of its line."""


def written(folder: Path, name: str, text: str) -> Source:
    """A bot of one file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return submissions.at(path)


@contextmanager
def spawner(level: str, *sources: Source, allow: Sequence[str] = ()) -> Iterator[Spawner]:
    """A zygote for these bots."""
    found = Spawner(level, own=[path for source in sources for path in own_files(source)], allow=allow)
    try:
        yield found
    finally:
        found.close()


def seated(
    spawned: Spawner, source: Source, limits: Limits | None = None, options: Mapping[str, Any] | None = None
) -> IsolatedPlayer:
    """A player for it; what it prints is in its `said`."""
    said: list[str] = []
    player = IsolatedPlayer(spawned, code_of(source), options, limits, printed=said.append)
    player.said = said  # type: ignore[attr-defined]  # for the test alone
    return player


def spec(game: Game[Any, Any], sources: Sequence[Source], limits: Limits | None = None) -> MatchSpec:
    """A match of these bots."""
    return MatchSpec(
        id="000000-000000-00",
        game=game.name,
        rules="{}",
        deal=f"{game.name}/0",
        luck=7,
        round=0,
        line_up=0,
        seating=0,
        seats=tuple(BotRef(source.name, source.version) for source in sources),
        limits=limits or Limits(),
    )


def play(
    spawned: Spawner, *sources: Source, game: Game[Any, Any] = DUEL, limits: Limits | None = None
) -> MatchRecord:
    """A match with every bot in a seat of its own."""
    players = [seated(spawned, source, limits) for source in sources]
    return play_match(spec(game, sources, limits), game, players)


def play_here(*sources: Source, game: Game[Any, Any] = DUEL) -> MatchRecord:
    """The same match in this process."""
    return play_match(spec(game, sources), game, [LocalPlayer(submissions.bot_type(s)) for s in sources])


def faults(record: MatchRecord) -> list[tuple[int, str]]:
    """Who was at fault, and how."""
    return [(number, fault.kind) for number, seat in enumerate(record.seats) for fault in seat.faults]


def detail(record: MatchRecord, seat: int = 0) -> str:
    """What a seat's author is told first."""
    return record.seats[seat].faults[0].detail


@functools.cache
def best() -> str:
    """The strongest level of this machine."""
    found = Spawner()
    found.close()
    return found.level
