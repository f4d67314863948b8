"""A bot in any language: a program that is asked in JSON lines, in a process shut in as any seat's is."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec

from bots.core.bot import Clock
from engines.core.chance import LUCK_LIMIT
from engines.core.game import Game, Move, Outcome
from harness.players import levels, wire
from harness.players.base import BotFault
from harness.players.channel import Channel, Closed
from harness.players.clocks import TICK_NS, Guard
from harness.players.isolated import IMPORT_MS, IsolatedPlayer, budget_ns
from harness.players.lines import Ended, Lines
from harness.players.spawner import Seat
from harness.protocol import messages

_SHOWN: Final = 40
"""Bytes of a line that is no answer, for its author."""
_ENDING: Final = 0.25
"""Seconds that a program has to end by itself when its match is over. Nothing hangs on it."""
_EXEC_NS: Final = 200_000_000
"""CPU that the step from a seat to its program may take."""
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(messages.FromBot).decode


class ExternalPlayer(IsolatedPlayer):
    """Seats a program in a fresh process at the spawner's level. docs/protocol.md has what is said."""

    _lines: Lines | None = None
    _answered = -1

    def start(self, game: Game[Any, Any], seat: int, luck: int) -> None:
        """Fork the seat, have it shut in, start the program there, and greet it."""
        self._game = game
        name, rules = self._spawner.have(game)
        order = wire.Order(self._code, self._options, name, rules, seat, luck, self._memory)
        theirs_in, ours_in = os.pipe2(os.O_CLOEXEC)
        ours_out, theirs_out = os.pipe2(os.O_CLOEXEC)
        self._lines = Lines(ours_in, ours_out)
        try:
            self._seat = self._spawner.seat(order, theirs_in, theirs_out)
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        hello = messages.Hello(
            messages.PROTOCOL,
            game.name,
            msgspec.to_builtins(game.rules),
            seat,
            game.seats,
            list(game.sides),
            self._options,
            Random(luck).randrange(LUCK_LIMIT),
        )
        budget = int((self._limits.import_ms or IMPORT_MS) * 1e6)
        try:
            reply = self._exchange(hello, budget, "to start")
        except Ended:
            raise self._not_started() from None
        except BotFault as fault:
            raise self._out("start", f"did not start: it {fault.detail}") from None
        if not isinstance(reply, messages.Ready):
            raise self._out("start", "did not start: its first line was not `ready`")
        if reply.protocol != messages.PROTOCOL:
            raise self._out(
                "start", f"did not start: it speaks protocol {reply.protocol}, this is {messages.PROTOCOL}"
            )

    def act(self, view: Any, moves: Sequence[Move], news: list[tuple[int, Move]], clock: Clock) -> int:
        """Ask the program."""
        request = int.from_bytes(os.urandom(7), "big") % LUCK_LIMIT
        asked = messages.Act(
            request,
            self._game.view_position(view),
            [move.name for move in moves],
            [int(move) for move in moves],
            [(seat, move.name) for seat, move in news],
            messages.Clock(*clock),
        )
        try:
            reply = self._exchange(asked, budget_ns(clock), "for a move")
        except Ended:
            raise self._death("crash", "in the middle of a decision") from None
        except BotFault as fault:
            raise self._out(fault.kind, fault.detail) from None
        if not isinstance(reply, messages.Chosen):
            raise self._out("malformed", "answered `ready` where a move was asked for")
        if reply.id != request:
            # It may have been stopped between two lines, and write the second in its next turn.
            twice = "once more, which was answered" if reply.id == self._answered else "which was not asked"
            raise self._out("malformed", f"answered question {reply.id}, {twice}")
        self._answered = request
        if reply.metrics:
            self._note(reply.metrics)
        return self._number(reply.move)

    def end(self, outcome: Outcome | None) -> None:
        """Tell the program, and give it a moment to end by itself."""
        if self._seat is None or self._lines is None:
            return
        told = None
        if outcome is not None:
            told = messages.Outcome(
                list(outcome.scores), list(outcome.places), list(outcome.sides), outcome.reason
            )
        self._seat.channel.thaw()
        self._lines.finish(_encode(messages.End(told)), _ENDING)

    def close(self) -> None:
        """End the process, and let go of the pipes also where it never came to be."""
        super().close()
        self._let_go()

    def _number(self, move: int | str) -> int:
        """A move as its number, legal or not."""
        if isinstance(move, int):
            return move
        found = self._game.by_name.get(move)
        if found is None:
            raise BotFault("illegal", f"played {move[:40]!r}, which is no move of {self._game.name}")
        return int(found)

    def _exchange(
        self, message: messages.FromReferee, budget_ns: int, what: str
    ) -> messages.Ready | messages.Chosen:
        """Send a line, wake the program, wait for a line, freeze, charge. Raises BotFault or Ended."""
        channel, lines = self._channel(), self._lines
        assert lines is not None
        try:
            lines.expect_nothing()
            lines.send(_encode(message))
            channel.thaw()
            line = self._line(lines, channel, budget_ns, what)
            channel.freeze()
        finally:
            self.cpu_ns = channel.settle()
        try:
            return _decode(line)
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            start = ascii(line[:_SHOWN].decode(errors="replace"))
            raise BotFault("malformed", f"sent a line that is no answer: {start}: {error}") from None

    @staticmethod
    def _line(lines: Lines, channel: Channel, budget_ns: int, what: str) -> bytes:
        """The next line, within the clocks."""
        guard: Guard | None = None
        while (line := lines.receive(TICK_NS / 1e9)) is None:
            guard = channel.look(guard, budget_ns, what)
        if guard is not None:
            channel.answered(guard)
        return line

    def _not_started(self) -> BotFault:
        """Why a program ended before it said `ready`."""
        try:
            reply = self._channel().receive(_EXEC_NS, "to start")
        except (Closed, BotFault):
            return self._death("start", "before it said `ready`")
        detail = reply.detail if isinstance(reply, wire.Failed) else "cannot be started"
        return self._out("start", f"did not start: {self._code.executable[0]} {detail}")

    def _dismiss(self, seat: Seat) -> None:
        if self._spawner.level == levels.BOUNDED:
            # Nothing has kept it from starting others; those that left its group are beyond this level.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(seat.channel.clock.process, signal.SIGKILL)
        super()._dismiss(seat)
        self._let_go()

    def _let_go(self) -> None:
        if self._lines is not None:
            self._lines.close()
            self._lines = None
