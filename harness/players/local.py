"""A bot in the match's own process: the fastest way to play, and the debugger's friend."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from random import Random
from time import perf_counter_ns, thread_time_ns
from typing import Any

from bots.core.bot import Bot, Clock, Seen
from engines.core.game import Game, Move, Outcome
from harness.players.base import BotFault
from harness.players.metrics import Metrics
from harness.players.own_cpu import OwnCpu
from harness.wording import named

QUICK_NS = 100_000
"""A decision that took less than this by the wall clock is charged that time: its CPU cannot be more."""
_DETAIL = 300
"""Characters of a bot's own error message that are kept."""


class LocalPlayer:
    """Seats one fresh object of a Bot class.

    CPU is that of this thread: the match loop and its bots share one, and what other threads of a
    worker do is nobody's move, nor is a search of all memory for garbage. Reading that clock costs more
    than a quick bot does, so where no limit hangs on it, decisions go by the wall clock until one takes
    longer than QUICK_NS.
    With `raise_faults` the bot's own exceptions come through, for pdb. `interrupted` tells whether a
    KeyboardInterrupt is a person's; where it says no, the bot has raised it.
    """

    generator: Callable[[int], Random] = Random
    """What makes the bot's generator of its seed."""

    def __init__(
        self,
        kind: type[Bot[Any]],
        options: Mapping[str, Any] | None = None,
        *,
        raise_faults: bool = False,
        interrupted: Callable[[], bool] = lambda: True,
    ) -> None:
        self.kind = kind
        self.options = dict(options or {})
        self.raise_faults = raise_faults
        self.interrupted = interrupted
        self.cpu_ns = 0
        self._exact = False
        self._own: OwnCpu | None = None
        self._history: list[tuple[int, Move]] = []
        self._numbers = Metrics()

    def start(self, game: Game[Any, Any], seat: int, luck: int) -> None:
        """Build the bot."""
        self._seat = seat
        self._read = thread_time_ns(), perf_counter_ns()
        rng = self.generator(luck)
        try:
            game = copy(game)  # its own, so that what a bot does to it stays in its seat
            self._bot = self.kind(game, seat, rng, **self.options)
            # An __init__ of its own need not call the base's.
            for name, value in (("game", game), ("seat", seat), ("rng", rng)):
                if not hasattr(self._bot, name):
                    setattr(self._bot, name, value)
        except BaseException as error:
            raise self._fault(error, "start", "did not start: ") from error

    def act(self, view: Any, moves: Sequence[Move], news: list[tuple[int, Move]], clock: Clock) -> int:
        """Ask the bot, and time it."""
        history = self._history
        history += news
        seen: Seen[Any] = Seen(self._seat, view, moves, news, history, clock)
        exact = self._exact or clock.decision is not None or clock.bank is not None
        now = self.cpu_clock() if exact else perf_counter_ns
        began = now()
        try:
            move = self._bot.act(seen)
            self.cpu_ns = now() - began
            if not exact and self.cpu_ns > QUICK_NS:
                self._slow(began)
            if type(move) is not int and not isinstance(move, Move):
                move = _whole(move)
            if seen.metrics:
                self._note(seen.metrics)
        except BotFault:
            raise
        except BaseException as error:
            self.cpu_ns = now() - began
            raise self._fault(error, "exception", "") from error
        return move

    def end(self, outcome: Outcome | None) -> None:
        """Tell the bot."""
        try:
            self._bot.end(outcome)
        except BaseException as error:
            raise self._fault(error, "exception", "in end(): ") from error

    def close(self) -> None:
        """Let go of the clock."""
        if self._own:
            self._own.close()

    def metrics(self) -> dict[str, float]:
        """Averages of what the bot recorded."""
        return self._numbers.means()

    def cpu_clock(self) -> Callable[[], int]:
        """What decisions go by where their CPU is limited: reads nanoseconds."""
        if not self._own:
            self._own = OwnCpu()
        return self._own.read_ns

    def _slow(self, began: int) -> None:
        """Charge the first decision that was not quick, and read the CPU clock from now on.

        It is the CPU since `start` less all the time until the decision began: right unless this thread
        had to wait before, and then too little rather than too much.
        """
        cpu, wall = self._read
        self.cpu_ns = min(self.cpu_ns, max(0, thread_time_ns() - cpu - (began - wall)))
        self._exact = True

    def _note(self, metrics: Mapping[str, float]) -> None:
        self._numbers.note(metrics)

    def _fault(self, error: BaseException, kind: str, when: str) -> BotFault:
        if self.raise_faults or (isinstance(error, KeyboardInterrupt) and self.interrupted()):
            raise error
        return BotFault(kind, f"{when}raised {described(error, self.kind.__module__)}")


def _whole(move: object) -> int:
    """`move` as an int if it is a whole number of some other library; raises BotFault otherwise."""
    if not isinstance(move, bool):
        try:
            return operator.index(move)  # type: ignore[arg-type]  # that is the question
        except TypeError:
            pass
    try:
        shown = _cut(repr(move))
    except Exception:  # noqa: BLE001 - its own __repr__, or lists within lists too deep for Python's
        shown = "what cannot be shown"
    raise BotFault("wrong_type", f"returned {shown} ({type(move).__name__}), which is no move")


def described(error: BaseException, module: str = "") -> str:
    """`KeyError: 7 (bot.py line 12)`: one line, whatever the exception's own text does.

    The place is the last that is in a file of the bot, whose class is in `module`.
    """
    return f"{_cut(named(error))}{_place(error, module)}"


def _place(error: BaseException, module: str) -> str:
    """Where in the bot's own files; empty where nothing of the bot was running."""
    root = module.partition(".")[0]
    # A bot from elsewhere has a package of its own; one of ours shares it with others.
    package = "" if root in ("bots", "engines", "harness") else root
    place = ""
    step = error.__traceback__
    while step is not None:
        name = str(step.tb_frame.f_globals.get("__name__", ""))
        if name == module or (package and name.partition(".")[0] == package):
            place = f" ({step.tb_frame.f_code.co_filename.rpartition('/')[2]} line {step.tb_lineno})"
        step = step.tb_next
    return place


def _cut(text: str) -> str:
    return text if len(text) <= _DETAIL else f"{text[:_DETAIL]}…"
