"""Hund: four seats, each alone; trumps come with the Queen of Clubs, the last one holding cards loses.

The rules are in RULES.md (HU-1 to HU-13); the state in play is in hund_state.py.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from engines.core.bits import indices
from engines.core.chance import checked_luck
from engines.core.game import Outcome
from engines.core.position import Reader
from engines.core.rules import Rules, option
from engines.kozyri.beating import UNIVERSE
from engines.kozyri.common import Card, Kind, Move, card_named, move_table, read_suits, suit_name
from engines.kozyri.hund_state import HundState, dealt
from engines.kozyri.laws import HundLaw
from engines.kozyri.pile import Pile
from engines.kozyri.table import TableGame
from engines.kozyri.table_position import Position, check_beaten, check_seats, read_table
from engines.kozyri.table_view import TableView
from engines.kozyri.view_json import HundViewJson

__all__ = ["Card", "Hund", "HundRules", "HundView", "Kind", "Move", "next_dealer"]

TABLE = move_table((Kind.LEAD, Kind.BEAT, Kind.QUEEN, Kind.FREE, Kind.TAKE, Kind.PASS))
TWO_OF_CLUBS = card_named("2C")
QUEEN_OF_CLUBS = card_named("QC")


def next_dealer(dealer: int, outcome: Outcome) -> int:
    """The dealer of the next deal, for those who play on: clockwise, whoever lost (HU-13)."""
    return (dealer + 1) % len(outcome.scores)


@dataclasses.dataclass(frozen=True)
class HundRules(Rules):
    """Options of Hund."""

    second: str = option(
        "may", "After a beat a second card may, or must, be played (A31).", choices=("may", "must")
    )
    queen_followup: str = option(
        "opening",
        "When a card must follow the first Queen: if it opened the turn, always, or only if it beat (HU-9).",
        choices=("opening", "always", "beat_only"),
    )
    queen_trumps: str = option(
        "active",
        "Trump suits go to the seats still in, or seats that are out use up theirs (A36).",
        choices=("active", "seats"),
    )
    payoff: str = option(
        "loser",
        "The Hund pays 1, shared by the others; or points by the order of going out (HU-13).",
        choices=("loser", "order"),
    )
    cap: int = option(4000, "Actions after which the deal is a draw (HU-12).", least=1)


class HundView(TableView):
    """All that one seat of a Hund table has been allowed to learn."""

    __slots__ = ()

    @property
    def trumps_set(self) -> bool:
        """Whether the Queen of Clubs has been played: seats have trumps, and she is an ordinary card."""
        return max(self.trump_suits) >= 0

    def answers(self, seat: int, card: int, cards: int) -> int:
        """Those of a mask of `cards` that `seat` could lay on `card`; also the first Queen (HU-6)."""
        queen = cards & 1 << QUEEN_OF_CLUBS
        free = 0 if self.trumps_set or card == QUEEN_OF_CLUBS else queen
        return super().answers(seat, card, cards) | free


class Hund(TableGame[HundState, HundView]):
    """Hund, for four."""

    name: ClassVar[str] = "hund"
    rules_type: ClassVar[type[Rules]] = HundRules
    view_json: ClassVar[type] = HundViewJson
    rules: HundRules
    seats = 4
    sides = (0, 1, 2, 3)
    table = TABLE
    phases = ("TURN", "SECOND", "QUEEN", "START")
    view_type = HundView

    def __init__(self, rules: HundRules) -> None:
        super().__init__(rules)
        self.stakes = (0.0, 1.0) if rules.payoff == "order" else (-1.0, 1.0)
        self.law = HundLaw(
            indices(UNIVERSE),
            must=rules.second == "must",
            after_lead=rules.queen_followup != "beat_only",
            after_free=rules.queen_followup == "always",
            by_seats=rules.queen_trumps == "seats",
            by_order=rules.payoff == "order",
            cap=rules.cap,
            names=[move.name for move in TABLE],
        )

    def deal(self, luck: int) -> HundState:
        """A new deal; the dealer is drawn too. `luck` is 0 … 2**53 - 1."""
        return dealt(self.law, checked_luck(luck))

    def empty(self, luck: int) -> HundState:
        """A state of these rules with nothing on the table."""
        return HundState(self.law, luck, Pile())

    # -- JSON ------------------------------------------------------------------------------------------

    def written_trumps(self, suits: tuple[int, ...]) -> list[str | None] | None:
        """Null before the Queen has been played, then a suit or null for every seat."""
        return [suit_name(suit) for suit in suits] if max(suits) >= 0 else None

    def written_free(self, free: bool) -> dict[str, Any]:
        """Hund has no free leads."""
        return {}

    def read(self, reader: Reader) -> tuple[Position, tuple[int, ...], bool]:
        """What a position says, checked."""
        found = read_table(reader, 4, UNIVERSE, ("START", "TURN", "SECOND", "QUEEN"), self.rules.cap)
        trumps = self._read_trumps(reader, found)
        reader.finish()
        check_seats(reader, found)
        if not found.over:
            self._check_phase(reader, found, trumps)
        proven = 1 << TWO_OF_CLUBS if found.phase != "START" or found.over else 0
        if max(trumps) >= 0:
            proven |= 1 << QUEEN_OF_CLUBS
        if found.phase == "START":
            proven |= 1 << TWO_OF_CLUBS
        known = [mask | hand & proven for mask, hand in zip(found.known, found.hands, strict=True)]
        return found._replace(known=tuple(known)), trumps, False

    def _read_trumps(self, reader: Reader, found: Position) -> tuple[int, ...]:
        """Null exactly until the Queen has been played, then the table of HU-10."""
        if reader.value("trumps") is None:
            if QUEEN_OF_CLUBS in found.order:
                reader.fail("trumps", "null, but QC is on the pile: its first play has set them")
            for seat, mask in enumerate(found.known):
                if mask >> QUEEN_OF_CLUBS & 1:
                    reader.fail(f"known[{seat}]", "QC is seen when it is played, and trumps are still null")
            return (-1, -1, -1, -1)
        suits = read_suits(reader, "trumps", 4, None, unset=True)
        if 3 not in suits:
            reader.fail("trumps", "expected C for the seat that played the Queen")
        without = [seat for seat, suit in enumerate(suits) if suit < 0]
        if without and self.rules.queen_trumps == "seats":
            reader.fail("trumps", "expected a suit for every seat with queen_trumps=seats")
        if set(without) != set(found.out[: len(without)]):
            reader.fail("trumps", "null is for the seats that were out before the Queen was played")
        player = suits.index(3)
        around = [suits[(player + step) % 4] for step in range(1, 4)]
        if [suit for suit in around if suit >= 0] != list(range(3 - len(without))):
            reader.fail("trumps", "expected S, H, D in this order clockwise from the seat with C")
        return tuple(suits)

    def _check_phase(self, reader: Reader, found: Position, trumps: tuple[int, ...]) -> None:
        if found.phase == "START":
            _check_start(reader, found, trumps)
        elif found.phase == "SECOND":
            check_beaten(reader, found, trumps[found.turn], f"seat {found.turn}")
        elif found.phase == "QUEEN":
            if found.top != QUEEN_OF_CLUBS:
                reader.fail("pile", "expected QC on top in QUEEN")
            if trumps[found.turn] != 3:
                reader.fail("trumps", f"expected C for seat {found.turn}, which has just played the Queen")
            if len(found.order) == 1 and self.rules.queen_followup == "beat_only":
                reader.fail("phase", "no card follows a Queen that was led with queen_followup=beat_only")


def _check_start(reader: Reader, found: Position, trumps: tuple[int, ...]) -> None:
    """Before the first card the holder of 2C is to play it, and nothing else is known (HU-4)."""
    if found.order:
        reader.fail("pile", "expected [] in START")
    if trumps != (-1, -1, -1, -1):
        reader.fail("trumps", "expected null in START")
    if found.out:
        reader.fail("out", "expected [] in START")
    if found.actions:
        reader.fail("actions", "expected 0 in START")
    for seat, mask in enumerate(found.known):
        if mask & ~(1 << TWO_OF_CLUBS):
            reader.fail(f"known[{seat}]", "only 2C can be known before the first card is played")
    if not found.hands[found.turn] >> TWO_OF_CLUBS & 1:
        reader.fail("hands", f"seat {found.turn} is to start, but does not hold 2C")
