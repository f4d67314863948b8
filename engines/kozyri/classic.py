"""Classic Svoyi Kozyri for two to four, each with trumps of its own; the last one holding cards loses.

The rules are in RULES.md (CL-1 to CL-14); the state in play is in classic_state.py.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from engines.core.bits import indices
from engines.core.chance import checked_luck
from engines.core.game import Outcome
from engines.core.position import Reader
from engines.core.rules import Rules, option
from engines.kozyri.classic_state import ClassicState, dealt
from engines.kozyri.common import RANKS, Card, Kind, Move, deck_mask, move_table, read_suits, suit_name
from engines.kozyri.laws import ClassicLaw
from engines.kozyri.pile import Pile
from engines.kozyri.table import TableGame
from engines.kozyri.table_position import Position, check_beaten, check_seats, read_table
from engines.kozyri.table_view import TableView
from engines.kozyri.view_json import ClassicViewJson

__all__ = ["Card", "ClassicRules", "ClassicView", "Kind", "KozyriClassic", "Move", "next_dealer"]

DECK = deck_mask(RANKS[4:])
"""The 36 cards, six to ace (CL-1)."""
TABLE = move_table((Kind.TRUMP, Kind.LEAD, Kind.BEAT, Kind.FREE, Kind.TAKE, Kind.PASS), takes=36)


def next_dealer(dealer: int, outcome: Outcome) -> int:
    """The dealer of the next deal, for those who play on: the loser, or the same after a draw (CL-14)."""
    worst = max(outcome.places)
    losers = [seat for seat, place in enumerate(outcome.places) if place == worst]
    return losers[0] if outcome.reason == "won" and len(losers) == 1 else dealer


@dataclasses.dataclass(frozen=True)
class ClassicRules(Rules):
    """Options of the classic game."""

    seats: int = option(4, "How many play.", choices=(2, 3, 4))
    trumps: str = option(
        "fixed",
        "Seat 0 has trumps S, 1 H, 2 D, 3 C; or they are chosen before the deal (CL-2).",
        choices=("fixed", "chosen"),
    )
    second: str = option(
        "may", "After a beat a second card may, or must, be played (A14).", choices=("may", "must")
    )
    draw_requires_beat: bool = option(
        True,
        "The last card must beat the top for a draw also after a seat went out by beating (A20).",
        choices=(True, False),
    )
    payoff: str = option(
        "loser",
        "The loser pays 1, shared by the others; or points by the order of going out (CL-13).",
        choices=("loser", "order"),
    )
    cap: int = option(4000, "Actions after which the deal is a draw (CL-12).", least=1)


class ClassicView(TableView):
    """All that one seat of a classic table has been allowed to learn."""

    __slots__ = ()


class KozyriClassic(TableGame[ClassicState, ClassicView]):
    """Classic Svoyi Kozyri."""

    name: ClassVar[str] = "kozyri-classic"
    rules_type: ClassVar[type[Rules]] = ClassicRules
    view_json: ClassVar[type] = ClassicViewJson
    rules: ClassicRules
    table = TABLE
    phases = ("TURN", "SECOND", "TRUMP")
    view_type = ClassicView

    def __init__(self, rules: ClassicRules) -> None:
        super().__init__(rules)
        self.seats = rules.seats
        self.sides = tuple(range(rules.seats))
        self.stakes = (0.0, 1.0) if rules.payoff == "order" else (-1.0, 1.0)
        self.law = ClassicLaw(
            indices(DECK),
            seats=rules.seats,
            chosen=rules.trumps == "chosen",
            must=rules.second == "must",
            needs_beat=rules.draw_requires_beat,
            by_order=rules.payoff == "order",
            cap=rules.cap,
            names=[move.name for move in TABLE],
        )

    def deal(self, luck: int) -> ClassicState:
        """A new deal; the dealer is drawn too. `luck` is 0 … 2**53 - 1."""
        return dealt(self.law, checked_luck(luck))

    def empty(self, luck: int) -> ClassicState:
        """A state of these rules with nothing on the table."""
        return ClassicState(self.law, luck, Pile())

    # -- JSON ------------------------------------------------------------------------------------------

    def written_trumps(self, suits: tuple[int, ...]) -> list[str | None] | None:
        """A suit for every seat, null for those that have not chosen."""
        return [suit_name(suit) for suit in suits]

    def written_free(self, free: bool) -> dict[str, Any]:
        """Whether the seat to move leads a card on top of the pile."""
        return {"free": free}

    def read(self, reader: Reader) -> tuple[Position, tuple[int, ...], bool]:
        """What a position says, checked."""
        chosen = self.rules.trumps == "chosen"
        phases = ("TRUMP", "TURN", "SECOND") if chosen else ("TURN", "SECOND")
        found = read_table(reader, self.seats, DECK, phases, self.rules.cap)
        trumps = read_suits(reader, "trumps", self.seats, reader.value("trumps"), unset=chosen)
        free = reader.boolean("free", False)
        reader.finish()
        if found.phase == "TRUMP":
            _check_choice(reader, found, trumps, free=free)
            return found._replace(over=False), tuple(trumps), free
        if -1 in trumps:
            reader.fail("trumps", "a suit is null only in TRUMP")
        check_seats(reader, found)
        if free:
            _check_free(reader, found, trumps)
        if not found.over and found.phase == "SECOND":
            check_beaten(reader, found, trumps[found.turn], f"seat {found.turn}")
        sixes = sum(1 << (13 * suit + RANKS.index("6")) for suit in trumps)
        known = [mask | hand & sixes for mask, hand in zip(found.known, found.hands, strict=True)]
        return found._replace(known=tuple(known)), tuple(trumps), free


def _check_choice(reader: Reader, found: Position, trumps: list[int], *, free: bool) -> None:
    """Nothing is dealt before the last choice; suits are chosen clockwise from the dealer on."""
    for key, there in (
        ("hands", any(found.hands)),
        ("pile", found.order),
        ("free", free),
        ("out", found.out),
        ("actions", found.actions),
    ):
        if there:
            reader.fail(key, "nothing is dealt or played in TRUMP")
    around = [(found.dealer + step) % found.seats for step in range(found.seats)]
    count = sum(suit >= 0 for suit in trumps)
    if count == found.seats or any(trumps[seat] < 0 for seat in around[:count]):
        reader.fail("trumps", "in TRUMP suits are chosen clockwise from the dealer on, and one is missing")
    if found.turn != around[count]:
        reader.fail("turn", f"expected seat {around[count]}, who chooses now, got {found.turn}")


def _check_free(reader: Reader, found: Position, trumps: list[int]) -> None:
    """A free lead comes directly after a seat went out by beating (CL-10)."""
    if not found.out:
        reader.fail("free", "true, but no seat has gone out")
    if not found.over and found.phase != "TURN":
        reader.fail("free", f"true, but the phase is {found.phase}")
    last = found.out[-1]
    check_beaten(reader, found, trumps[last], f"seat {last}")
    after = next(
        seat for step in range(1, found.seats + 1) if (seat := (last + step) % found.seats) not in found.out
    )
    if not found.over and found.turn != after:
        reader.fail("turn", f"expected seat {after}, which leads freely after seat {last} went out")
