"""What a seat tries against its walls before any bot sits there: a level is measured, not assumed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final

from harness.players import levels

READ: Final = "reads files"
WRITE: Final = "writes files"
NETWORK: Final = "opens sockets"
PROCESSES: Final = "starts processes"
SIGNALS: Final = "signals others"
NAMES: Final = "sees names and sizes of files"
_PRIVATE: Final = "/etc/passwd"
"""There on every system, and nothing that a bot needs."""


def attempts() -> dict[str, bool]:
    """Which of the things that no bot may do this process can do. Harmless where they succeed."""
    tried: Mapping[str, Callable[[], object]] = {
        READ: _read,
        WRITE: _write,
        NETWORK: _socket,
        PROCESSES: _fork,
        SIGNALS: lambda: os.kill(os.getppid() or 1, 0),
        NAMES: lambda: os.stat(_PRIVATE),  # noqa: PTH116 - the call itself is what is tried
    }
    return {what: _succeeds(attempt) for what, attempt in tried.items()}


def holes(level: str, found: Mapping[str, bool]) -> list[str]:
    """What a seat at `level` could do and must not."""
    layers = levels.LEVELS[level]
    if not layers.seccomp:
        return []
    tolerated = set() if layers.namespaces else {NAMES}
    return [what for what, succeeded in found.items() if succeeded and what not in tolerated]


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _read() -> None:
    os.close(os.open(_PRIVATE, os.O_RDONLY))


def _write() -> None:
    path = f"/tmp/croupier-probe-{os.getpid()}"  # noqa: S108 - a name that is to be refused
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)  # noqa: PTH108 - pathlib would be imported for it


def _socket() -> None:
    import _socket

    _socket.socket().close()


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
