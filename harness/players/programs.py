"""What a program needs of the file system to be started: the files of its command, and their interpreters."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

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


def code_of(source: Source) -> wire.Code:
    """A program as its seat is told, resolved on this machine; raises BotNotFound where that lacks it."""
    path, chain = _resolved(source)
    return wire.Code(
        "command",
        str(source.path),
        source.version,
        readable=_readable(source, chain),
        command=(path, *source.command[1:]),
        executable=(*chain, *_LOADERS),
    )


def files_of(source: Source) -> tuple[str, ...]:
    """What the private root must have for a program; nothing where this machine lacks it."""
    try:
        return _readable(source, _resolved(source)[1])
    except BotNotFound:
        return ()


def _resolved(source: Source) -> tuple[str, list[str]]:
    """The path of a command's first word, and every file that is executed in its course."""
    first = source.command[0]
    if "/" in first:
        path = str(source.path / first)
    else:
        found = shutil.which(first)
        if found is None:
            raise BotNotFound(f"no program {first!r} on this machine's PATH")
        path = found
    chain = _chain(path)
    # A link is followed in the seat as well, so both its ends have to be there.
    return path, list(dict.fromkeys([*chain, *map(os.path.realpath, chain)]))


def _readable(source: Source, chain: list[str]) -> tuple[str, ...]:
    return (str(source.path), *chain, *_ALSO)


def _chain(path: str) -> list[str]:
    """The program, the interpreter its first line names, and so on."""
    found = [path]
    for _ in range(_SCRIPTS_DEEP):
        try:
            with Path(found[-1]).open("rb") as file:
                line = file.readline(512)
        except OSError:
            break
        if not line.startswith(b"#!"):
            break
        words = line[2:].decode("utf-8", "replace").split()
        if not words:
            break
        found.append(words[0])
        if Path(words[0]).name == "env" and len(words) > 1 and (named := shutil.which(words[-1])):
            found.append(named)
    return found
