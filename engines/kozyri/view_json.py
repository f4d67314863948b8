"""The views of the Kozyri games as JSON: what `view_position` writes, typed, for bots in other languages."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

Card = Annotated[str, "A card: rank, then suit (S H D C), as 7S, 10H or AC."]
Suit = Literal["S", "H", "D", "C"]
Seat = Annotated[int, "A seat, from 0."]
Hand = Annotated[list[Card], "Cards of a hand, suit by suit (S H D C), low to high."]
Hands = Annotated[list[Hand | None], "One a seat: the own hand, null for another's."]
Pile = Annotated[list[Card], "The cards on the table, bottom to top."]
Dealer = Annotated[Seat, "The seat that dealt."]
Turn = Annotated[Seat | None, "The seat to move; null when the game is over."]
Out = Annotated[list[Seat], "The seats that have gone out, in that order."]
Known = Annotated[list[Hand], "One a seat: cards that this seat knows it to hold."]
Actions = Annotated[int, "Moves made so far, the choice of trumps not counted."]
Sizes = Annotated[list[int], "How many cards each seat holds."]
Repeat = Annotated[
    tuple[tuple[Hand, Hand], Seat, int], "A lead on an empty pile: both hands, the seat, how often so far."
]


class DuelViewJson(TypedDict):
    """What a seat knows in the duel: everything but the luck."""

    hands: Annotated[list[Hand], "Both hands, open."]
    pile: Pile
    trumps: Annotated[list[Suit | None], "Each seat's trump suit, null until chosen."]
    seconds: Annotated[list[Suit | None], "Each seat's second suit, null until chosen."]
    dealer: Dealer
    turn: Turn
    phase: Literal["TRUMP", "SECOND", "LEAD", "RESPOND"]
    actions: Actions
    repeats: Annotated[list[Repeat], "The leads on an empty pile so far, for the rule of repetition."]
    sizes: Sizes


class ClassicViewJson(TypedDict):
    """What a seat knows in the classic game."""

    hands: Hands
    pile: Pile
    trumps: Annotated[list[Suit | None], "Each seat's trump suit, null until chosen."]
    dealer: Dealer
    turn: Turn
    phase: Literal["TRUMP", "TURN", "SECOND"]
    free: Annotated[bool, "The seat to move leads any one card on top of the pile."]
    out: Out
    known: Known
    actions: Actions
    sizes: Sizes


class HundViewJson(TypedDict):
    """What a seat knows in Hund."""

    hands: Hands
    pile: Pile
    trumps: Annotated[list[Suit | None] | None, "Each seat's trump suit; null until the Queen is played."]
    dealer: Dealer
    turn: Turn
    phase: Annotated[
        Literal["START", "TURN", "SECOND", "QUEEN"], "QUEEN: the card that follows the first Queen."
    ]
    out: Out
    known: Known
    actions: Actions
    sizes: Sizes
