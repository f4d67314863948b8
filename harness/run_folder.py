"""A run's folder beside its results: the config as resolved, where it comes from, the bots' files."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from harness import config as configs
from harness import formats, positions, provenance, submissions
from harness.config_values import REPORTS, BotEntry, RunConfig
from harness.executors.base import Setup
from harness.store.parts import write_text

RUN: Final = "run.toml"
PROVENANCE: Final = "provenance.json"
_FIXED: Final = ("seed", "games", "format", "limits", "bots")
"""What may not change while a run goes on; the rest of a config says how it is played, not what."""
_EARLY: Final = ("matches", "seats", "logs", "bots", PROVENANCE, positions.KEPT, ".lock")


class CannotContinue(ValueError):
    """The folder has another run than the config describes; the text shows the differences."""


def folder_of(config: RunConfig, out: Path | None) -> Path:
    """Where the run's files are: `out` itself, or its name's folder under `reports/`."""
    return REPORTS / config.name if out is None else out


def check(config: RunConfig, folder: Path) -> bool:
    """Whether a run is there that this config continues; raises CannotContinue where it is another one."""
    path = folder / RUN
    if not path.exists():
        if any((folder / "matches").glob("*.parquet")):
            raise CannotContinue(f"{folder} has results but no {RUN}: name another folder (--out)")
        if folder.exists() and (others := sorted(p.name for p in folder.iterdir() if not _ours(p.name))):
            raise CannotContinue(
                f"{folder} is not empty and is no run's folder (it has {others[0]}): name another (--out)"
            )
        return False
    try:
        old = _settings(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CannotContinue(f"{path} cannot be read: {error}; name another folder (--out)") from None
    new = _settings(configs.dump(config))
    if origin := _origin(folder):
        old |= _rule_versions(origin)
        new |= _rule_versions(provenance.provenance(config, isolation=""))
    growing = [key for key in _may_grow(config) if _more(old.get(key), new.get(key))]
    changed = [key for key in {**old, **new} if old.get(key) != new.get(key) and key not in growing]
    if changed:
        width = max(map(len, changed))
        lines = [f"  {key:{width}}  {_show(old, key)} -> {_show(new, key)}" for key in changed]
        raise CannotContinue(
            "\n".join(
                [
                    f"{folder} was started with other settings:",
                    *lines,
                    "go back to those, or start a new run: another name, or another folder (--out)",
                ]
            )
        )
    return True


def _ours(name: str) -> bool:
    """Whether a run that was cut off before it wrote run.toml leaves a file or folder of that name."""
    return name in _EARLY or (name.startswith(".") and name.endswith(".tmp"))


def _origin(folder: Path) -> dict[str, Any]:
    """provenance.json; empty where it is gone, so that it is written anew. Raises CannotContinue."""
    path = folder / PROVENANCE
    if not path.exists():
        return {}
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        _rule_versions(found)
        found["sessions"] += []
    except (ValueError, KeyError, TypeError):
        raise CannotContinue(
            f"{path} is not what a run writes: remove it, and the same command writes it anew"
        ) from None
    return found


def _may_grow(config: RunConfig) -> list[str]:
    """Settings that say only when to give up, and that a run may go on with where they are raised."""
    return [f"format.{name}" for name in getattr(formats.load(config.format), "MAY_GROW", ())]


def _more(old: object, new: object) -> bool:
    """Whether both are numbers and `new` is the greater."""
    return isinstance(old, int) and isinstance(new, int) and old < new


def _settings(text: str) -> dict[str, Any]:
    """The settings that may not change, flat: `games[0].rules.second` → `must`."""
    data = tomllib.loads(text)
    flat: dict[str, Any] = {}
    for key in _FIXED:
        value = data.get(key)
        if key == "bots":
            # By name, and without the path: moving a bot's file does not change what it is.
            value = {b["name"]: {k: v for k, v in b.items() if k not in {"path", "bot"}} for b in value or []}
            flat["bots"] = ", ".join(value)
        flat.update(_flat(key, value))
    if dealt := data.get("positions"):
        # By content: renaming or moving the file does not change what is played.
        flat["format.deals"] = f"{dealt['count']} positions, digest {dealt['digest']}"
    return flat


def _flat(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _flat(f"{key}.{name}", item)
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for index, item in enumerate(value):
            yield from _flat(f"{key}[{index}]", item)
    elif value is not None:
        yield key, value


def _rule_versions(origin: Mapping[str, Any]) -> dict[str, Any]:
    return {f"games[{i}].version": game["version"] for i, game in enumerate(origin["games"])}


def _show(settings: Mapping[str, Any], key: str) -> str:
    return json.dumps(settings[key], ensure_ascii=False) if key in settings else "(none)"


def write(config: RunConfig, folder: Path, *, isolation: str, executor: str, workers: int | None) -> None:
    """Write what is not there yet, and add this start to the provenance. Needs the run's lock."""
    path = folder / PROVENANCE
    origin = _origin(folder) or {**provenance.provenance(config, isolation=isolation), "sessions": []}
    origin["sessions"].append(provenance.session(executor=executor, workers=workers))
    for bot in config.bots:
        keep(bot, folder)
    write_text(path, _text(origin))
    if config.positions is not None:
        write_text(folder / positions.KEPT, config.positions.text)
    text = configs.dump(config)
    if not (folder / RUN).exists() or _grown(config, (folder / RUN).read_text(encoding="utf-8"), text):
        # Last: a folder that has run.toml has all the rest.
        write_text(folder / RUN, text)


def _grown(config: RunConfig, before: str, now: str) -> bool:
    """Whether the run goes on with more than it was started with."""
    old, new = _settings(before), _settings(now)
    return any(_more(old.get(key), new.get(key)) for key in _may_grow(config))


def finished(folder: Path, matches: int, digest: str) -> None:
    """Note what the run had when it ended, so that `verify` sees what is lost or changed later."""
    origin = _origin(folder)
    end = {"matches": matches, "digest": digest}
    if origin and origin.get("finished") != end:
        write_text(folder / PROVENANCE, _text({**origin, "finished": end}))


def checked(folder: Path, found: Iterable[Mapping[str, Any]]) -> None:
    """Note what the self-play at the run's end has shown, in place of what was noted before."""
    origin = _origin(folder)
    if origin:
        write_text(folder / PROVENANCE, _text({**origin, "self_play": list(found)}))


def _text(origin: Mapping[str, Any]) -> str:
    return json.dumps(origin, indent=2, ensure_ascii=False) + "\n"


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
        shutil.copyfile(file, target)
    if bot.source.kind in {"file", "folder"}:
        copy = submissions.at(temporary if bot.source.kind == "folder" else temporary / bot.source.path.name)
        if copy.version != bot.ref.version:
            raise submissions.BadBot(f"{bot.source.path} was changed just now: run the same command again")
    temporary.rename(place)
    return place


def setup(config: RunConfig, folder: Path, *, isolation: str) -> Setup:
    """What workers need. Files and folders are played from the run's own copies, so that whoever edits
    a bot meanwhile changes nothing.
    """
    sources = {}
    for bot in config.bots:
        source = bot.source
        if source.kind in {"file", "folder"}:
            kept = folder.absolute() / "bots" / f"{bot.ref.name}-{bot.ref.version}"
            path = kept / source.path.name if source.kind == "file" else kept
            if path.exists():
                source = submissions.at(path)
        sources[bot.ref.name, bot.ref.version] = source
    return Setup(sources, isolation)
