"""The log folder stays small: bots that print a lot, past Python too, and workers that die all the time."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import logs, tournament
from tests.harness.small_runs import RANDOM, small_config

LOUD = """
import os
from bots import Bot
class Player(Bot):
    def act(self, seen):
        os.write(1, b"y" * 20_000)
        print("x" * 20_000)
        return self.rng.choice(seen.moves)
"""

MORTAL = """
import os
from pathlib import Path
from bots import Bot
class Player(Bot):
    def __init__(self, game, seat, rng, flags):
        super().__init__(game, seat, rng)
        self.flags = Path(flags)
    def act(self, seen):
        os.write(1, b"z" * 20_000)
        for flag in self.flags.iterdir():
            try:
                flag.unlink()
            except FileNotFoundError:
                continue
            os._exit(3)
        return self.rng.choice(seen.moves)
"""


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> int:
    """A limit that a small run exceeds many times, looked at all the time."""
    monkeypatch.setattr(logs, "_EVERY", 0.0)
    monkeypatch.setattr(logs.Logs.__init__, "__defaults__", (200_000,))
    return 200_000


def test_bots_that_print_without_end_leave_a_short_log(tmp_path: Path, short: int) -> None:
    settings = small_config(tmp_path, [LOUD, LOUD])
    tournament.run(settings, out=tmp_path / "run", executor="local", workers=2)
    found = tmp_path / "run" / "logs"
    assert 0 < size(found) <= short
    assert b"[cut: this run's logs" in b"".join(path.read_bytes() for path in found.iterdir())


def test_workers_that_die_again_and_again_share_their_places_logs(tmp_path: Path) -> None:
    flags = tmp_path / "flags"
    flags.mkdir()
    for number in range(2):
        (flags / str(number)).touch()
    settings = small_config(tmp_path, [RANDOM, MORTAL], options=f'{{ flags = "{flags}" }}')
    tournament.run(settings, out=tmp_path / "run", executor="local", workers=2)
    assert not list(flags.iterdir()), "expected two workers to die"
    assert len(list((tmp_path / "run" / "logs").glob("worker-*"))) == 2
