"""The step that reads a bot's types: mypy --strict, where it is installed, beside the other steps."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import bots
from harness.checking import mirrored
from harness.checking.steps import Failed, Found, Skipped
from harness.submissions import Source

SECONDS: Final = 120
"""How long mypy may take: the first time it reads Croupier's own types too."""
LINES: Final = 15
"""Mistakes that are shown."""


class Reading:
    """Mypy at work on a bot's files. It reads and never runs them; no config of the bot's is looked at."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._copy: TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[str] | None = None
        if not importlib.util.find_spec("mypy"):
            return
        if source.kind in {"file", "folder", "submitted"}:
            self._copy = TemporaryDirectory(prefix="croupier-types-")
            folder = Path(self._copy.name)
            files = mirrored.lay_out(source, folder)
        else:
            # In a package already, which what it imports needs.
            folder = source.path.parent
            files = [str(file.relative_to(folder)) for file in source.files if file.suffix == ".py"]
        self._process = _started(folder, files)

    def result(self) -> Found:
        """Wait for what it says; raises Failed or Skipped."""
        if self._process is None:
            raise Skipped("mypy is not installed here (pip install mypy)")
        try:
            said, wrong = self._process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise Skipped(f"mypy took more than {SECONDS} s") from None
        finally:
            self._tidy()
        lines = [self._told(line) for line in said.splitlines() if ": error: " in line]
        if self._process.returncode not in {0, 1}:
            last = lines or [self._told(line) for line in (wrong or said).strip().splitlines()]
            raise Skipped(f"mypy itself failed: {last[-1] if last else 'it said nothing'}")
        if not lines:
            return Found("mypy --strict finds nothing")
        count = f"{len(lines)} mistake{'s' if len(lines) > 1 else ''}"
        more = [f"… and {len(lines) - LINES} more"] if len(lines) > LINES else []
        raise Failed(
            f"mypy --strict finds {count}",
            "mend them; a bot's class names the view of its game, as in class Mine(Bot[HundView])",
            output="\n".join([*lines[:LINES], *more]),
        )

    def stop(self) -> None:
        """End it, finished or not, heard or not."""
        if self._process is not None and self._process.stdout and not self._process.stdout.closed:
            self._process.kill()
            self._process.communicate()
        self._tidy()

    def _tidy(self) -> None:
        if self._copy is not None:
            self._copy.cleanup()

    def _told(self, line: str) -> str:
        return line if self._copy is None else mirrored.told(line, self._source)


def _started(folder: Path, files: list[str]) -> subprocess.Popen[str]:
    ours = str(Path(bots.__file__).parent.parent)
    paths = [ours, *filter(None, [os.environ.get("PYTHONPATH")])]
    options = [
        "--strict",
        "--config-file=",
        "--explicit-package-bases",  # of a bot in a package: read no folder above, all that is installed
        "--no-error-summary",
        "--no-color-output",
        "--follow-imports=silent",
    ]
    # -P: a bot's folder must not be where this Python looks for mypy.
    return subprocess.Popen(  # noqa: S603 - this Python and mypy; the files are read, not run
        [sys.executable, "-P", "-m", "mypy", *options, f"--cache-dir={_cache()}", "--", *files],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _cache() -> str:
    """A folder of the user's own, so that Croupier's types are read once; none where there is no such."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier" / "mypy"
    try:
        base.mkdir(parents=True, exist_ok=True)
    except OSError:
        return os.devnull
    return str(base) if os.access(base, os.W_OK) else os.devnull
