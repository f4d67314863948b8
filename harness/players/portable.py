"""Seats by what every system has: a new Python for each, pipes, and psutil to clock it, stop it and end it.

The level `bounded` where there is no zygote, on macOS and Windows. To a match these seats are as any others:
the same questions and answers, and the same faults. What is coarser is said by `PortableSpawner.remark`.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

from bots import uniform
from engines.core.game import Game
from harness.players import levels, readable, wire
from harness.players.base import BotFault, PlatformFault
from harness.players.burial import End
from harness.players.channel import Closed
from harness.players.portable_channel import PipeChannel, PortableClock
from harness.players.spawner import FLAGS, START_NS, Seat, Spawner, import_path, printed
from harness.players.zygote import ONE_THREAD

_PROGRAM: Final = "from harness.players.portable_seat import main; main()"
_KEPT_ENVIRONMENT: Final = ("SYSTEMROOT",)
"""Without it no program of Windows starts."""
_END_SECONDS: Final = 5.0


class PortableSpawner(Spawner):
    """Starts a new interpreter for every seat."""

    def __init__(
        self,
        level: str = levels.BOUNDED,
        *,
        allow: Sequence[str] = (),
        preload: Sequence[str] = (),
        platform: str = sys.platform,
    ) -> None:
        """Try it with a seat that is thrown away; raises IsolationUnavailable where `level` cannot be had."""
        self.host = levels.elsewhere(platform)
        self.level = levels.choose(level, self.host)
        self.remark = (
            f"CPU time in ticks of 10 ms or more, memory looked at as it goes, not tried by us on "
            f"{levels.system(platform)}"
        )
        self.probed: dict[str, bool] = {}
        readable.allowed(allow)
        self._plan = wire.encode(wire.Plan(self.level, [], [], [], [*preload, *allow], 0))
        self._seats = 0
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._peaks: dict[int, PortableClock] = {}
        self._games: dict[Game[Any, Any], tuple[str, str]] = {}
        self._told: set[tuple[str, str]] = set()
        self._folder = TemporaryDirectory(prefix="croupier-seats-", ignore_cleanup_errors=True)
        try:
            self.ask_about(wire.Code("shipped", str(Path(uniform.__file__))))
        except (BotFault, Closed) as error:
            self.close()
            raise levels.IsolationUnavailable(f"isolation: no seat can be started here: {error}") from None
        except BaseException:
            self.close()
            raise

    def seat(self, order: wire.Order, *pipes: int) -> Seat:
        """A new process, about to import its bot. Raises PlatformFault."""
        if pipes:
            raise PlatformFault("a program in another language has no portable seat")
        self._seats += 1
        number = self._seats
        path = self._file(number)
        try:
            with path.open("ab") as writing:
                child = _started(writing)
            output = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise PlatformFault(f"a seat could not be started: {error}") from None
        channel = PipeChannel(child)
        found = Seat(number, channel, output)
        self._children[number] = child
        self._peaks[number] = channel.clock
        channel.tell(self._plan)
        channel.tell(wire.encode(order))
        why = ""
        try:
            locked = channel.receive(START_NS, "to be started")
            if not isinstance(locked, wire.Locked):
                why = f"it answered {locked!r}"
        except BotFault as fault:  # nothing of its bot has run yet
            why = f"it {fault.detail}"
        except Closed:
            why = next(reversed(printed(output, 4096).strip().splitlines()), "its process ended")
        if why:
            self.dismiss(found)
            raise PlatformFault(f"a seat could not be started: {why}")
        channel.settle()
        channel.bound(order.memory)
        return found

    def end_of(self, seat: Seat) -> End:
        """How a seat's process has ended; raises PlatformFault where it does not."""
        seat.channel.kill()
        child = self._children[seat.number]
        try:
            code = child.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            raise PlatformFault("a seat's process does not end") from None
        return End(-code if code < 0 else code << 8, self._peaks[seat.number].peak_kb())

    def dismiss(self, seat: Seat) -> None:
        """End a seat."""
        seat.channel.close()
        os.close(seat.output)
        self._peaks.pop(seat.number, None)
        child = self._children.pop(seat.number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_END_SECONDS)
        with contextlib.suppress(OSError):
            self._file(seat.number).unlink()

    def close(self) -> None:
        """End whatever is still there."""
        for child in self._children.values():
            child.kill()
            child.wait()
        self._children.clear()
        self._folder.cleanup()

    def _tell(self, game: wire.Rules) -> None:
        """Every seat is told its game in its order."""

    def _file(self, number: int) -> Path:
        """Where a seat's output goes."""
        return Path(self._folder.name) / f"{number}.txt"


def _started(output: IO[bytes]) -> subprocess.Popen[bytes]:
    """A fresh interpreter that waits for its order."""
    kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    own_group: dict[str, Any] = {"process_group": 0}
    python = sys.executable
    if sys.platform == "win32":
        own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        # In a virtual environment the executable only starts the real one, and would hide its CPU.
        python = getattr(sys, "_base_executable", "") or python
    return subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [python, *FLAGS, "-c", _PROGRAM],
        env={"PYTHONPATH": os.pathsep.join(import_path()), "PYTHONHASHSEED": "0", **ONE_THREAD, **kept},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=output,
        bufsize=0,
        **own_group,
    )
