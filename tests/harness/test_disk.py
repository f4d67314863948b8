"""A disk that fills up or goes read-only stops a run with one line; mended, the same command ends it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import config, formats, tournament, worker
from harness.executors.base import Batch
from harness.executors.local import InProcess
from harness.store.tables import match_ids
from tests.harness.small_runs import (
    MEDDLER,
    RANDOM,
    ROOT,
    SLOW,
    digest_of,
    setup_of,
    small_config,
    wait_for_parts,
    write_config,
)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(place)]
    if shutil.which("mount") is None or subprocess.call(command, stderr=subprocess.DEVNULL):
        pytest.skip("mounting a small file system needs root")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def started(path: Path, out: Path, *prefix: str) -> subprocess.Popen[str]:
    command = [*prefix, sys.executable, "-m", "harness", "run", str(path), "--out", str(out)]
    return subprocess.Popen(
        [*command, "--executor", "local", "--workers", "1"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> str:
    """What a run that must fail says on stderr."""
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert "Traceback" not in errors
    return errors


def continued(path: Path, out: Path, tmp_path: Path) -> None:
    """The same command, and a run that had no trouble, come to the same."""
    settings = config.read(path)
    mended = tournament.run(settings, out=out, executor="local", workers=1)
    calm = tournament.run(settings, out=tmp_path / "calm", executor="local", workers=1)
    assert mended.digest == calm.digest == digest_of(out)


def fill(place: Path) -> None:
    with (place / "filler").open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 512, 1):
            with contextlib.suppress(OSError):
                for _ in range(10_000):
                    file.write(b"x" * size)


def test_a_disk_that_fills_up_in_the_middle_stops_the_run_and_loses_nothing(
    small_disk: Path, tmp_path: Path
) -> None:
    path = write_config(tmp_path, [SLOW, RANDOM], deals=30)
    out = small_disk / "run"
    process = started(path, out)
    assert wait_for_parts(out, 1, process)
    fill(small_disk)

    assert "No space left on device; that mended, the same command continues" in ended(process)
    kept = len(list((out / "matches").glob("part-*.parquet")))
    assert kept > 0
    assert "No space left" in ended(started(path, out)), "still full"
    (small_disk / "filler").unlink()
    continued(path, out, tmp_path)


def test_a_limit_on_the_size_of_files_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    path = write_config(tmp_path, [RANDOM, RANDOM], deals=150)
    out = tmp_path / "run"
    process = started(path, out, "bash", "-c", 'ulimit -f 12 && exec "$@"', "limited")

    assert "File too large; that mended, the same command continues" in ended(process)
    continued(path, out, tmp_path)


@pytest.mark.slow
def test_a_folder_that_goes_read_only_in_the_middle_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    prefix: tuple[str, ...] = ()
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root writes anywhere, and setpriv is not here to take that from it")
        prefix = ("setpriv", "--bounding-set", "-dac_override,-fowner", "--inh-caps", "-all")
    path = write_config(tmp_path, [SLOW, RANDOM], deals=30)
    out = tmp_path / "run"
    process = started(path, out, *prefix)
    assert wait_for_parts(out, 1, process)
    folders = [out, out / "matches", out / "seats", out / "logs"]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert "Permission denied; that mended, the same command continues" in ended(process)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    continued(path, out, tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_bot_that_prints_to_a_full_disk_is_not_at_fault(tmp_path: Path) -> None:
    settings = small_config(tmp_path, [MEDDLER, RANDOM], deals=2)
    specs = tuple(next(formats.schedule(settings)))
    executor = InProcess(setup_of(settings, tmp_path / "run"))
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - closing it fails, as it must
    worker.log_to(full)
    try:
        executor.submit(Batch(specs))
        (result,) = executor.collect(0)
    finally:
        worker._target.clear()
        worker._log.cache_clear()
        with contextlib.suppress(OSError):
            full.close()

    assert result.tables is not None
    assert len(match_ids(result.tables)) == len(specs)
    assert not any(tally.faults for tally in result.tallies.values())
