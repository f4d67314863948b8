"""A run's folder beside its results: the config as resolved, where it comes from, the bots' files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from harness import bot_programs, positions, provenance, submissions
from harness import config as configs
from harness.config_values import REPORTS, BotEntry, RunConfig
from harness.durable import write_text
from harness.executors.base import Setup

RUN: Final = "run.toml"
PROVENANCE: Final = "provenance.json"
OWN_FILES: Final = ("file", "folder", "submitted")
"""The kinds of bots that are played from the run's own copies."""


class CannotContinue(ValueError):
    """The folder has another run than the config describes; the text shows the differences."""


def folder_of(config: RunConfig, out: Path | None) -> Path:
    """Where the run's files are: `out` itself, or its name's folder under `reports/`."""
    return REPORTS / config.name if out is None else out


def origin(folder: Path) -> dict[str, Any]:
    """provenance.json; empty where it is gone, so that it is written anew. Raises CannotContinue."""
    path = folder / PROVENANCE
    if not path.exists():
        return {}
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        rule_versions(found)
        found["sessions"] += []
    except (ValueError, KeyError, TypeError):
        raise CannotContinue(
            f"{path} is not what a run writes: remove it, and the same command writes it anew"
        ) from None
    return found


def rule_versions(written: Mapping[str, Any]) -> dict[str, Any]:
    """The versions of the games' rules in a provenance, as flat settings."""
    return {f"games[{i}].version": game["version"] for i, game in enumerate(written["games"])}


def write(
    config: RunConfig,
    folder: Path,
    *,
    renewed: bool,
    isolation: str,
    executor: str,
    workers: int | None,
) -> None:
    """Write what is not there yet, or has changed, and add this start to the provenance.

    `renewed` says that the config is not the one in the folder. Needs the run's lock.
    """
    path = folder / PROVENANCE
    found = origin(folder)
    if not found or renewed:
        sessions = found.get("sessions", [])
        found = {**provenance.provenance(config, isolation=isolation), "sessions": sessions}
    found["sessions"].append(provenance.session(executor=executor, workers=workers))
    for bot in config.bots:
        keep(bot, folder)
    write_text(path, _text(found))
    if config.positions is not None:
        write_text(folder / positions.KEPT, config.positions.text)
    text = configs.dump(config)
    if renewed or not (folder / RUN).exists():
        # Last: a folder that has run.toml has all the rest.
        write_text(folder / RUN, text)


def finished(folder: Path, matches: int, digest: str) -> None:
    """Note what the run had when it ended, so that `verify` sees what is lost or changed later."""
    found = origin(folder)
    end = {"matches": matches, "digest": digest}
    if found and found.get("finished") != end:
        write_text(folder / PROVENANCE, _text({**found, "finished": end}))


def checked(folder: Path, found: Iterable[Mapping[str, Any]]) -> None:
    """Note what the self-play at the run's end has shown, in place of what was noted before."""
    written = origin(folder)
    if written:
        write_text(folder / PROVENANCE, _text({**written, "self_play": list(found)}))


def _text(written: Mapping[str, Any]) -> str:
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def keep(bot: BotEntry, folder: Path) -> Path:
    """Copy a bot's files to `bots/<name>-<digest>/`, once; returns that folder.

    Raises BadBot where they are no longer what the config was read with.
    """
    place = folder / "bots" / f"{bot.ref.name}-{bot.ref.version}"
    if place.exists() or not bot.source.files:
        return place
    base = bot.source.path if bot.source.path.is_dir() else bot.source.path.parent
    temporary = place.with_name(f".{place.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    for file in bot.source.files:
        target = temporary / file.relative_to(base)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)  # with its mode: a program stays one
    if bot.source.kind in OWN_FILES:
        copy = submissions.at(temporary / bot.source.path.name if bot.source.kind == "file" else temporary)
        if copy.version != bot.ref.version:
            raise submissions.BadBot(f"{bot.source.path} was changed just now: run the same command again")
    if bot.source.kind == "command" and _program_at(temporary, bot.source).version != bot.ref.version:
        raise submissions.BadBot(f"{bot.source.path} was changed just now: run the same command again")
    temporary.rename(place)
    return place


def _program_at(folder: Path, source: submissions.Source) -> submissions.Source:
    """The program `source` from a copy of its files."""
    names = [file.relative_to(source.path).as_posix() for file in source.files]
    return bot_programs.recorded(source.name, folder, names, source.command)


def setup(config: RunConfig, folder: Path, *, isolation: str) -> Setup:
    """What workers need. Files and folders are played from the run's own copies, so that whoever edits
    a bot meanwhile changes nothing.
    """
    sources = {}
    for bot in config.bots:
        source = bot.source
        if source.kind in OWN_FILES:
            kept = folder.absolute() / "bots" / f"{bot.ref.name}-{bot.ref.version}"
            path = kept / source.path.name if source.kind == "file" else kept
            if path.exists():
                source = submissions.at(path)._replace(kind=source.kind)
        elif source.kind == "command" and source.files:
            kept = folder.absolute() / "bots" / f"{bot.ref.name}-{bot.ref.version}"
            if kept.exists():
                source = _program_at(kept, source)
                if source.version != bot.ref.version:
                    raise submissions.BadBot(f"{kept} has been changed; delete it to have it made again")
        sources[bot.ref.name, bot.ref.version] = source
    return Setup(sources, isolation, config.allow, str(folder.absolute() / "logs"))
