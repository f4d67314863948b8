"""The Game of a table with hidden hands: views, sampling and positions of the classic game and Hund."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from random import Random
from typing import Any, TypeVar

from engines.core.game import Game
from engines.core.position import Reader, envelope, open_envelope
from engines.kozyri.common import names_of
from engines.kozyri.table_position import Position, written_pile
from engines.kozyri.table_state import TableState
from engines.kozyri.table_view import TableView

S = TypeVar("S", bound=TableState)
V = TypeVar("V", bound=TableView)


class TableGame(Game[S, V]):
    """What the two games share; each says what its states, views and phases are."""

    phases: tuple[str, ...]
    """The names of the phases, by their numbers."""
    view_type: type[V]

    @property
    def highest(self) -> float:
        """CL-13, HU-13: an equal share of the loser's 1, or all the points of the first to go out."""
        by_order = self.stakes[0] == 0
        return float(self.seats - 1) if by_order else 1 / (self.seats - 1)

    @abstractmethod
    def empty(self, luck: int) -> S:
        """A state of these rules with nothing on the table."""

    @abstractmethod
    def read(self, reader: Reader) -> tuple[Position, tuple[int, ...], bool]:
        """What a position says, checked: the table, the trump suits, and `free`."""

    @abstractmethod
    def written_trumps(self, suits: tuple[int, ...]) -> list[str | None] | None:
        """The trump suits as a position has them."""

    @abstractmethod
    def written_free(self, free: bool) -> dict[str, Any]:
        """The keys between `phase` and `out`."""

    def view(self, state: S, seat: int) -> V:
        """What `seat` knows: the own hand, the pile, and what everybody has seen."""
        return self.view_type(
            seat,
            state.seat,
            self.phases[state.phase],
            state.hand(seat),
            tuple(state.pile.order()),
            state.sizes(),
            state.public_hands(),
            state.trump_suits(),
            state.dealer,
            state.free,
            state.out(),
            state.actions,
            state.deck(),
        )

    def sample(self, view: V, rng: Random) -> S:
        """A state of this view: every way to hand out the unseen cards is equally likely.

        Nothing else is hidden: whatever a seat played or took was seen, and taking is free.
        """
        state = self.empty(rng.getrandbits(53))
        state.restore(
            view.turn,
            self.phases.index(view.phase),
            view.dealer,
            view.actions,
            view.trump_suits,
            view.out,
            view.order,
        )
        state.free = view.free
        state.draw_hands(
            view.seat, view.hand_mask, view.sizes, view.public_masks, view.deck_mask, rng.getrandbits(53)
        )
        return state

    # -- JSON ------------------------------------------------------------------------------------------

    def position(self, state: S) -> dict[str, Any]:
        """The state as JSON values."""
        seats = range(self.seats)
        values = {
            "hands": [names_of(state.hand(seat)) for seat in seats],
            "pile": written_pile(state.pile.order()),
            "trumps": self.written_trumps(state.trump_suits()),
            "dealer": state.dealer,
            "turn": None if state.seat < 0 else state.seat,
            "phase": self.phases[state.phase],
            **self.written_free(state.free),
            "out": list(state.out()),
            "known": [names_of(mask) for mask in state.public_hands()],
            "actions": state.actions,
            "luck": state.luck,
        }
        return envelope(self, values)

    def view_position(self, view: V) -> dict[str, Any]:
        """A view as JSON values: null for the others' hands, what is known of them, and the sizes."""
        return {
            "hands": [names_of(view.hand_mask) if s == view.seat else None for s in range(self.seats)],
            "pile": written_pile(view.order),
            "trumps": self.written_trumps(view.trump_suits),
            "dealer": view.dealer,
            "turn": None if view.turn < 0 else view.turn,
            "phase": view.phase,
            **self.written_free(view.free),
            "out": list(view.out),
            "known": [names_of(mask) for mask in view.known_masks],
            "actions": view.actions,
            "sizes": list(view.sizes),
        }

    def from_position(self, data: Mapping[str, Any]) -> S:
        """The state that a position describes; raises BadPosition naming the key and the reason."""
        found, trumps, free = self.read(Reader(open_envelope(self, data)))
        state = self.empty(found.luck)
        state.restore(
            -1 if found.over else found.turn,
            self.phases.index(found.phase),
            found.dealer,
            found.actions,
            trumps,
            found.out,
            found.order,
        )
        state.free = free
        for seat, hand in enumerate(found.hands):
            state.hold(seat, hand, found.known[seat])
        return state
