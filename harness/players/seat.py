"""A seat's process, from the fork to its end: shut in first, then the bot, then one decision after another.

The bot shares this process with the code here and can do with it what it likes: nothing here is relied on
by the match, which believes a reply only as far as it can check it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import random
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

from bots import uniform
from bots.core.bot import Bot, Clock, Seen
from engines.core.game import Game, Move
from harness import private_import, submissions
from harness.players import lockdown, probe, program, wire
from harness.players.base import BotFault
from harness.players.local import LocalPlayer
from harness.players.lockdown import landlock, namespaces
from harness.players.lockdown.limits import OUTPUT
from harness.players.metrics import checked
from harness.wording import one_line

if TYPE_CHECKING:
    from harness.players.zygote import Zygote

CHANNEL: Final = 3
"""The descriptor of the seat's socket."""
FAILED_TO_LOCK: Final = 72
"""Exit code of a seat that could not be shut in: never its bot's fault."""
_WARM: Final = 20
"""Times after which the interpreter has specialized what it runs."""
_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1


class Home(Protocol):
    """What a seat finds ready."""

    @property
    def games(self) -> Mapping[tuple[str, str], Game[Any, Any]]:
        """By name and rules."""
        ...

    @property
    def library(self) -> Sequence[str]:
        """The import path of the standard library."""
        ...


class Output:
    """Standard output of a bot: never raises and never waits; what is over the limit is dropped."""

    encoding = "utf-8"
    errors = "replace"
    closed = False

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left = OUTPUT

    def write(self, text: str) -> int:
        """Write, or not."""
        data = str(text).encode("utf-8", "replace")[: self._left]
        self._left -= len(data)
        with contextlib.suppress(OSError):
            os.write(self._descriptor, data)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing is held back."""

    def fileno(self) -> int:
        """The descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """No terminal."""
        return False

    def writable(self) -> bool:
        """Yes."""
        return True


def main(
    zygote: Zygote, channel: int, output: int, parent: int, number: int, pipes: tuple[int, ...] = ()
) -> NoReturn:
    """Be the seat; called in the child of the fork. `pipes` are the input and output of a program."""
    try:
        order = wire.read_order(os.read(channel, wire.LARGEST_ASK))
        if pipes:
            program.shut_and_start(zygote, order, channel, output, number, parent, pipes)
        sources = _shut(zygote, order, channel, output, number)
        if os.getppid() != parent:
            os._exit(FAILED_TO_LOCK)  # the zygote ended before its end could end this
    except BaseException:  # noqa: BLE001 - nothing of the bot has run: whatever this is, it is not its fault
        os.write(output, traceback.format_exc().encode()[-2000:])
        os._exit(FAILED_TO_LOCK)
    os.write(CHANNEL, wire.encode(wire.Locked()))
    private_import.sources.update(sources)
    serve(zygote, order)
    os._exit(0)


def _shut(zygote: Zygote, order: wire.Order, channel: int, output: int, number: int) -> dict[str, bytes]:
    """Apply the level's layers; returns the bot's sources where they cannot be opened later."""
    sources: dict[str, bytes] = {}
    if not zygote.layers.opens:
        for path in order.code.sources:
            with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be imported for it
                sources[path] = file.read()
    grants = None
    if zygote.layers.landlock:
        grants = [*zygote.grants, *landlock.grants(order.code.readable)]
    elif zygote.layers.namespaces:
        namespaces.cover(path for path in zygote.plan.own if path not in order.code.readable)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setpgid(0, 0)
    os.umask(0o077)
    os.chdir(zygote.empty)
    nothing = os.open(os.devnull, os.O_RDONLY)
    if channel != CHANNEL:
        # The control socket is somewhere down here as well; what is overwritten is only this process's copy.
        if output == CHANNEL:
            output = os.dup(output)
        os.dup2(channel, CHANNEL)
    os.set_inheritable(CHANNEL, False)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.dup2(nothing, 0)
    user = zygote.user_of(number)
    memory = zygote.size + order.memory if order.memory else 0
    lockdown.shut(lockdown.Bounds(memory=memory, user=user, readable=grants, calls=zygote.calls))
    lockdown.only_descriptors(CHANNEL + 1)
    return sources


class _SeatPlayer(LocalPlayer):
    """A bot in this process, whose own numbers go out with every move."""

    noted: dict[str, float] | None = None

    def _note(self, metrics: Mapping[str, float]) -> None:
        self.noted = checked(metrics)


def _receive(buffer: bytearray) -> int:
    return os.readv(CHANNEL, [buffer])


def _send(reply: wire.Reply) -> None:
    os.write(CHANNEL, wire.encode(reply))


def serve(
    home: Home,
    order: wire.Order,
    receive: Callable[[bytearray], int] = _receive,
    send: Callable[[wire.Reply], None] = _send,
) -> None:
    """Bring the bot up and let it decide until the channel closes: when `receive` says 0 bytes."""
    sys.stdout = sys.__stdout__ = Output(1)  # type: ignore[assignment,misc]  # all of a text file that bots use
    sys.stderr = sys.__stderr__ = Output(2)  # type: ignore[assignment,misc]  # all of a text file that bots use
    sys.argv[:] = ["bot"]
    sys.path[:] = home.library
    if order.code.kind == "probe":
        send(wire.Ready(False, json.dumps(probe.attempts())))
        return
    try:
        code = order.code
        kind = submissions.import_type(code.kind, Path(code.path), code.version, code.point)
        if order.task == "describe":
            send(wire.Ready(False, json.dumps(submissions.describe_type(kind))))
            return
        rng = wire.rng_of(order.luck)
        _seed_globals(rng)
        game = home.games[order.game, order.rules]
        player = _SeatPlayer(kind, order.options, interrupted=lambda: False)
        player.start(game, order.seat, rng)
    except BotFault as fault:
        send(_failure(0, fault))
        return
    except submissions.SetupError as error:
        send(_failure(0, BotFault("start", f"did not start: {one_line(error)}"), error))
        return
    gc.collect()
    send(wire.Ready(kind.end is not Bot.end))
    read, table = wire.asks(game), game.table.__getitem__
    buffer = bytearray(wire.LARGEST_ASK)
    message = memoryview(buffer)
    while size := receive(buffer):
        if buffer[0] == wire.ASK:
            request, view, legal, told, clock = read(message[1:size])
            news: list[tuple[int, Move]] = list(zip(told[::2], map(table, told[1::2]), strict=True))
            try:
                move = player.act(view, tuple(map(table, legal)), news, clock)
            except BotFault as fault:
                send(_failure(request, fault))
                continue
            number = move if type(move) is int else int(move)
            if not _LEAST <= number <= _MOST:
                number = _LEAST  # as illegal as the one it stands for
            send(wire.Moved(request, number, player.noted))
            player.noted = None
        else:
            request, outcome = wire.read_ending(message[1:size])
            try:
                player.end(outcome)
            except BotFault as fault:
                send(_failure(request, fault))
            else:
                send(wire.Moved(request, 0))


class _Rehearsal(Bot[Any]):
    """Plays any legal move."""

    def act(self, seen: Seen[Any]) -> int:
        return int(seen.moves[0])


def rehearse_import() -> None:
    """Go through what every seat will do to import its bot, with one of ours. See `rehearse`."""
    for _ in range(_WARM):
        submissions.describe_type(submissions.import_type("file", Path(uniform.__file__), "rehearsal"))
        private_import.forget()


def rehearse(game: Game[Any, Any]) -> None:
    """Go through what every seat will do in a match, in the zygote and with no bot but our own.

    A fork copies a page of memory when it first writes there, and Python writes wherever it runs code for the
    first times: what has been run before costs each seat less.
    """
    state = game.deal(0)
    number, read, table = int(state.seat), wire.asks(game), game.table.__getitem__
    view, legal = game.view(state, number), tuple(map(table, state.moves()))
    message = wire.ask(1, view, legal, [(number, legal[0])], Clock(1.0, 1.0))
    for _ in range(_WARM):
        player = _SeatPlayer(_Rehearsal, {}, interrupted=lambda: False)
        player.start(game, number, wire.rng_of(wire.luck_of(random.Random(1))))
        request, view, moves, told, clock = read(memoryview(message)[1:])
        news = list(zip(told[::2], map(table, told[1::2]), strict=True))
        wire.encode(wire.Moved(request, int(player.act(view, tuple(map(table, moves)), news, clock))))


def _failure(request: int, fault: BotFault, cause: BaseException | None = None) -> wire.Failed:
    """What to tell the match in one line; the author is told at length, in the bot's output."""
    cause = cause or fault.__cause__
    kind = fault.kind
    if cause is not None:
        if isinstance(cause, MemoryError) or isinstance(cause.__cause__, MemoryError):
            kind = "memory"
        try:
            sys.stderr.write("".join(traceback.format_exception(cause)))
        except BaseException:  # noqa: BLE001 - the bot's own exception classes may do anything
            sys.stderr.write("(the traceback cannot be shown)\n")
    return wire.Failed(request, kind, fault.detail[:2000])


def _seed_globals(rng: random.Random) -> None:
    """Generators that libraries share start the same in every seat of this spec, not as the zygote's were."""
    seed = random.Random()
    seed.setstate(rng.getstate())
    random.seed(seed.getrandbits(64))
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(seed.getrandbits(32))
