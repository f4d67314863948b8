"""What a program needs of the file system to be started: the files of its command, and their interpreters."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from harness.players import wire
from harness.submissions import BotNotFound, Source

_LOADERS: Final = (
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
)
"""What the kernel starts a dynamic program with."""
_ALSO: Final = (
    "/etc/ssl/openssl.cnf",
    "/usr/share/nodejs",
    "/usr/share/perl",
    "/usr/share/java",
)
"""What common interpreters look up when they start, and nothing that a bot could use."""
_SCRIPTS_DEEP: Final = 4
"""Interpreters of interpreters that the kernel follows."""


class Start(NamedTuple):
    """How a command is started on this machine, without links and without the kernel's help for scripts."""

    path: str
    """The program itself, never a script."""
    words: tuple[str, ...]
    """What it is told, from its own name on."""


def code_of(source: Source) -> wire.Code:
    """A program as its seat is told, resolved on this machine; raises BotNotFound where that lacks it."""
    start = started(source)
    return wire.Code(
        "command",
        os.path.realpath(source.path),
        source.version,
        readable=_readable(source, start),
        command=start.words,
        executable=(start.path, *_LOADERS),
    )


def files_of(source: Source) -> tuple[str, ...]:
    """What the private root must have for a program; nothing where this machine lacks it."""
    try:
        return _readable(source, started(source))
    except BotNotFound:
        return ()


def started(source: Source) -> Start:
    """The program that a command comes to, scripts being given to what their first line names.

    A private root has the program's file and not the links to it, so none may be left to follow.
    """
    words = list(source.command)
    path = str(source.path / words[0]) if "/" in words[0] else _found(words[0])
    for _ in range(_SCRIPTS_DEEP):
        interpreter = _first_line(path)
        if not interpreter:
            break
        words = [*interpreter, os.path.realpath(path), *words[1:]]
        path = interpreter[0] if "/" in interpreter[0] else _found(interpreter[0])
    return Start(os.path.realpath(path), tuple(words))


def _found(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BotNotFound(f"no program {name!r} on this machine's PATH")
    return found


def _first_line(path: str) -> list[str]:
    """The words of a script's first line, what `env` would look for in its place; none for a binary."""
    try:
        with Path(path).open("rb") as file:
            line = file.readline(512)
    except OSError:
        return []
    if not line.startswith(b"#!"):
        return []
    words = line[2:].decode("utf-8", "replace").split()
    if words and Path(words[0]).name == "env":
        return [word for word in words[1:] if word != "-S"]
    return words


def _readable(source: Source, start: Start) -> tuple[str, ...]:
    return (os.path.realpath(source.path), start.path, *_ALSO)
