"""The 98 moves: giving or playing one of the 49 cards."""

from __future__ import annotations

from enum import Enum
from typing import Final

from engines.core.game import Move as CoreMove
from engines.seven_symbols.cards import CARDS, Card


class Kind(Enum):
    """What a move does."""

    GIVE = "GIVE"
    """Pass the card on before play: to the partner, or with three seats to the left (SY-6)."""
    PLAY = "PLAY"
    """Play the card to the trick (SY-7)."""


class Move(CoreMove):
    """`GIVE c` or `PLAY c`; interned, `MOVES[i]` is move i."""

    kind: Kind
    """Whether the card is given or played."""
    card: Card
    """The card that leaves the hand."""


def _make(number: int) -> Move:
    move = Move(number)
    move.kind = Kind.GIVE if number < 49 else Kind.PLAY
    move.card = CARDS[number % 49]
    move.name = f"{move.kind.value} {move.card.name}"
    return move


MOVES: Final = tuple(_make(number) for number in range(98))
"""All moves: GIVE of every card, then PLAY of every card, by colour and then rank."""
NAMES: Final = [move.name for move in MOVES]
"""Their names, in the same order."""
