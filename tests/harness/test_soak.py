"""Nothing lost, nothing twice, at full count: minutes long, run by `make soak`.

The same faults a few times each are in test_resume.py, test_continue.py and test_repair.py.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from harness import config, tournament
from harness.store.repair import repair
from harness.store.verify import verify
from tests.harness.small_runs import RANDOM, SLOW, digest_of, started, write_config

pytestmark = pytest.mark.slow

KILLS = 50
TRUNCATIONS = 50
LOCAL = ("--executor", "local", "--workers", "2")


def ids(out: Path) -> list[str]:
    """The match ids as any reader of Parquet finds them, part by part."""
    found: list[str] = []
    for path in (out / "matches").glob("part-*.parquet"):
        table = pq.read_table(path, columns=["match_id"], partitioning=None)
        found += [str(match_id) for match_id in table.column(0).to_pylist()]
    return found


def killed_at_random(process: subprocess.Popen[str], out: Path, luck: random.Random) -> bool:
    """SIGKILL up to three seconds after the run took its folder's lock; False where it had ended before."""
    lock, until = out / ".lock", time.monotonic() + 60
    ours = f"process {process.pid} "
    while process.poll() is None and time.monotonic() < until:
        if lock.exists() and lock.read_text(encoding="utf-8").startswith(ours):
            break
        time.sleep(0.01)
    time.sleep(luck.uniform(0.0, 3.0))
    alive = process.poll() is None
    process.kill()
    process.wait()
    return alive


def test_fifty_kills_of_the_driver_at_random_moments_change_nothing(tmp_path: Path) -> None:
    path = write_config(tmp_path, [RANDOM, SLOW, RANDOM], deals=60)
    settings = config.read(path)
    whole = tournament.run(settings, out=tmp_path / "whole", executor="local", workers=2)
    luck = random.Random(50)
    kills = runs = starts = amid = before = 0
    while kills < KILLS:
        assert starts < 10 * KILLS, f"{kills} kills in {starts} starts"
        out = tmp_path / f"run{runs}"
        starts += 1
        with started(path, out, *LOCAL) as process:
            killed = killed_at_random(process, out, luck)
        kills += killed
        found = verify(out)
        assert (found.torn, found.duplicates) == ([], []), found.lines
        amid += killed and found.matches > before
        before = found.matches if killed else 0
        if not killed:
            assert found.digest == whole.digest
            assert len(ids(out)) == len(set(ids(out))) == whole.matches_total
            runs += 1
    last = tmp_path / f"run{runs}"
    assert tournament.run(settings, out=last, executor="local", workers=2).digest == whole.digest
    assert len(ids(last)) == len(set(ids(last))) == whole.matches_total
    assert amid, "expected to kill it while it played"
    print(f"{kills} kills, {amid} of them after new results, {runs + 1} runs played to their end")


def test_kills_while_bots_join_and_change_lose_nothing(tmp_path: Path) -> None:
    """Each time another bot joins, the start that renumbers the run is killed, three times over."""
    bots = [RANDOM, SLOW]
    luck = random.Random(51)
    out = tmp_path / "run"
    kills = 0
    for number in range(5):
        bots.append(RANDOM if number % 2 else SLOW)
        path = write_config(tmp_path, bots[::-1] if number % 2 else bots, deals=8)
        for _ in range(3):
            with started(path, out, *LOCAL) as process:
                kills += killed_at_random(process, out, luck)
    settings = config.read(path)
    again = tournament.run(settings, out=out, executor="local", workers=2)
    fresh = tournament.run(settings, out=tmp_path / "fresh", executor="local", workers=2)
    assert kills > 3
    assert again.digest == fresh.digest == digest_of(out)
    assert len(ids(out)) == len(set(ids(out))) == fresh.matches_total


def test_fifty_truncations_at_random_offsets_change_nothing(tmp_path: Path) -> None:
    """One to four files of a run of many parts; half of them repaired first, half left to the next start."""
    settings = config.read(write_config(tmp_path, [RANDOM] * 3, deals=8))
    whole = tmp_path / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.store.parquet.FLUSH_SECONDS", (0.0, 0.0))
        patch.setattr("harness.store.parquet.compaction.compact", lambda folder: 0)
        digest = tournament.run(settings, out=whole, executor="local", workers=1).digest
    luck = random.Random(52)
    for number in range(TRUNCATIONS):
        out = tmp_path / "run"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(whole, out)
        files = sorted(out.glob("*/part-*.parquet"))
        assert len(files) > 8
        for path in luck.sample(files, luck.randint(1, 4)):
            path.write_bytes(path.read_bytes()[: luck.randrange(path.stat().st_size)])
        assert not verify(out).ok
        if number % 2:
            assert repair(out).aside
            assert verify(out).ok
        tournament.run(settings, out=out, executor="local", workers=1)
        assert digest_of(out) == digest
        assert len(ids(out)) == len(set(ids(out))) == 48
