"""Whether a config continues the run in a folder, what is new then, and what the run can take over.

The same seed, games, rules, format, limits and isolation make the same run. Bots may join, change and
leave, since a match depends on its deal and its seats alone; and there may be more of it where the schedule
begins as it did: more deals, more rounds, a larger budget.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import engines
from harness import config as configs
from harness import formats, positions, provenance
from harness.config_values import REPORTS, RunConfig, canonical_json
from harness.run_folder import PROVENANCE, RUN, CannotContinue, origin, rule_versions
from harness.store.earlier import shelved
from harness.store.reuse import Conditions

_FIXED: Final = ("seed", "games", "format", "limits", "suspend", "isolation", "self_play", "bots")
"""What says what is played. Of these `bots` and `self_play` may change while a run goes on; the rest of a
config says how it is played."""
_CONDITIONS: Final = ("seed", "limits", "isolation")
"""What two runs must have alike, so that a match of one is a match of the other."""
_OPTION: Final = "format."
"""What settings of the format begin with, among flat ones."""
_EARLY: Final = ("matches", "seats", "logs", "bots", PROVENANCE, positions.KEPT, ".lock")


class Standing(NamedTuple):
    """How a config stands to the run in its folder."""

    changes: tuple[str, ...] = ()
    """What is new since it was last started, one line each: bots that join, more deals or rounds."""
    renumbers: bool = False
    """Whether the schedule is another now, so that matches have other ids."""


def check(config: RunConfig, folder: Path) -> Standing:
    """How this config continues the run that is there; raises CannotContinue where it is another one."""
    path = folder / RUN
    if not path.exists():
        if any((folder / "matches").glob("*.parquet")):
            raise CannotContinue(f"{folder} has results but no {RUN}: name another folder (--out)")
        if folder.exists() and (others := sorted(p.name for p in folder.iterdir() if not _ours(p.name))):
            raise CannotContinue(
                f"{folder} is not empty and is no run's folder (it has {others[0]}): name another (--out)"
            )
        return Standing()
    try:
        old = _settings(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CannotContinue(f"{path} cannot be read: {error}; name another folder (--out)") from None
    new = _settings(configs.dump(config))
    if written := origin(folder):
        old |= rule_versions(written)
        new |= rule_versions(provenance.provenance(config, isolation=""))
    growing = _grown(config, old) if old.get("format.name") == config.format else []
    different = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    renewed = [key for key in different if key.split(".")[0] in {"bots", "self_play"}]
    if not {*_names(old)} & {*_names(new)}:
        renewed = []
    changed = [key for key in different if key not in growing and key not in renewed]
    if changed:
        width = max(map(len, changed))
        lines = []
        for key in changed:
            lines.append(f"  {key:{width}}  {_show(old, key)} -> {_show(new, key)}")
            lines += [f"  {'':{width}}  {why}" for why in _why_not(config, key)]
        raise CannotContinue(
            "\n".join(
                [
                    f"{folder} was started with other settings:",
                    *lines,
                    "go back to those, or start a new run: another name, or another folder (--out)",
                ]
            )
        )
    words = [*_bot_changes(old, new)] if any(key.startswith("bots") for key in renewed) else []
    words += [
        f"{key}: {_show(old, key)} -> {_show(new, key)}" for key in different if not key.startswith("bots")
    ]
    # With one game the schedule of more begins as the old one did; several games take turns.
    renumbers = bool(renewed) or (bool(growing) and len(config.games) > 1)
    return Standing(tuple(words), renumbers)


def _names(settings: Mapping[str, Any]) -> list[str]:
    """The bots of flat settings."""
    return [name for name in str(settings.get("bots", "")).split(", ") if name]


def _bot_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What has become of the bots, a line for each way."""
    before, now = _names(old), _names(new)
    if joined := [name for name in now if name not in before]:
        yield f"new: {', '.join(joined)}"
    if gone := [name for name in before if name not in now]:
        yield f"withdrawn: {', '.join(gone)}"
    for name in now:
        keys = {key for key in {**old, **new} if key.startswith(f"bots.{name}.")} if name in before else ()
        for key in sorted(keys):
            if old.get(key) != new.get(key):
                yield f"{name}: {key.removeprefix(f'bots.{name}.')} {_show(old, key)} -> {_show(new, key)}"
    if not joined and not gone and before != now:
        yield f"another order: {', '.join(now)}"


def sources(config: RunConfig, folder: Path) -> list[Path]:
    """Folders from which the run in `folder` takes over matches that it asks for and has not.

    Those in its `earlier/`, and where its folder is not that of the config's name, the run of that name.
    """
    named = REPORTS / config.name
    found = shelved(folder)
    if named.resolve() != folder.resolve():
        found += [named, *shelved(named)]
    return [place for place in found if (place / RUN).exists()]


def conditions(config: RunConfig, folder: Path) -> Conditions | None:
    """What makes a match of the run in `folder` one of this config; None where none is."""
    try:
        text = (folder / RUN).read_text(encoding="utf-8")
        data, ours = tomllib.loads(text), tomllib.loads(configs.dump(config))
        if any(data.get(key) != ours.get(key) for key in _CONDITIONS):
            return None
        versions: dict[str, set[int]] = {}
        for game in origin(folder).get("games", ()):
            versions.setdefault(game["name"], set()).add(game["version"])
        options = {bot["name"]: canonical_json(bot.get("options", {})) for bot in data.get("bots", [])}
    except (OSError, ValueError, KeyError):
        return None  # whoever continues that run is told what is wrong with it
    names = {game.name for game in config.games}
    return Conditions(options, {n for n in names if versions.get(n) == {engines.game_type(n).version}})


def _ours(name: str) -> bool:
    """Whether a run that was cut off before it wrote run.toml leaves a file or folder of that name."""
    return name in _EARLY or (name.startswith(".") and name.endswith(".tmp"))


def _may_grow(config: RunConfig) -> tuple[str, ...]:
    """Options that say only how long to go on, so that a run continues where they are raised."""
    found: tuple[str, ...] = getattr(formats.load(config.format), "MAY_GROW", ())
    return found


def _grown(config: RunConfig, old: Mapping[str, Any]) -> list[str]:
    """Settings of the format of which there is more than among the flat settings `old`."""
    return [key for name in _may_grow(config) if _more(config, name, old.get(key := _OPTION + name))]


def _more(config: RunConfig, option: str, old: object) -> bool:
    """Whether the config plans for as much as with this option's `old` value, or for more.

    The plan is asked, because 0 may stand for a number that follows from the bots.
    """
    new = config.format_options.get(option)
    if type(old) is not int or type(new) is not int or old == new:
        return False
    before = dataclasses.replace(config, format_options={**config.format_options, option: old})
    try:
        return formats.plan(before).sets <= formats.plan(config).sets
    except formats.Unservable:  # for the bots of now; whoever plays it is told
        return old < new


def _why_not(config: RunConfig, key: str) -> list[str]:
    """Why a changed option of the format cannot be gone on with, where that can be said."""
    option = key.removeprefix(_OPTION)
    if key.startswith(_OPTION) and option in _may_grow(config):
        return ["more of it would go on; less would leave matches that nothing asks for"]
    steers: Mapping[str, str] = getattr(formats.load(config.format), "STEERS", {})
    return [steers[option]] if key.startswith(_OPTION) and option in steers else []


def _settings(text: str) -> dict[str, Any]:
    """The settings that say what is played, flat: `games[0].rules.second` → `must`."""
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


def _show(settings: Mapping[str, Any], key: str) -> str:
    return json.dumps(settings[key], ensure_ascii=False) if key in settings else "(none)"
