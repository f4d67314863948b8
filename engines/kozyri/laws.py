"""The options of the three Kozyri games as numbers, for the states in play; compiled.

What users write are the `Rules` of each game; a law is made of them once and never changed.
"""

from __future__ import annotations

from typing import final

from mypy_extensions import i64


@final
class DuelLaw:
    """The options of one duel as native numbers, shared by its states."""

    def __init__(
        self,
        deck: list[int],
        *,
        chosen: bool,
        opponent_leads: bool,
        taker_leads: bool,
        repetition: int,
        cap: int,
        fewest_cards: bool,
        names: list[str],
    ) -> None:
        self.deck: list[int] = deck
        """The cards of the deck, ascending."""
        self.chosen: bool = chosen
        """Suits are chosen before the deal (DU-3)."""
        self.opponent_leads: bool = opponent_leads
        """The dealer's opponent leads first (A1)."""
        self.taker_leads: bool = taker_leads
        """Who took the pile leads (A3)."""
        self.repetition: i64 = repetition
        """The occurrence of an empty-pile lead that ends the game (DU-12); 0 for none."""
        self.cap: i64 = cap
        """The action after which the game ends (DU-13)."""
        self.fewest_cards: bool = fewest_cards
        """At the cap fewer cards win."""
        self.names: list[str] = names
        """The names of the moves, for messages."""


@final
class ClassicLaw:
    """The options of one classic game as native numbers, shared by its states."""

    def __init__(
        self,
        deck: list[int],
        *,
        seats: int,
        chosen: bool,
        must: bool,
        needs_beat: bool,
        by_order: bool,
        cap: int,
        names: list[str],
    ) -> None:
        self.deck: list[int] = deck
        """All cards, ascending."""
        self.seats: i64 = seats
        self.chosen: bool = chosen
        """Trump suits are chosen before the deal (CL-2)."""
        self.must: bool = must
        """A second card must follow a beat (A14)."""
        self.needs_beat: bool = needs_beat
        """The last card must beat the top for a draw also after a free lead (A20)."""
        self.by_order: bool = by_order
        """Points by the order of going out (CL-13)."""
        self.cap: i64 = cap
        """The action after which the game ends (CL-12)."""
        self.names: list[str] = names
        """The names of the moves, for messages."""


@final
class HundLaw:
    """The options of one game of Hund as native numbers, shared by its states."""

    def __init__(
        self,
        deck: list[int],
        *,
        must: bool,
        after_lead: bool,
        after_free: bool,
        by_seats: bool,
        by_order: bool,
        cap: int,
        names: list[str],
    ) -> None:
        self.deck: list[int] = deck
        """All cards, ascending."""
        self.must: bool = must
        """A second card must follow a beat (A31)."""
        self.after_lead: bool = after_lead
        """A card must follow the first Queen also where it was led (HU-9, A33)."""
        self.after_free: bool = after_free
        """A card must follow the first Queen also where it was a free card (HU-9, A34)."""
        self.by_seats: bool = by_seats
        """Seats that are out use up their trump suit (A36)."""
        self.by_order: bool = by_order
        """Points by the order of going out (HU-13)."""
        self.cap: i64 = cap
        """The action after which the game ends (HU-12)."""
        self.names: list[str] = names
        """The names of the moves, for messages."""
