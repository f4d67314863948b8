"""The messages of the exchange: one JSON object a line, typed here and nowhere else.

The referee says `hello`, then `act` for every decision, then `end`; the bot answers `ready` and `move`.
docs/protocol.md shows a whole exchange, `croupier schema GAME` prints these types as JSON Schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

PROTOCOL: Final = 1
"""Goes up when a program that speaks the old version could misunderstand the new one."""
LINE_LIMIT: Final = 65_536
"""Bytes that a line from a bot may have."""

Seat = Annotated[int, "A seat, from 0."]
Name = Annotated[str, "A move's name."]


class Clock(msgspec.Struct, frozen=True):
    """What may still be spent; null is no limit."""

    decision: Annotated[float | None, "CPU seconds for this decision."]
    bank: Annotated[float | None, "CPU seconds left for the rest of the match."]
    nodes: Annotated[int | None, "Nodes that a search may visit for this decision."]


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type"):
    """The first line: who plays what. The bot answers `ready`."""

    protocol: Annotated[int, "The version of this exchange."]
    game: str
    rules: Annotated[dict[str, Any], "Every option of the game with its value."]
    seat: Annotated[Seat, "The seat of this bot."]
    seats: Annotated[int, "How many seats the game has."]
    sides: Annotated[list[int], "One entry a seat; seats with the same number play together."]
    options: Annotated[dict[str, Any], "The bot's own options from the config."]
    seed: Annotated[int, "Below 2**53: the only source of luck, so that a match can be played again."]


class Act(msgspec.Struct, frozen=True, tag="act", tag_field="type"):
    """A decision to make. The bot answers `move` with the same `id`."""

    id: Annotated[int, "Below 2**53, different every time; the answer repeats it."]
    view: Annotated[Any, "All that the seat knows."]
    moves: Annotated[list[Name], "The legal moves by name, never empty."]
    numbers: Annotated[list[int], "The numbers of the same moves in the same order, ascending."]
    news: Annotated[
        list[tuple[Seat, Name]],
        "Public moves since this seat was last asked, its own and forced ones included.",
    ]
    clock: Clock


class Outcome(msgspec.Struct, frozen=True):
    """How the match ended; one entry a seat."""

    scores: list[float]
    places: Annotated[list[int], "1 is the best; equal scores tie."]
    sides: list[int]
    reason: Annotated[str, "won, draw, repetition or cap."]


class End(msgspec.Struct, frozen=True, tag="end", tag_field="type"):
    """The match is over; null where a fault ended it. There is no answer; the program is to exit."""

    outcome: Outcome | None


class Ready(msgspec.Struct, frozen=True, tag="ready", tag_field="type", forbid_unknown_fields=True):
    """The answer to `hello`."""

    protocol: Annotated[int, "The version that the bot speaks: that of `hello`."]


class Chosen(msgspec.Struct, frozen=True, tag="move", tag_field="type", forbid_unknown_fields=True):
    """The answer to `act`."""

    id: Annotated[int, "That of the `act` which this answers."]
    move: Annotated[int | str, "One of `moves` or of `numbers`."]
    metrics: Annotated[dict[str, float], "Numbers of its own, such as nodes searched."] = {}


FromReferee = Hello | Act | End
FromBot = Ready | Chosen
