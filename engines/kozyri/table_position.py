"""Positions of the games with hidden hands as JSON: written in full, read strictly.

What the classic game and Hund have in common; each adds its own phases, trumps and checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.core.chance import LUCK_LIMIT
from engines.core.position import Reader
from engines.kozyri.beating import beats
from engines.kozyri.common import CARDS, CardReader, names_of


class Position(NamedTuple):
    """A position as it was read: numbers and masks, as in a view."""

    hands: tuple[int, ...]
    order: tuple[int, ...]
    known: tuple[int, ...]
    dealer: int
    turn: int
    """-1 for null."""
    phase: str
    out: tuple[int, ...]
    actions: int
    luck: int
    over: bool
    """One seat is left, or the cap is reached: nobody is to move, whatever `turn` says."""

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.hands)

    @property
    def top(self) -> int:
        """The card on top of the pile; -1 where there is none."""
        return self.order[-1] if self.order else -1


def written_pile(order: Sequence[int]) -> list[str]:
    """A pile, bottom to top."""
    return [CARDS[i].name for i in order]


def read_table(reader: Reader, seats: int, deck: int, phases: Sequence[str], cap: int) -> Position:
    """The keys that both games have; what they say together is looked at by `check_seats` and the games."""
    cards = CardReader(reader, deck)
    hands = cards.hands("hands", reader.value("hands"), seats)
    order = cards.cards("pile", reader.value("pile", []))
    known = CardReader(reader, deck).hands("known", reader.value("known", [[]] * seats), seats)
    for seat, mask in enumerate(known):
        if strangers := mask & ~hands[seat]:
            reader.fail(f"known[{seat}]", f"{names_of(strangers)[0]} is not in the hand of seat {seat}")
    dealer = reader.integer("dealer", 0, seats - 1)
    turn = reader.value("turn")
    if turn is not None:
        reader.whole("turn", turn, 0, seats - 1)
    phase = reader.choice("phase", phases)
    out = [reader.whole("out", seat, 0, seats - 1) for seat in reader.items("out", None, [])]
    actions = reader.integer("actions", 0, cap, 0)
    luck = reader.integer("luck", 0, LUCK_LIMIT - 1, 0)
    return Position(
        tuple(hands),
        tuple([int(card) for card in order]),
        tuple(known),
        dealer,
        -1 if turn is None else turn,
        phase,
        tuple(out),
        actions,
        luck,
        len(out) == seats - 1 or actions >= cap,
    )


def check_seats(reader: Reader, position: Position) -> None:
    """A hand is empty exactly when its seat is out; a seat that is in is to move unless the game is over."""
    if len(set(position.out)) < len(position.out):
        reader.fail("out", f"a seat goes out once, got {list(position.out)}")
    for seat, hand in enumerate(position.hands):
        if seat in position.out and hand:
            reader.fail("out", f"seat {seat} is out, but holds {names_of(hand)[0]}")
        if seat not in position.out and not hand:
            reader.fail("out", f"seat {seat} has no cards, but is not out")
    if len(position.out) == len(position.hands) - 1 and not position.order:
        reader.fail(
            "pile", f"expected the last card of seat {position.out[-1]} on it, which has just gone out"
        )
    if position.over:
        return
    if position.turn < 0:
        reader.fail("turn", "null, but more than one seat is in and the cap is not reached")
    if position.turn in position.out:
        reader.fail("turn", f"seat {position.turn} is out")


def check_beaten(reader: Reader, position: Position, trump: int, by: str) -> None:
    """The top of the pile has just beaten the card below it, for a player of this trump suit."""
    order = position.order
    if len(order) < 2 or not beats(order[-1], order[-2], trump):
        reader.fail("pile", f"expected a card and on top of it the one with which {by} has just beaten it")
