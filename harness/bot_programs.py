"""Bots in other languages: the command that starts one, the files that belong to it, and its version."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from harness.bot_class import BadBot, BotNotFound
from harness.submissions import Source, digest, ignored, in_order


def program(words: Sequence[str], files: Sequence[str], folder: Path) -> Source:
    """A bot in another language: the command that starts it, and the files that it needs.

    `files` may name folders; words of the command that are files below `folder` belong to them anyhow. The
    first word is one of the files (`./mybot`) or a program on the PATH (`node`), which is not part of the
    bot's version. Raises BotNotFound or BadBot.
    """
    if not words or not words[0].strip():
        raise BadBot('expected the words of a command, such as ["./mybot"] or ["node", "bot.js"], got none')
    parts: dict[Path, None] = {}
    for name in files:
        place = (folder / name).resolve()
        if not place.exists():
            raise BotNotFound(f"no such file or folder: {place}")
        inside = [place] if place.is_file() else sorted(f for f in place.rglob("*") if f.is_file())
        parts.update(dict.fromkeys(f for f in inside if f == place or not ignored(f.relative_to(place))))
    own: dict[str, Path] = {}
    for word in words:
        place = (folder / word).resolve()
        if ("/" in word or word != words[0]) and not word.startswith("-") and place.is_file():
            if Path(word).is_absolute():
                continue
            own[word] = place
            parts[place] = None
    first = words[0]
    if "/" in first and first not in own:
        if not (Path(first).is_absolute() and Path(first).is_file()):
            raise BotNotFound(f"no such program: {folder / first}")
    elif first not in own and shutil.which(first) is None:
        raise BotNotFound(f"no program {first!r} on the PATH; a file of the bot is written ./{first}")
    if first in own and not os.access(own[first], os.X_OK):
        raise BadBot(f"{own[first]} is not executable: chmod +x it, or name what runs it first")
    if not parts:
        raise BadBot(
            f"no word of the command is a file of the bot in {folder}; "
            f"list its parts in `files` (croupier check: --file)"
        )
    ordered = in_order(parts)
    base = Path(os.path.commonpath([file.parent for file in ordered]))
    argv = tuple(_from_base(own[word], base, word == first) if word in own else word for word in words)
    name = next((own[word].stem for word in words if word in own), ordered[0].stem)
    return _command_source(name, base, ordered, argv)


def _from_base(file: Path, base: Path, first: bool) -> str:
    """A bot's own file as its command names it in the folder that it runs in."""
    relative = file.relative_to(base).as_posix()
    return f"./{relative}" if first else relative


def recorded(name: str, base: Path, names: Iterable[str], command: Sequence[str]) -> Source:
    """The bot of a command as a run has recorded it, from files below `base`; raises BotNotFound."""
    return _command_source(name, base, [base / file for file in names], tuple(command))


def _command_source(name: str, base: Path, files: Sequence[Path], command: tuple[str, ...]) -> Source:
    try:
        content = [(f.relative_to(base).as_posix(), f.read_bytes()) for f in files]
    except OSError as error:
        raise BotNotFound(f"cannot read {error.filename}: {error.strerror}") from None
    words = [(f"word {i}", word.encode()) for i, word in enumerate(command)]
    return Source(name, "command", base, tuple(files), digest([*words, *content]), command)
