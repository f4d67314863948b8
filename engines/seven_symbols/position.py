"""Positions and views of 7 Symbols as JSON values; reading.py reads them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.seven_symbols.cards import CARDS, COLOURS, names_of
from engines.seven_symbols.deal_state import PLAY
from engines.seven_symbols.knowledge import history
from engines.seven_symbols.masks import unpacked
from engines.seven_symbols.seven_state import SevenState
from engines.seven_symbols.view import SevenView


def names(cards: Sequence[int]) -> list[str]:
    """Cards' names, in their order."""
    return [CARDS[card].name for card in cards]


def seated(leader: int, cards: Sequence[int], seats: int) -> list[list[Any]]:
    """The open trick as [seat, card] pairs."""
    return [[(leader + place) % seats, CARDS[card].name] for place, card in enumerate(cards)]


def write_state(state: SevenState) -> dict[str, Any]:
    """The `state` of a position."""
    seats = range(state.seats)
    sides = range(2 if state.seats == 4 else 3)
    table = unpacked(state.trick, state.laid)
    handed_over = state.phase == PLAY and state.gifts > 0
    return {
        "hands": [names_of(state.hand(seat)) for seat in seats],
        "display": CARDS[state.display].name,
        "trick": seated(state.leader, table, state.seats),
        "leader": state.leader,
        "first_leader": state.first_leader,
        "turn": state.seat if state.seat >= 0 else None,
        "phase": "PLAY" if state.phase == PLAY else "GIVE",
        "given": [names(state.given(seat)) for seat in seats],
        "received": [names(state.given(state.giver(seat))) if handed_over else [] for seat in seats],
        "tricks": [state.tricks >> 8 * side & 0xFF for side in sides],
        "symbols": [state.symbols >> 8 * side & 0xFF for side in sides],
        "points": [state.points(side) for side in sides],
        "deal": state.number,
        "played": names([*history(state), *table]),
        "luck": state.luck,
    }


def write_view(view: SevenView) -> dict[str, Any]:
    """The keys of `state` as the view's seat may know them, then `sizes`, `voids` and `known`."""
    seats = range(len(view.sizes))

    def own(value: list[str]) -> list[list[str] | None]:
        return [value if seat == view.seat else None for seat in seats]

    return {
        "hands": own(names_of(view.hand)),
        "display": CARDS[view.display].name,
        "trick": seated(view.leader, view.trick, len(seats)),
        "leader": view.leader,
        "first_leader": view.first_leader,
        "turn": view.turn if view.turn >= 0 else None,
        "phase": view.phase.value,
        "given": own(names(view.given)),
        "received": own(names(view.received)),
        "tricks": list(view.tricks),
        "symbols": list(view.symbols),
        "points": list(view.points),
        "deal": view.deal,
        "played": names(view.played),
        "sizes": list(view.sizes),
        "voids": [[COLOURS[s] for s in range(7) if view.voids[seat] >> s & 1] for seat in seats],
        "known": [names_of(view.known[seat]) for seat in seats],
    }
