"""Small real runs for the tests of storing, executing and continuing: duels that end after a few moves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from harness import config
from harness.config import RunConfig
from harness.executors.base import BatchResult, Setup
from harness.progress import RunInfo
from harness.run_folder import setup
from harness.store.verify import verify

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 120
"""Seconds until a run must have written something: a Ray cluster needs many on a busy machine."""

RANDOM = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        return self.rng.choice(seen.moves)
"""

SET_ORDER = """
from bots import Bot
class Player(Bot):
    def act(self, seen):
        names = {move.name: move for move in seen.moves}
        return names[next(iter(set(names)))]
"""

FATAL = """
import os, signal
from pathlib import Path
from bots import Bot
class Player(Bot):
    def __init__(self, game, seat, rng, flag, once=True):
        super().__init__(game, seat, rng)
        self.flag, self.once = Path(flag), once
    def act(self, seen):
        if self.flag.exists():
            if self.once:
                self.flag.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.rng.choice(seen.moves)
"""

LETHAL = """
import os, signal, sys
from pathlib import Path
from bots import Bot
class Player(Bot):
    def __init__(self, game, seat, rng, flag):
        super().__init__(game, seat, rng)
        self.flag = Path(flag)
    def act(self, seen):
        if self.flag.exists():  # in a process of its own it kills whoever has started that
            os.kill(os.getppid() if sys.argv == ["bot"] else os.getpid(), signal.SIGKILL)
        return self.rng.choice(seen.moves)
"""

SLOW = """
import time
from bots import Bot
class Player(Bot):
    def act(self, seen):
        time.sleep(0.002)
        return self.rng.choice(seen.moves)
"""

DAWDLER = """
import time
from pathlib import Path
from bots import Bot
class Player(Bot):
    def __init__(self, game, seat, rng, flag):
        super().__init__(game, seat, rng)
        self.flag = Path(flag)
    def act(self, seen):
        if self.flag.exists():
            time.sleep(0.05)
        return self.rng.choice(seen.moves)
"""

MEDDLER = """
import random
from bots import Bot
class Player(Bot):
    def act(self, seen):
        random.seed(1)
        print("x" * 1000)
        return self.rng.choice(seen.moves)
"""


def write_config(
    folder: Path, bots: Sequence[str], *, deals: int = 10, seed: int = 5, options: str = "", cap: int = 30
) -> Path:
    """A round robin of short duels between bots given as source texts; the file's path.

    `options` is the TOML of the last bot's options.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tables = []
    for number, text in enumerate(bots):
        (folder / f"bot{number}.py").write_text(text, encoding="utf-8")
        tables.append(f'[[bots]]\nname = "bot{number}"\npath = "bot{number}.py"\n')
    if options:
        tables[-1] += f"options = {options}\n"
    path = folder / "small.toml"
    path.write_text(
        f'name = "small"\nseed = {seed}\ngame = "kozyri-duel"\n'
        f'rules = {{ cap = {cap}, cap_result = "fewest_cards" }}\n'
        f'format = {{ name = "round_robin", deals = {deals} }}\nisolation = "none"\n' + "".join(tables),
        encoding="utf-8",
    )
    return path


def small_config(
    folder: Path, bots: Sequence[str] = (RANDOM, RANDOM, RANDOM), *, deals: int = 10, options: str = ""
) -> RunConfig:
    """The same, read."""
    return config.read(write_config(folder, bots, deals=deals, options=options))


def setup_of(settings: RunConfig, folder: Path) -> Setup:
    """What workers need for it."""
    return setup(settings, folder, isolation="none")


def digest_of(folder: Path) -> str:
    """The digest of a run that must be in order."""
    found = verify(folder)
    assert found.ok, found.lines
    return found.digest


class Watch:
    """A Progress that remembers."""

    def __init__(self) -> None:
        self.info: RunInfo | None = None
        self.played = 0
        self.notes: list[str] = []
        self.stopped = False

    def start(self, info: RunInfo) -> None:
        self.info = info

    def advance(self, result: BatchResult) -> None:
        self.played += result.played

    def note(self, text: str) -> None:
        self.notes.append(text)

    def stop(self) -> None:
        self.stopped = True


@contextmanager
def started(path: Path, out: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """`croupier run` as a process of its own, ended with everything it started."""
    command = [sys.executable, "-m", "harness", "run", str(path), "--out", str(out), *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_parts(out: Path, count: int, process: subprocess.Popen[str]) -> bool:
    """Wait until a run has written `count` parts; False where it ended before."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if len(list((out / "matches").glob("part-*.parquet"))) >= count:
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.01)
    raise AssertionError(f"{out} has no {count} parts after {PATIENCE} s")


def interrupt(process: subprocess.Popen[str]) -> None:
    """Ctrl-C."""
    process.send_signal(signal.SIGINT)
