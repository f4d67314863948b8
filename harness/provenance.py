"""Where a run's results come from: versions, commit, machine, digests of bots and games."""

from __future__ import annotations

import functools
import json
import os
import platform
import shlex
import socket
import subprocess
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import engines
from engines.core.bits import COMPILED
from harness.config_values import RunConfig
from harness.records import Limits

PACKAGES = ("croupier", "ray", "pyarrow", "pandas", "numpy", "trueskill", "msgspec", "mypy-extensions")


def provenance(config: RunConfig, *, isolation: str) -> dict[str, Any]:
    """What stays the same for a whole run: seed, limits, games with the versions of their rules, bots."""
    limits: Limits = config.limits
    return {
        "name": config.name,
        "seed": config.seed,
        "isolation": isolation,
        "limits": {name: getattr(limits, name) for name in limits.__slots__},
        "games": [
            {
                "name": game.name,
                "rules": json.loads(game.rules),
                "version": engines.game_type(game.name).version,
            }
            for game in config.games
        ],
        "bots": [
            {
                "name": bot.ref.name,
                "version": bot.ref.version,
                "options": json.loads(bot.ref.options),
                "kind": bot.source.kind,
                "files": [file.name for file in bot.source.files],
            }
            for bot in config.bots
        ],
    }


def session(*, executor: str, workers: int | None) -> dict[str, Any]:
    """What may differ each time a run is started or continued: when, where, with what."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "host": socket.gethostname(),
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "packages": versions(),
        "commit": commit(),
        "compiled": COMPILED,
        "executor": executor,
        "workers": workers,
        "command": command(),
    }


def command() -> str | None:
    """The command line of this process, where it is one of ours: what to give again to go on."""
    program = Path(sys.argv[0])
    if program.name == "croupier":
        return shlex.join(["croupier", *sys.argv[1:]])
    if program.name == "__main__.py" and program.parent.name == "harness":
        return shlex.join(["python", "-m", "harness", *sys.argv[1:]])
    return None


def versions() -> dict[str, str]:
    """The installed versions of what results can depend on."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@functools.cache
def commit() -> str | None:
    """The git commit of the source tree this runs from, with `+changes`; None outside of one."""
    root = Path(engines.__file__).parent.parent
    if not (root / ".git").exists():
        return None
    head = _git(root, "rev-parse", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return f"{head}+changes" if head and changed else head


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", "-C", str(root), *arguments],  # noqa: S607 - git is where the user has it
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
