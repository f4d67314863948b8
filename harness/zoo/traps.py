"""What the zoo may lay hands on, all made for it: files, sockets, a process; looked at from outside."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

HELD: list[str] = []
"""A secret in this process's memory, as a match holds the cards of the others."""
_VICTIM = "as it was\n"


class Traps:
    """Made for one visit, reset for every bot; a context manager.

    A secret is a number of nine digits that this process alone knows: a bot that can tell it has read it.
    """

    def __init__(self) -> None:
        self.secret = 10**8 + secrets.randbelow(9 * 10**8)
        self.marked = f"ZOO-{self.secret}-ZOO"
        self.run = secrets.randbits(40)
        self.orphan = f"croupier-zoo-orphan-{self.run}"

    def __enter__(self) -> Self:
        self._stack = contextlib.ExitStack()
        self.home = Path(self._stack.enter_context(_shared_folder()))
        self.folder = self.home / "folder"
        self.sized = 10_000 + self.secret % 90_000
        (self.home / "secret").write_text(str(self.secret), encoding="ascii")
        (self.home / "sized").write_bytes(bytes(self.sized))
        (self.home / "listed").mkdir()
        (self.home / "listed" / str(self.secret)).touch()
        self.abstract = f"croupier-zoo-{self.run}"
        self.sockets = {
            "a TCP connection": _listening(socket.SOCK_STREAM),
            "a UDP datagram": _listening(socket.SOCK_DGRAM),
            "a message to a Unix socket": _unix(str(self.home / "socket")),
            "a message to an abstract Unix socket": _unix("\0" + self.abstract),
        }
        for trap in self.sockets.values():
            self._stack.callback(trap.close)
        (self.home / "socket").chmod(0o777)
        HELD.append(self.marked)
        os.environ["CROUPIER_ZOO"] = self.marked
        self._stack.callback(HELD.clear)
        self._stack.callback(os.environ.pop, "CROUPIER_ZOO", None)
        self._decoy: subprocess.Popen[bytes] | None = None
        self._stack.callback(self._end_decoy)
        self.reset()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def options(self, rival: Path) -> dict[str, Any]:
        """What every bot of the zoo is told: where everything is."""
        return {
            "secret": str(self.home / "secret"),
            "sized": str(self.home / "sized"),
            "listed": str(self.home / "listed"),
            "folder": str(self.folder),
            "rival": str(rival),
            "tcp": self.sockets["a TCP connection"].getsockname()[1],
            "udp": self.sockets["a UDP datagram"].getsockname()[1],
            "unix": str(self.home / "socket"),
            "abstract": self.abstract,
            "decoy": self.decoy.pid,
            "run": self.run,
            "python": sys.executable,
            "orphan": self.orphan,
        }

    @property
    def decoy(self) -> subprocess.Popen[bytes]:
        """A process of this machine that does nothing; it carries the secret in its environment and name."""
        if self._decoy is None:
            command = [sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)", self.marked]
            self._decoy = subprocess.Popen(command, env={"CROUPIER_ZOO": self.marked}, close_fds=True)  # noqa: S603 - our own
        return self._decoy

    def reset(self) -> None:
        """Put everything back as it was."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.folder.chmod(0o777)
        for name in ("victim", "other"):
            (self.folder / name).write_text(_VICTIM, encoding="ascii")
            (self.folder / name).chmod(0o666)
        if self._decoy is not None and self._decoy.poll() is not None:
            self._end_decoy()
        self.cores = os.sched_getaffinity(self.decoy.pid)

    def sprung(self, metrics: dict[str, float]) -> list[str]:
        """What a bot has done or found out; `metrics` are what it told, believed where it knows a secret."""
        found = [*self._files(), *self._processes()]
        found += [f"got {what} through" for what, trap in self.sockets.items() if _drained(trap)]
        leak = metrics.get("leak")
        if leak in (self.secret, self.sized):
            found.append("found out a secret")
        if metrics.get("through"):
            found.append("did what it tried")
        return found

    def _files(self) -> Iterator[str]:
        names = sorted(path.name for path in self.folder.iterdir())
        if names != ["other", "victim"]:
            yield f"left {', '.join(names) or 'nothing'} in a folder that had other, victim"
        victim = self.folder / "victim"
        if victim.is_file() and victim.read_text(encoding="ascii") != _VICTIM:
            yield "wrote to a file"
        if victim.is_file() and victim.stat().st_mode & 0o777 != 0o666:
            yield "changed the rights of a file"

    def _processes(self) -> Iterator[str]:
        if self.decoy.poll() is not None:
            yield "ended another process"
        elif os.sched_getaffinity(self.decoy.pid) != self.cores:
            yield "moved another process to other cores"
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if self.orphan.encode() in (process / "cmdline").read_bytes():
                    os.kill(int(process.name), 9)
                    yield "left a process behind"

    def _end_decoy(self) -> None:
        if self._decoy is not None:
            self._decoy.kill()
            self._decoy.wait()
            self._decoy = None


@contextlib.contextmanager
def _shared_folder() -> Iterator[str]:
    """A temporary folder that every user may enter: what keeps bots out is to be the isolation."""
    with tempfile.TemporaryDirectory(prefix="croupier-zoo-") as name:
        Path(name).chmod(0o755)
        yield name


def _listening(kind: socket.SocketKind) -> socket.socket:
    trap = socket.socket(socket.AF_INET, kind)
    trap.bind(("127.0.0.1", 0))
    if kind == socket.SOCK_STREAM:
        trap.listen()
    trap.setblocking(False)
    return trap


def _drained(trap: socket.socket) -> bool:
    """Whether anything has come; takes all of it."""
    some = False
    with contextlib.suppress(BlockingIOError):
        while True:
            if trap.type == socket.SOCK_STREAM:
                trap.accept()[0].close()
            else:
                trap.recv(64)
            some = True
    return some


def _unix(address: str) -> socket.socket:
    trap = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    trap.bind(address)
    trap.setblocking(False)
    return trap
