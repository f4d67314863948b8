"""The view of Seven Symbols as JSON: what `view_position` writes, typed, for bots in other languages."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

Card = Annotated[str, "A card: number (A is the Sherman), then colour (R O Y G B I V), as 10I."]
Colour = Literal["R", "O", "Y", "G", "B", "I", "V"]
Seat = Annotated[int, "A seat, from 0."]
Cards = list[Card]


class SevenViewJson(TypedDict):
    """What a seat knows in Seven Symbols. A side is a team (0: seats 0 and 2), or with three seats a seat."""

    hands: Annotated[list[Cards | None], "One a seat: the own hand, null for another's."]
    display: Annotated[Card, "The card turned up: its colour is trump."]
    trick: Annotated[list[tuple[Seat, Card]], "The open trick, from its leader on."]
    leader: Annotated[Seat, "Who leads this trick; the first leader while cards are given."]
    first_leader: Annotated[Seat, "Who leads the first trick of this deal."]
    turn: Annotated[Seat | None, "The seat to move; null when the match is over."]
    phase: Literal["GIVE", "PLAY"]
    given: Annotated[list[Cards | None], "One a seat: what this seat gave, null for another."]
    received: Annotated[list[Cards | None], "One a seat: what this seat was given, null for another."]
    tricks: Annotated[list[int], "Tricks of each side in this deal."]
    symbols: Annotated[list[int], "Symbols of each side in this deal."]
    points: Annotated[list[int], "Points of each side in the match."]
    deal: Annotated[int, "Number of this deal, from 1."]
    played: Annotated[Cards, "All cards played in this deal, in order, the open trick included."]
    sizes: Annotated[list[int], "How many cards each seat holds."]
    voids: Annotated[list[list[Colour]], "One a seat: the colours that it has shown not to hold."]
    known: Annotated[
        list[Cards], "One a seat: cards that this seat knows it to hold; the own hand for itself."
    ]
