"""The view of Code 777 as JSON: what `view_position` writes, typed, for bots in other languages."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

Tile = Annotated[str, "A tile: number, then colour (G Y K B R P C), as 5K."]
Seat = Annotated[int, "A seat, from 0."]
Rack = Annotated[list[Tile] | None, "The three tiles of a rack, in no order; null for the own one."]
Answer = Annotated[
    int | Literal["LEFT", "EQUAL", "RIGHT"], "A number for counting questions, a side for comparisons."
]


class AskedJson(TypedDict):
    """A question that was answered."""

    q: Annotated[int, "The number of the question, 1 to 23."]
    reader: Annotated[Seat, "Who read it out, and answered for the racks that this seat sees."]
    answer: Answer
    racks: Annotated[list[Rack], "The racks as they stood."]


class AnnouncedJson(TypedDict):
    """An announcement, once it is settled."""

    announce: Annotated[list[int] | list[str], "The three numbers, ascending; tiles with `colours=true`."]
    seat: Seat
    right: bool


class RefilledJson(TypedDict):
    """A rack that was filled anew."""

    refill: Annotated[int, "The rack."]
    out: Annotated[Rack, "The tiles that left it; null where this seat has not seen them."]
    pile: Annotated[int, "Tiles left in the draw pile."]
    refresh: Annotated[bool, "Whether the tiles out of play went back into the draw pile first."]


class Code777ViewJson(TypedDict):
    """What a seat knows in Code 777."""

    racks: Annotated[list[Rack], "One a rack (a rack a seat, and at least four)."]
    draw: Annotated[int, "How many tiles the draw pile has."]
    away: Annotated[int, "How many tiles are out of play."]
    refills: Annotated[list[int], "How often each rack has been refilled."]
    stack: Annotated[int, "How many question cards are still face down in this pass."]
    asked: Annotated[list[int], "The questions of this pass, the open one last."]
    reader: Annotated[Seat, "Who read the open question."]
    turn: Annotated[Seat | None, "The seat to move; null when the game is over."]
    phase: Literal["WINDOW", "RACK"]
    done: Annotated[list[Seat], "Who has announced in this window, in the order of settling."]
    sealed: Annotated[
        list[tuple[Seat, str | None]],
        "Choices made in this window: the seat and its move, null for another's.",
    ]
    question: Annotated[int | None, "The open question; null before the first."]
    answer: Annotated[Answer | None, "Its answer."]
    scores: Annotated[list[int], "Right announcements of each seat."]
    asked_total: Annotated[int, "Questions so far in the match."]
    log: Annotated[list[AskedJson | AnnouncedJson | RefilledJson], "What happened, newest last."]
