"""What a duel is played with and what its seats know: options, moves, views."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from engines.core.errors import BadRules
from engines.core.game import View
from engines.core.rules import Rules, option, show
from engines.kozyri.common import CARDS, RANKS, Card, Kind, Move, cards_of, move_table, suit_name

DECKS = {"easy": RANKS[7:], "standard": RANKS[5:], "advanced": RANKS[3:], "cambridge": RANKS[4:]}
"""The ranks of each named deck, low to high (DU-1)."""
PHASES = ("LEAD", "RESPOND", "TRUMP", "SECOND")
TABLE = move_table((Kind.TRUMP, Kind.SECOND, Kind.LEAD, Kind.BEAT, Kind.TAKE))


@dataclasses.dataclass(frozen=True)
class DuelRules(Rules):
    """Options of the duel."""

    deck: str | tuple[str, ...] = option(
        "standard",
        "The ranks: standard 7 to A, easy 9 to A, advanced 5 to A, cambridge 6 to A, or a list (DU-1).",
        choices=("standard", "easy", "advanced", "cambridge"),
    )
    suits: str = option(
        "fixed",
        "Seat 0 has trumps S, second suit C, and seat 1 H, D; or they are chosen before the deal (DU-3).",
        choices=("fixed", "chosen"),
    )
    first_leader: str = option(
        "dealer", "Who leads first: the dealer or the opponent (A1).", choices=("dealer", "opponent")
    )
    after_take: str = option(
        "leader", "Who leads after a TAKE: the former leader or the taker (A3).", choices=("leader", "taker")
    )
    repetition: int = option(
        3, "The occurrence of an empty-pile lead that is a draw; 0 for none (DU-12).", choices=(0,), least=2
    )
    cap: int | None = option(
        None,
        "Actions after which the game ends; by deck 2000 (up to 6 ranks), 4000 (up to 8) or 8000 (DU-13).",
        choices=(None,),
        least=1,
        none="by deck",
    )
    cap_result: str = option(
        "draw",
        "At the cap: a draw, or the win of whoever has fewer cards (DU-13).",
        choices=("draw", "fewest_cards"),
    )

    def check(self, field: dataclasses.Field[Any], value: Any) -> None:
        """A deck may also be a list of ranks, low to high."""
        if field.name == "deck" and isinstance(value, tuple):
            known = [RANKS.index(rank) for rank in value if rank in RANKS]
            if not value or len(known) < len(value) or known != sorted(set(known)):
                raise BadRules(f"deck: expected {self.allowed('deck')}, got {show(value)}")
            return
        super().check(field, value)

    @classmethod
    def allowed(cls, name: str) -> str:
        """What an option takes, in words."""
        words = super().allowed(name)
        if name == "deck":
            return f"{words.replace(' or ', ', ')} or a list of ranks low to high out of {' '.join(RANKS)}"
        return words

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the deck, low to high."""
        return self.deck if isinstance(self.deck, tuple) else DECKS[self.deck]

    @property
    def action_cap(self) -> int:
        """The cap in force: the one given, or the deck's own (DU-13)."""
        if self.cap is not None:
            return self.cap
        count = len(self.ranks)
        return 2000 if count <= 6 else 4000 if count <= 8 else 8000


class DuelFields(NamedTuple):
    """What both seats know, which is everything but the luck of a deal still to come."""

    seat: int
    """The seat whose view this is."""
    turn: int
    """The seat to move, -1 when the game is over."""
    phase: str
    """`LEAD`, `RESPOND`, `TRUMP` or `SECOND`; means nothing when the game is over."""
    hand_masks: tuple[int, int]
    """Each seat's cards: bit i is card i of the universe of 52."""
    order: tuple[int, ...]
    """The numbers of the cards in the pile, bottom to top."""
    trump_suits: tuple[int, int]
    """Each seat's trump suit, 0 … 3 for S H D C; -1 before it is chosen."""
    second_suits: tuple[int, int]
    """Each seat's second suit, likewise."""
    dealer: int
    """The seat that dealt."""
    actions: int
    """LEAD, BEAT and TAKE moves made so far; the cap counts them."""
    leads: tuple[tuple[int, int], ...]
    """How often each empty-pile lead has occurred, the present one included, oldest first, as (key, times).

    A key is twice the mask of seat 0's hand, plus the seat to lead; seat 1 has the other cards in play.
    """


class DuelView(DuelFields, View[Move]):
    """What a seat knows of a duel: both hands lie open."""

    __slots__ = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own cards, suit by suit, low to high."""
        return cards_of(self.hand_masks[self.seat])

    @property
    def opponent(self) -> tuple[Card, ...]:
        """The opponent's cards, likewise."""
        return cards_of(self.hand_masks[1 - self.seat])

    @property
    def pile(self) -> tuple[Card, ...]:
        """The cards on the table, bottom to top."""
        return tuple([CARDS[i] for i in self.order])

    @property
    def top(self) -> Card | None:
        """The card on top of the pile, None where there is none."""
        return CARDS[self.order[-1]] if self.order else None

    @property
    def trump(self) -> str | None:
        """The own trump suit, None before it is chosen."""
        return suit_name(self.trump_suits[self.seat])

    @property
    def opponent_trump(self) -> str | None:
        """The opponent's trump suit, None before it is chosen."""
        return suit_name(self.trump_suits[1 - self.seat])

    @property
    def sizes(self) -> tuple[int, int]:
        """How many cards each seat holds."""
        return self.hand_masks[0].bit_count(), self.hand_masks[1].bit_count()
