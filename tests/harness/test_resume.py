"""Killed or interrupted at any moment, the same command continues; the end is the same."""

from __future__ import annotations

import random
import shlex
import signal
import socket
import time
from pathlib import Path

import pytest

from harness import config, tournament
from harness.store.verify import verify
from tests.harness.small_runs import (
    RANDOM,
    SLOW,
    digest_of,
    interrupt,
    started,
    wait_for_parts,
    write_config,
)

LOCAL = ("--executor", "local", "--workers", "2")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A config of some 300 matches and the digest of its undisturbed run."""
    folder = tmp_path_factory.mktemp("whole")
    path = write_config(folder, [RANDOM, SLOW, RANDOM], deals=50)
    settings = config.read(path)
    return path, tournament.run(settings, out=folder / "run", executor="local", workers=2).digest


def test_a_run_killed_at_three_moments_and_continued_has_the_same_digest(
    whole: tuple[Path, str], tmp_path: Path
) -> None:
    """SIGKILL, each time at a random moment after one more part was written."""
    path, digest = whole
    luck = random.Random(20261130)
    out = tmp_path / "run"
    kills = 0
    for number in range(3):
        with started(path, out, *LOCAL) as process:
            if wait_for_parts(out, number + 1, process):
                time.sleep(luck.uniform(0, 0.3))
                kills += process.poll() is None
                process.kill()
        assert verify(out).ok
    assert kills, "expected to kill it while it ran"
    before = verify(out).matches
    with started(path, out, *LOCAL) as process:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    found = verify(out)
    assert (found.ok, found.digest, found.matches) == (True, digest, 300)
    assert before < 300


def test_ctrl_c_finishes_what_is_in_flight_and_names_the_command_that_continues(
    whole: tuple[Path, str], tmp_path: Path
) -> None:
    path, digest = whole
    out = tmp_path / "run"
    with started(path, out, *LOCAL) as process:
        assert wait_for_parts(out, 1, process)
        interrupt(process)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert 0 < verify(out).matches < 300
    assert verify(out).ok
    command = errors.strip().splitlines()[-1].strip()
    assert shlex.split(command)[:4] == ["python", "-m", "harness", "run"]
    config_path, folder, options = resumed(command)
    assert sorted(options) == sorted(LOCAL)
    tournament.run(config.read(config_path), out=folder, executor="local", workers=2)
    assert digest_of(out) == digest


@pytest.mark.parametrize("workers", [1, 2])
def test_a_second_ctrl_c_stops_at_once_and_keeps_what_was_finished(
    whole: tuple[Path, str], tmp_path: Path, workers: int
) -> None:
    path, digest = whole
    out = tmp_path / "run"
    with started(path, out, "--executor", "local", "--workers", str(workers)) as process:
        assert wait_for_parts(out, 1, process)
        interrupt(process)
        time.sleep(0.05)
        interrupt(process)
        _, errors = process.communicate(timeout=10)
    assert process.returncode == 130, errors
    stopped = verify(out)
    assert 0 < stopped.matches < 300
    assert not stopped.torn
    settings = config.read(path)
    assert tournament.run(settings, out=out, executor="local", workers=2).digest == digest
    assert verify(out).ok


def test_a_second_start_on_the_same_folder_is_refused_at_once_and_the_first_goes_on(
    whole: tuple[Path, str], tmp_path: Path
) -> None:
    """Two processes."""
    path, digest = whole
    out = tmp_path / "run"
    with started(path, out, *LOCAL) as first:
        assert wait_for_parts(out, 1, first)
        # However long the second one takes to start, the first has not ended.
        first.send_signal(signal.SIGSTOP)
        with started(path, out, *LOCAL) as second:
            _, refused = second.communicate(timeout=60)
        first.send_signal(signal.SIGCONT)
        assert second.returncode == 2
        assert refused.strip() == (
            f"croupier: {out} is being written by process {first.pid} on {socket.gethostname()}: "
            f"wait until that run ends, or name another folder"
        )
        _, errors = first.communicate(timeout=120)
        assert first.returncode == 0, errors
    assert digest_of(out) == digest


def resumed(command: str) -> tuple[Path, Path, list[str]]:
    """The config, folder and options of a command that a run has printed."""
    words = shlex.split(command)[4:]
    at = words.index("--out")
    return Path(words[0]), Path(words[at + 1]), [*words[1:at], *words[at + 2 :]]
