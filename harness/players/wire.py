"""What crosses between the match, the zygote and a seat, as msgpack; the only place where it is put together.

The match trusts nothing that comes from a seat: replies are decoded strictly, into the types below. Views
are NamedTuples of plain values and are rebuilt as such at the other end; moves are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from bots.core.bot import Clock
from engines.core.game import Game, Move, Outcome

LARGEST: Final = 1 << 16
"""Bytes of a seat's message; a longer one is a fault of its bot."""
COMPILED: Final = LARGEST - 1024
"""Bytes of compiled files that a message carries; a bot that has more is compiled in each seat."""
LARGEST_ASK: Final = 1 << 20
"""Bytes of a message to a seat."""
ASK: Final = ord("a")
"""The first byte of a question."""
END: Final = ord("e")
"""The first byte of the match's end."""
_ASK, _END = bytes((ASK,)), bytes((END,))
Data = bytes | memoryview


class Plan(Struct, array_like=True):
    """What a zygote is for."""

    level: str
    """A level, or `auto` for the best there is."""
    readable: list[str]
    """Files and folders that every seat may read."""
    hidden: list[str]
    """Folders below those, where packages are installed: an empty folder in a private root."""
    own: list[str]
    """Files and folders that only their own bots may read."""
    preload: list[str]
    """Modules to import before any bot runs."""
    user: int
    """The first of the numbers that seats' users get, should this be root."""


class Opened(Struct, array_like=True, tag="opened"):
    """The zygote is there, or why not."""

    level: str
    lacks: list[str]
    """The fields of `levels.Host`."""
    user: str
    """Who seats are, where that needs to be said."""
    error: str = ""


class Forked(Struct, array_like=True, tag="forked"):
    """A seat's process is there; its pidfd comes with this."""

    number: int


class Rules(Struct, array_like=True, tag="game"):
    """A game to have ready; games hold no state of play, so the zygote may know them."""

    name: str
    rules: str
    module: str
    """Where its class is: who plays one game need not have all of them in memory."""
    kind: str
    """What its class is called there."""


class Fork(Struct, array_like=True, tag="fork"):
    """Fork a seat. Its order comes on its own socket: what passes through a zygote stays readable there."""

    number: int
    over: list[int]
    """Seats that have been ended since the last one was forked."""


class Ended(Struct, array_like=True, tag="ended"):
    """Tell how a seat has ended: the answer is `Burial.tell`'s."""

    number: int


class Code(Struct, array_like=True):
    """Where a bot's class is."""

    kind: str
    """As in `submissions.Source`, or `probe` for the one that tries the walls."""
    path: str
    version: str = ""
    point: str = ""
    """An installed bot's entry point, `module:name`."""
    readable: tuple[str, ...] = ()
    """What this bot alone may read."""
    sources: tuple[str, ...] = ()
    """Its Python files, read before the door is shut where nothing can be opened later."""
    compiled: dict[str, bytes] = {}
    """The same compiled, as `private_import.compiled` has them, if a message can carry them."""
    command: tuple[str, ...] = ()
    """Of a program in another language: what it is told, its own name first; it runs in the folder `path`."""
    executable: tuple[str, ...] = ()
    """The files that it may execute: itself first."""


class Order(Struct, array_like=True):
    """All that a seat is told at the start."""

    code: Code
    options: dict[str, Any]
    game: str
    rules: str
    seat: int
    luck: int
    memory: int
    """Bytes that it may allocate; 0 for no bound."""
    task: str = "play"
    """`play`; `describe`: say what the bot's class claims, and end; or `compile` its files, and end."""


class Locked(Struct, array_like=True, tag="locked"):
    """The door is shut; nothing of the bot has run yet."""


class Ready(Struct, array_like=True, tag="ready"):
    """The bot is there."""

    wants_end: bool
    """Whether its class has an `end` of its own."""
    about: str = ""
    """What a task other than `play` found out, as JSON."""
    compiled: dict[str, bytes] = {}
    """What the task `compile` made, as `Code.compiled` has it."""


class Moved(Struct, array_like=True, tag="moved", omit_defaults=True):
    """The bot's choice."""

    request: int
    move: int
    metrics: dict[str, float] | None = None


class Failed(Struct, array_like=True, tag="failed"):
    """The bot did wrong, by its own account."""

    request: int
    kind: str
    detail: str


Reply = Locked | Ready | Moved | Failed
FAULTS: Final = frozenset({"start", "exception", "wrong_type", "memory"})
"""The kinds of fault that a seat can report of itself."""

encode: Final[Callable[[Any], bytes]] = msgspec.msgpack.Encoder().encode
LOCKED: Final = encode(Locked())
read_reply: Final[Callable[[Data], Reply]] = msgspec.msgpack.Decoder(Reply).decode
read_news: Final[Callable[[Data], Opened | Forked]] = msgspec.msgpack.Decoder(Opened | Forked).decode
read_request: Final[Callable[[Data], Rules | Fork | Ended]] = msgspec.msgpack.Decoder(
    Rules | Fork | Ended
).decode
read_order: Final[Callable[[Data], Order]] = msgspec.msgpack.Decoder(Order).decode
read_plan: Final[Callable[[Data], Plan]] = msgspec.msgpack.Decoder(Plan).decode


UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, MemoryError)
"""What reading a message can raise, whatever its bytes are."""


def why(error: BaseException) -> str:
    """What was wrong with a message that could not be read; some of it may be the sender's own text."""
    return str(error)[:200]


def view_type(game: Game[Any, Any]) -> type:
    """The class of a game's views."""
    state = game.deal(0)
    return type(game.view(state, int(state.seat)))


def check_views(game: Game[Any, Any]) -> None:
    """Refuse a game whose views cannot be sent; raises TypeError."""
    state = game.deal(0)
    view = game.view(state, int(state.seat))
    try:
        same = msgspec.msgpack.decode(encode(view), type=type(view)) == view
    except (msgspec.MsgspecError, TypeError, OverflowError) as error:
        raise TypeError(f"views of {game.name} cannot be sent to an isolated bot: {error}") from None
    if not same:
        raise TypeError(f"views of {game.name} cannot be sent to an isolated bot: expected plain values")


def ask(
    request: int, view: Any, moves: Sequence[Move], news: Sequence[tuple[int, Move]], clock: Clock
) -> bytes:
    """A decision to make."""
    told = [number for seat, move in news for number in (seat, int(move))]
    return _ASK + encode((request, view, list(map(int, moves)), told, clock))


def asks(game: Game[Any, Any]) -> Callable[[Data], tuple[int, Any, list[int], list[int], Clock]]:
    """What reads `ask`, at the seat."""
    form: Any = tuple.__class_getitem__((int, view_type(game), list[int], list[int], Clock))
    return msgspec.msgpack.Decoder(form).decode


def ending(request: int, outcome: Outcome | None) -> bytes:
    """The match is over."""
    return _END + encode((request, outcome))


read_ending: Final[Callable[[Data], tuple[int, Outcome | None]]] = msgspec.msgpack.Decoder(
    tuple[int, Outcome | None]
).decode
