"""Starts a zygote, has it fork seats, and ends them.

The zygote is a program of its own, started with Popen and told nothing by environment or descriptors, so
it can be started from any thread, in a Ray worker too. It lives as long as this object's socket.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import bots
import engines
import harness
from engines.core.game import Game
from harness.config_values import canonical_json
from harness.players import huge_pages, levels, probe, readable, wire
from harness.players.base import BotFault, PlatformFault
from harness.players.burial import End
from harness.players.channel import Channel, Closed
from harness.players.clocks import ProcessClock
from harness.players.control import Control
from harness.players.levels import IsolationUnavailable
from harness.players.seat import FAILED_TO_LOCK

START_NS: Final = 10_000_000_000
"""CPU that a seat may take to be shut in: far more than it does."""
_FIRST_USER: Final = 60001
_USERS_SPREAD: Final = 16
"""Zygotes of one machine start at different users, so that their seats seldom share one. All are below 65536,
which a container may not have."""
FLAGS: Final = ("-P", "-s", "-S", "-B", "-X", "utf8")
"""Of a fresh interpreter. Not -I, which would not let the seed of hashes be set."""
_PROGRAM: Final = f"{huge_pages.APART}; from harness.players.zygote import main; main()"


class Seat(NamedTuple):
    """A process for one seat, forked and not yet heard of."""

    number: int
    channel: Channel
    output: int
    """Descriptor of what the seat prints."""


class Spawner:
    """One zygote, and the seats that it forks."""

    def __init__(
        self,
        level: str = levels.AUTO,
        *,
        own: Sequence[str] = (),
        allow: Sequence[str] = (),
        preload: Sequence[str] = (),
    ) -> None:
        """Start one; raises IsolationUnavailable where `level` cannot be had.

        `own` are the files and folders of all bots to come, `allow` modules that they may import,
        `preload` further modules to have ready.
        """
        plan = wire.Plan(
            level=level,
            readable=[*readable.for_everyone(), *readable.allowed(allow)],
            hidden=list(readable.packages()),
            own=[os.path.realpath(path) for path in own],
            preload=[*preload, *allow],
            user=_FIRST_USER + os.getpid() % _USERS_SPREAD * 250,
        )
        self._seats = 0
        self._over: list[int] = []
        """Seats ended since the last one was forked."""
        self._games: dict[Game[Any, Any], tuple[str, str]] = {}
        self._told: set[tuple[str, str]] = set()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = Control(ours)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, *FLAGS, "-c", _PROGRAM, str(theirs.fileno())],
                # Functions of libraries are looked up at once, not anew in each seat that calls them first.
                env={
                    "PYTHONPATH": os.pathsep.join(import_path()),
                    "PYTHONHASHSEED": "0",
                    "LD_BIND_NOW": "1",
                    "GLIBC_TUNABLES": huge_pages.MALLOC,
                },
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            theirs.close()
        try:
            opened = self._control.open(plan)
            self.host = levels.Host(*opened.lacks)
            if opened.error:
                raise IsolationUnavailable(opened.error)  # noqa: TRY301 - closed below
            self.level = opened.level
            self.remark = opened.user
            self.probed = self._probe()
        except BaseException:
            self.close()
            raise

    def _probe(self) -> dict[str, bool]:
        """Try the walls from inside, in a seat that is thrown away; raises IsolationUnavailable."""
        found: dict[str, bool] = json.loads(self.ask_about(wire.Code("probe", "")))
        if gaps := probe.holes(self.level, found):
            raise IsolationUnavailable(
                f"isolation: a seat at level {self.level} {', '.join(gaps)} here, which it must not. "
                f"{levels.advice(self.host)}"
            )
        return found

    def ask_about(self, code: wire.Code, task: str = "describe", budget_ns: int = START_NS) -> str:
        """What a seat that plays nothing finds out, as JSON, by its own account.

        Raises BotFault, Closed or PlatformFault.
        """
        return self._found_out(code, task, budget_ns).about

    def compiled(self, code: wire.Code, budget_ns: int) -> dict[str, bytes]:
        """A bot's files compiled, in a seat of their own: for `Code.compiled`, and for nobody else to read.

        Empty where they are too large for a message, or cannot be compiled within a seat's bounds. Raises
        PlatformFault.
        """
        try:
            return self._found_out(code, "compile", budget_ns).compiled
        except (BotFault, Closed):
            return {}  # whoever imports them is told

    def _found_out(self, code: wire.Code, task: str, budget_ns: int) -> wire.Ready:
        seat = self.seat(wire.Order(code, {}, "", "{}", 0, 0, 512 << 20, task))
        try:
            reply = seat.channel.receive(budget_ns, "to be imported")
        finally:
            self.dismiss(seat)
        if isinstance(reply, wire.Failed):
            raise BotFault(reply.kind, reply.detail)
        if not isinstance(reply, wire.Ready):
            raise BotFault("malformed", "wrote to the channel by itself while it was imported")
        return reply

    def have(self, game: Game[Any, Any]) -> tuple[str, str]:
        """Make a game known to the zygote, once; returns its name and rules."""
        key = self._games.get(game)
        if key is None:
            key = game.name, canonical_json(game.rules.changed())
            if key not in self._told:
                wire.check_views(game)
                self._tell(wire.Rules(*key, type(game).__module__, type(game).__qualname__))
                self._told.add(key)
            self._games[game] = key
        return key

    def seat(self, order: wire.Order, *pipes: int) -> Seat:
        """A new process, shut in, about to import its bot.

        A program in another language gets two `pipes` as its standard input and output. Raises PlatformFault,
        or BotFault where its options or the names of its files are too long to be told.
        """
        self._seats += 1
        number = self._seats
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        output = os.memfd_create("output", os.MFD_CLOEXEC)
        writing = os.open(f"/proc/self/fd/{output}", os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            _send_order(ours, order)
            process = self._control.fork(number, self._over, theirs.fileno(), writing, *pipes)
            self._over = []
        except BaseException:
            ours.close()
            os.close(output)
            raise
        finally:
            theirs.close()
            os.close(writing)
        found = Seat(number, Channel(ours, process, ProcessClock(_number_of(process))), output)
        why = ""
        try:
            locked = found.channel.receive(START_NS, "to be shut in")
            if not isinstance(locked, wire.Locked):
                why = f"it answered {locked!r}"
        except BotFault as fault:  # nothing of its bot has run yet
            why = f"it {fault.detail}"
        except Closed:
            why = self._why_not_locked(found)
        if why:
            self.dismiss(found)
            raise PlatformFault(f"a seat could not be shut in: {why}")
        found.channel.settle()
        return found

    def _why_not_locked(self, seat: Seat) -> str:
        code = os.waitstatus_to_exitcode(self.end_of(seat).status)
        said = printed(seat.output, 4096).strip().splitlines()
        return said[-1] if said and code == FAILED_TO_LOCK else f"its process ended ({code})"

    def end_of(self, seat: Seat) -> End:
        """How a seat's process has ended, once; raises PlatformFault where the zygote is gone too."""
        seat.channel.kill()  # it may have closed the channel and live on
        return self._control.end(seat.number)

    def dismiss(self, seat: Seat) -> None:
        """End a seat, without waiting for the end."""
        seat.channel.close()
        os.close(seat.output)
        self._over.append(seat.number)

    def close(self) -> None:
        """End the zygote, and with it all its seats."""
        self._control.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _tell(self, game: wire.Rules) -> None:
        """Have what forks the seats make a game ready."""
        self._control.have(game)


def open_spawner(
    level: str = levels.AUTO,
    *,
    own: Sequence[str] = (),
    allow: Sequence[str] = (),
    preload: Sequence[str] = (),
    platform: str = sys.platform,
) -> Spawner:
    """Whatever starts seats on this system: a zygote on Linux; see Spawner. Raises IsolationUnavailable."""
    if platform.startswith("linux"):
        return Spawner(level, own=own, allow=allow, preload=preload)
    levels.choose(level, levels.elsewhere(platform))
    try:
        from harness.players.portable import PortableSpawner  # psutil: Linux does without
    except ImportError as error:
        raise IsolationUnavailable(
            f"isolation: {level} needs {error.name} on {levels.system(platform)}: pip install {error.name}"
        ) from None
    return PortableSpawner(level, allow=allow, preload=preload, platform=platform)


def printed(output: int, most: int) -> str:
    """What a seat has printed: the first `most` bytes of the file with that descriptor."""
    os.lseek(output, 0, os.SEEK_SET)
    return os.read(output, most).decode("utf-8", "replace")


def import_path() -> list[str]:
    """What this process can import from, and the same Croupier, wherever the current folder is."""
    ours = [
        str(Path(found).resolve().parent.parent)
        for found in (engines.__file__, bots.__file__, harness.__file__)
    ]
    rest = [str(Path(path).absolute()) for path in sys.path if path]
    return list(dict.fromkeys([*(path for path in ours if path not in rest), *rest]))


def _send_order(ours: socket.socket, order: wire.Order) -> None:
    try:
        ours.send(wire.encode(order))
    except OSError as error:
        if error.errno != errno.EMSGSIZE:
            raise
        raise BotFault(
            "start",
            "did not start: its options, or the names of its files, are too long to be told to a seat",
        ) from None


def _number_of(process: int) -> int:
    """The number, in this process's own namespace, of the process that a pidfd holds."""
    described = os.open(f"/proc/self/fdinfo/{process}", os.O_RDONLY | os.O_CLOEXEC)
    try:  # half the time of an open(), on the way to every seat
        _, found, after = os.read(described, 4096).partition(b"\nPid:")
    finally:
        os.close(described)
    if not found:
        raise PlatformFault("a pidfd names no process")
    return int(after.split(None, 1)[0])
