"""A small run that is over, for tests of what the command line says about runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.harness.cli_runs import CONFIG, croupier


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small.toml and reports/small, a run that is over."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "small.toml").write_text(CONFIG)
    done = croupier("run", "small.toml", "--executor", "local", "--workers", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return folder


@pytest.fixture
def work(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, and the place where the test is."""
    shutil.copytree(finished, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"
