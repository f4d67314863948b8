"""How long a search may go on: a number of nodes, which can be repeated, or the clock, which cannot."""

from __future__ import annotations

from time import thread_time
from typing import Final

from bots.core.bot import Clock

DEFAULT_NODES: Final = 200
"""Iterations of a search that is told neither nodes nor time."""
DECISION_SHARE: Final = 0.6
"""How much of a decision's CPU limit a search uses: the last iteration may be a long one."""
BANK_SHARE: Final = 1 / 24
"""How much of the bank one decision uses: what is left shrinks, and never runs out."""


class Budget:
    """One decision's budget. With nodes the result can be repeated; time then only cuts short.

    `nodes` is the bot's own number; the match's limit stands before a greater one. Where there is
    neither, CPU time decides if the match has such a limit, `default` nodes otherwise.
    """

    def __init__(self, clock: Clock, nodes: int | None = None, default: int = DEFAULT_NODES) -> None:
        asked = [limit for limit in (clock.nodes, nodes) if limit is not None]
        seconds = [clock.decision * DECISION_SHARE] if clock.decision is not None else []
        if clock.bank is not None:
            seconds.append(clock.bank * BANK_SHARE)
        self.nodes: int | None = min(asked) if asked else None if seconds else default
        self._last = thread_time() if seconds else 0.0
        self._until = self._last + min(seconds) if seconds else None
        self._longest = 0.0
        self.used = 0

    @property
    def until(self) -> float | None:
        """The moment of `thread_time` at which the search ends; None without a clock."""
        return self._until

    def more(self) -> bool:
        """Whether one more iteration fits, be it as long as the longest so far; the first always does."""
        used = self.used
        if used:
            if self.nodes is not None and used >= self.nodes:
                return False
            if self._until is not None:
                now = thread_time()
                self._longest = max(self._longest, now - self._last)
                self._last = now
                if now + self._longest >= self._until:
                    return False
        self.used = used + 1
        return True
