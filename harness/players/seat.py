"""A seat's process, from the fork to its end: shut in first, then the bot, then one decision after another.

The bot shares this process with the code here and can do with it what it likes: nothing here is relied on
by the match, which believes a reply only as far as it can check it.
"""

from __future__ import annotations

import functools
import json
import os
import random
import sys
import traceback
from collections.abc import Callable, Mapping
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

from bots import uniform
from bots.core.bot import Bot, Clock, Seen
from engines.core.chance import LUCK_LIMIT
from engines.core.game import Game, Move
from harness import bot_class, private_import
from harness.players import probe, program, wire
from harness.players.base import BotFault
from harness.players.local import LocalPlayer
from harness.players.lockdown import landlock, namespaces
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
_SHARED: Final = LUCK_LIMIT
"""Added to a bot's seed for the generator that all of Python shares: a stream of its own."""
_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1


class Home(Protocol):
    """What a seat finds ready."""

    buffer: bytearray
    """For what it is told."""
    games: dict[tuple[str, str], tuple[Game[Any, Any], Reader]]
    """By name and rules, with what reads questions about each."""
    library: list[str]
    """The import path of the standard library."""
    rng: random.Random
    """A generator; making one takes longer than seeding it."""


def main(
    zygote: Zygote, channel: int, output: int, parent: int, number: int, pipes: tuple[int, ...] = ()
) -> NoReturn:
    """Be the seat; called in the child of the fork. `pipes` are the input and output of a program."""
    try:
        size = os.readv(channel, [zygote.buffer])
        order = wire.read_order(memoryview(zygote.buffer)[:size])
        if pipes:
            program.shut_and_start(zygote, order, channel, output, number, parent, pipes)
        sources = _shut(zygote, order, channel, output, number)
        if os.getppid() != parent:
            os._exit(FAILED_TO_LOCK)  # the zygote ended before its end could end this
    except BaseException:  # noqa: BLE001 - nothing of the bot has run: whatever this is, it is not its fault
        os.write(output, traceback.format_exc().encode()[-2000:])
        os._exit(FAILED_TO_LOCK)
    os.write(CHANNEL, wire.LOCKED)
    private_import.sources.update(sources)
    private_import.compiled.update(order.code.compiled)
    serve(
        zygote,
        order,
        functools.partial(os.readv, CHANNEL, [zygote.buffer]),
        functools.partial(os.write, CHANNEL),
    )
    os._exit(0)


def _shut(zygote: Zygote, order: wire.Order, channel: int, output: int, number: int) -> dict[str, bytes]:
    """Apply the level's layers; returns the bot's sources where they cannot be opened later."""
    sources: dict[str, bytes] = {}
    if not zygote.layers.opens:
        for path in order.code.sources:
            with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be imported for it
                sources[path] = file.read()
    restrict = None
    if zygote.layers.landlock:
        readable = order.code.readable
        restrict = zygote.files.get(readable) or zygote.files_of(landlock.grants(readable))
    elif zygote.layers.namespaces:
        namespaces.cover(path for path in zygote.plan.own if path not in order.code.readable)
    os.setpgid(0, 0)
    os.dup2(channel, CHANNEL, inheritable=False)
    # Not the zygote's own: a file's flags are the same for all that have it from the same open().
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    memory = zygote.size + order.memory if order.memory else 0
    zygote.door.shut(memory, zygote.user_of(number), restrict)
    zygote.door.close(CHANNEL + 1)
    return sources


class _SeatPlayer(LocalPlayer):
    """A bot in this process, whose own numbers go out with every move."""

    noted: dict[str, float] | None = None

    def cpu_clock(self) -> Callable[[], int]:
        """One that costs no system call: the match has a clock on this process."""
        return perf_counter_ns

    def _note(self, metrics: Mapping[str, float]) -> None:
        self.noted = checked(metrics)


def serve(
    home: Home,
    order: wire.Order,
    receive: Callable[[], int],
    send: Callable[[bytes], object],
) -> None:
    """Bring the bot up and let it decide until the channel closes: when `receive` says 0 bytes.

    `receive` puts a message in the home's buffer and says how long it is.
    """
    encode = wire.encode
    sys.path[:] = home.library
    if order.code.kind == "probe":
        send(encode(wire.Ready(False, json.dumps(probe.attempts()))))
        return
    try:
        code = order.code
        if order.task == "compile":
            files = private_import.compile_files(code.sources, wire.COMPILED)
            send(encode(wire.Ready(False, compiled=files)))
            return
        kind = bot_class.import_type(code.kind, code.path, code.version, code.point)
        if order.task == "describe":
            send(encode(wire.Ready(False, json.dumps(bot_class.describe_type(kind)))))
            return
        game, read = home.games[order.game, order.rules]
        player = _SeatPlayer(kind, order.options, interrupted=lambda: False)
        player.generator = functools.partial(_seeded, home.rng)
        player.start(game, order.seat, order.luck)
    except BotFault as fault:
        send(encode(_failure(0, fault)))
        return
    except bot_class.SetupError as error:
        send(encode(_failure(0, BotFault("start", f"did not start: {one_line(error)}"), error)))
        return
    send(encode(wire.Ready(kind.end is not Bot.end)))
    table, buffer = game.table.__getitem__, home.buffer
    message = memoryview(buffer)
    while size := receive():
        if buffer[0] == wire.ASK:
            request, view, legal, told, clock = read(message[1:size])
            news: list[tuple[int, Move]] = list(zip(told[::2], map(table, told[1::2]), strict=True))
            try:
                move = player.act(view, tuple(map(table, legal)), news, clock)
            except BotFault as fault:
                send(encode(_failure(request, fault)))
                continue
            number = move if type(move) is int else int(move)
            if not _LEAST <= number <= _MOST:
                number = _LEAST  # as illegal as the one it stands for
            send(encode(wire.Moved(request, number, player.noted)))
            player.noted = None
        else:
            request, outcome = wire.read_ending(message[1:size])
            try:
                player.end(outcome)
            except BotFault as fault:
                send(encode(_failure(request, fault)))
            else:
                send(encode(wire.Moved(request, 0)))


class _Rehearsal(Bot[Any]):
    """Plays any legal move."""

    def act(self, seen: Seen[Any]) -> int:
        return int(seen.moves[0])


def rehearse_import() -> None:
    """Go through what every seat will do to import its bot, with one of ours. See `rehearse`."""
    for _ in range(_WARM):
        bot_class.describe_type(bot_class.import_type("file", uniform.__file__, "rehearsal"))
        private_import.forget()


Reader = Callable[[wire.Data], tuple[int, Any, list[int], list[int], Clock]]
"""What reads questions about a game."""


def rehearse(game: Game[Any, Any]) -> Reader:
    """Go through what every seat will do in a match, in the zygote and with no bot but our own.

    A fork copies a page of memory when it first writes there, and Python writes wherever it runs code for the
    first times: what has been run before costs each seat less.
    """
    state = game.deal(0)
    number, read, table = int(state.seat), wire.asks(game), game.table.__getitem__
    view, legal = game.view(state, number), tuple(map(table, state.moves()))
    message = wire.ask(1, view, legal, [(number, legal[0])], Clock(1.0, 1.0))
    rng = random.Random(0)
    for _ in range(_WARM):
        player = _SeatPlayer(_Rehearsal, {}, interrupted=lambda: False)
        player.generator = functools.partial(_seeded, rng)
        player.start(game, number, 1)
        request, view, moves, told, clock = read(memoryview(message)[1:])
        news = list(zip(told[::2], map(table, told[1::2]), strict=True))
        wire.encode(wire.Moved(request, int(player.act(view, tuple(map(table, moves)), news, clock))))
    return read


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


def _seeded(rng: random.Random, luck: int) -> random.Random:
    """The seat's generator; those that libraries share start as `luck` says too, not as the zygote's were."""
    random.seed(luck | _SHARED)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(luck % 2**32)
    rng.seed(luck)
    return rng
