"""The clocks of a seat: CPU time of its process, which is what it pays with, and a guard against sleepers.

Wall time says how busy the machine is: on two loaded cores a move that cost 17 ms of CPU took from 18 to 82
ms of it. So only CPU is charged, all that the process has used since it was last charged, whatever it used it
for. The guard ends a bot that uses none; it leaves out time in which the bot waited for a core, or in
which we ourselves did not run.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final, Protocol

_read: Final = time.clock_gettime_ns
TICK_NS: Final = 20_000_000
"""How often a bot that thinks is looked at: so late is one noticed that does not stop by itself."""
PATIENCE_FACTOR: Final = 5
PATIENCE_NS: Final = 2_000_000_000
"""A bot that has not answered after PATIENCE_FACTOR times its CPU budget and this much more is asleep."""
PATIENCE_A_MATCH_NS: Final = 10_000_000_000
"""So is one that in a whole match took longer than PATIENCE_FACTOR times its CPU and this much more: else it
could sleep a little in each of its decisions, at no cost, until nobody waits for the event's end."""


class ProcessClock:
    """CPU time and waiting of one process of this machine, all its threads.

    The clock of another process is read with clock_gettime: its number is made of the process's
    (`man 3 clock_getcpuclockid`; the layout is linux/posix-timers.h's), takes no privilege and 0.3 µs.
    """

    def __init__(self, process: int) -> None:
        self.process = process
        self._clock = (~process << 3) | 2
        self._last = 0
        self._schedule = -1

    def cpu_ns(self) -> int:
        """CPU nanoseconds since the process began; the last known where it is gone."""
        try:
            self._last = last = _read(self._clock)
        except OSError:
            return self._last
        return last

    def waited_ns(self) -> int:
        """Nanoseconds for which its main thread could have run and had no core; 0 where that is not told."""
        try:
            if self._schedule < 0:  # opened when it is first asked for: of most seats it never is
                self._schedule = os.open(f"/proc/{self.process}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            return int(os.pread(self._schedule, 64, 0).split()[1])
        except (OSError, IndexError, ValueError):
            return 0

    def peak_kb(self) -> int:
        """The most memory that it has held so far, in KiB, shared pages too; 0 where that is not told."""
        try:
            status = Path(f"/proc/{self.process}/status").read_text(encoding="ascii", errors="replace")
        except OSError:
            return 0
        lines = dict(line.partition(":")[::2] for line in status.splitlines())
        return int(lines.get("VmHWM", "0").split()[0])

    def close(self) -> None:
        """Let go of it."""
        if self._schedule >= 0:
            os.close(self._schedule)
            self._schedule = -1


class Waits(Protocol):
    """What a guard asks a clock."""

    def waited_ns(self) -> int:
        """As ProcessClock tells."""
        ...


class Guard:
    """Counts the wall time that a bot has had for a decision; looked at about every TICK_NS."""

    def __init__(self, clock: Waits, budget_ns: int) -> None:
        self.limit_ns = PATIENCE_FACTOR * budget_ns + PATIENCE_NS
        self._clock = clock
        self._waited = clock.waited_ns()
        self._seen = time.monotonic_ns()
        self._had = 0
        self.had_ns = 0
        """Wall time that it could have used, as of the last look."""

    def asleep(self) -> bool:
        """Whether the bot has had more than its share, machine and match permitting."""
        now = time.monotonic_ns()
        # Had we been running we would have looked sooner: more than a few ticks is our own pause.
        self._had += min(now - self._seen, 3 * TICK_NS)
        self._seen = now
        self.had_ns = max(0, self._had - (self._clock.waited_ns() - self._waited))
        return self.had_ns > self.limit_ns
