"""A bot in a process of its own: what the match asks goes over a channel, what comes back is checked."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bots.core.bot import Clock
from engines.core.game import Game, Move, Outcome
from harness.players import wire
from harness.players.base import BotFault, PlatformFault
from harness.players.channel import Channel, Closed
from harness.players.lockdown.limits import OUTPUT
from harness.players.metrics import Metrics
from harness.players.spawner import Seat, Spawner, printed
from harness.records import Limits

DECISION_NS: Final = 60_000_000_000
"""CPU for one decision where the match has no limit: so that a bot that hangs stops no event."""
IMPORT_MS: Final = 5_000.0
"""CPU milliseconds for importing a bot and making its object, unless `limits.import_ms` says otherwise."""
MEMORY_MB: Final = 1024
"""Megabytes, unless `limits.memory_mb` says otherwise."""
_ENDING_NS: Final = 1_000_000_000


class IsolatedPlayer:
    """Seats a bot in a fresh process at the spawner's level.

    `printed` gets what the bot wrote to its standard output and error, if anything, when the match is over.
    """

    def __init__(
        self,
        spawner: Spawner,
        code: wire.Code,
        options: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        *,
        printed: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.cpu_ns = 0
        self._spawner = spawner
        self._code = code
        self._options = dict(options or {})
        self._limits = limits or Limits()
        self._memory = (self._limits.memory_mb or MEMORY_MB) << 20
        self._printed = printed
        self._numbers = Metrics()
        self._seat: Seat | None = None
        self._wants_end = False

    def start(self, game: Game[Any, Any], seat: int, luck: int) -> None:
        """Fork the seat, have it shut in, and import the bot there."""
        name, rules = self._spawner.have(game)
        order = wire.Order(self._code, self._options, name, rules, seat, luck, self._memory)
        self._seat = self._spawner.seat(order)
        channel = self._seat.channel
        budget = int((self._limits.import_ms or IMPORT_MS) * 1e6)
        try:
            reply = channel.receive(budget, "to start")
        except Closed:
            raise self._death("start", "while it started") from None
        except BotFault as fault:
            raise self._out("start", f"did not start: it {fault.detail}") from None
        channel.freeze()
        channel.settle()
        if isinstance(reply, wire.Failed):
            raise self._failure(reply)
        if not isinstance(reply, wire.Ready):
            raise self._out("malformed", "wrote to the match's channel by itself while it started")
        self._wants_end = reply.wants_end

    def act(self, view: Any, moves: Sequence[Move], news: list[tuple[int, Move]], clock: Clock) -> int:
        """Ask the bot over its channel."""
        channel = self._channel()
        request = next(channel.requests)
        message = wire.ask(request, view, moves, news, clock)
        try:
            reply = channel.ask(message, request, budget_ns(clock), "for a move")
        except Closed:
            raise self._death("crash", "in act()") from None
        except BotFault as fault:
            raise self._out(fault.kind, fault.detail) from None
        finally:
            self.cpu_ns = channel.charged_ns
        if isinstance(reply, wire.Failed):
            raise self._failure(reply)
        if reply.metrics:
            self._note(reply.metrics)
        return reply.move

    def end(self, outcome: Outcome | None) -> None:
        """Tell the bot, if it wants to know and is still there."""
        if self._seat is None or not self._wants_end:
            return
        channel = self._channel()
        request = next(channel.requests)
        try:
            reply = channel.ask(wire.ending(request, outcome), request, _ENDING_NS, "in end()")
        except Closed:
            raise self._death("crash", "in end()") from None
        except BotFault as fault:
            raise self._out(fault.kind, fault.detail) from None
        if isinstance(reply, wire.Failed):
            raise self._failure(reply)

    def metrics(self) -> dict[str, float]:
        """Averages of what the bot recorded."""
        return self._numbers.means()

    def peak_kb(self) -> int:
        """The most memory that the seat has held so far, in KiB; 0 where there is none (any more)."""
        return 0 if self._seat is None else self._seat.channel.clock.peak_kb()

    def close(self) -> None:
        """End the process; hand on what it printed."""
        if self._seat is not None:
            self._dismiss(self._seat)

    def _channel(self) -> Channel:
        if self._seat is None:
            raise PlatformFault("a seat was asked that is not there")
        return self._seat.channel

    def _note(self, metrics: Mapping[str, float]) -> None:
        try:
            self._numbers.note(metrics)
        except ValueError as error:
            raise self._out("malformed", f"recorded what is no metric: {error}") from None

    def _failure(self, reply: wire.Failed) -> BotFault:
        """What a bot did by its own account."""
        if reply.kind not in wire.FAULTS:
            return self._out("malformed", f"reported a fault of its own making: {reply.kind}")
        return BotFault(reply.kind, reply.detail + _hint(reply.detail))

    def _death(self, kind: str, when: str) -> BotFault:
        """Why a process is gone; raises PlatformFault where its zygote is gone too."""
        seat = self._seat
        if seat is None:
            return BotFault(kind, f"ended {when}")
        end = self._spawner.end_of(seat)
        code = os.waitstatus_to_exitcode(end.status)
        if end.peak_kb * 1024 > 0.9 * self._memory:
            kind, what = "memory", f"died at {end.peak_kb // 1024} MB; the limit is {self._memory >> 20} MB"
        elif code >= 0:
            what = f"ended itself {when} (exit code {code})"
        else:
            what = f"was ended by {_signal(-code)} {when}"
        return self._out(kind, what)

    def _out(self, kind: str, detail: str) -> BotFault:
        """A fault after which the seat's process is not asked again."""
        if self._seat is not None:
            self._dismiss(self._seat)
        return BotFault(kind, detail)

    def _dismiss(self, seat: Seat) -> None:
        self._seat = None
        size = os.fstat(seat.output).st_size
        text = printed(seat.output, OUTPUT) if size else ""
        self._spawner.dismiss(seat)
        if size >= OUTPUT:
            text += f"\n[cut: a seat's output is kept up to {OUTPUT // 1024} KiB]\n"
        if text:
            self._printed(text)


def budget_ns(clock: Clock) -> int:
    """The CPU that a decision may take at most."""
    seconds, bank, _ = clock
    if seconds is None or (bank is not None and bank < seconds):
        seconds = bank
    return DECISION_NS if seconds is None else int(seconds * 1e9)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _hint(detail: str) -> str:
    """What an author needs to know who meets the walls."""
    if "ModuleNotFoundError" in detail:
        return " (isolated bots import the standard library, engines, and what the config's `allow` names)"
    if "PermissionError" in detail or "Read-only file system" in detail or "can't start new thread" in detail:
        return (
            " (isolated bots may not write files, read any but their own, use the network, "
            "or start processes or threads: docs/isolation.md)"
        )
    return ""
