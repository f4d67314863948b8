"""How to play a run again: its config, as one would write it, with the bots' files that it kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import tomli_w

from harness.analysis.frames import Run
from harness.config_values import RANDOM
from harness.durable import write_text
from harness.positions import KEPT

FILE: Final = "again.toml"
"""Beside run.toml, which tells more than a config may say."""
_DERIVED: Final = ("version", "games")
"""What run.toml tells of bots beyond their config."""


def config(run: Run) -> dict[str, Any]:
    """The run's config; paths are those of its folder."""
    found = {key: value for key, value in run.config.items() if key not in {"positions", "seed_drawn"}}
    if run.seed_is_secret:
        found["seed"] = RANDOM
    if "positions" in run.config:
        found["format"] = {**found["format"], "deals": KEPT}
    found["bots"] = [_bot(bot, run.folder) for bot in run.config.get("bots", [])]
    return found


def _bot(bot: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    found = {key: value for key, value in bot.items() if key not in _DERIVED}
    if "path" in found:
        kept = Path("bots") / f"{bot['name']}-{bot['version']}"
        if (folder / kept).is_dir():
            found["path"] = str(_entry(folder, kept, Path(found["path"]).name))
    return found


def _entry(folder: Path, kept: Path, name: str) -> Path:
    """A bot of one file is that file, one of several its folder."""
    return kept / name if (folder / kept / name).is_file() else kept


def text(run: Run) -> str:
    """The config as TOML; empty where the run has none."""
    return tomli_w.dumps(config(run)) if run.config else ""


def write(run: Run) -> Path:
    """Write the config into the run's folder."""
    path = run.folder / FILE
    write_text(path, text(run))
    return path
