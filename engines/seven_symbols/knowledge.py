"""What a seat knows of a state: its view, with all that follows from voids and counting; compiled."""

from __future__ import annotations

from mypy_extensions import i64

from engines.core.bits import lowest, popcount
from engines.seven_symbols.deal_state import PLAY
from engines.seven_symbols.masks import LAST, VIOLET, gift_mask, unpacked
from engines.seven_symbols.moves import Kind
from engines.seven_symbols.seven_state import SevenState
from engines.seven_symbols.view import SevenView


def colours_mask(voids: i64) -> i64:
    """All cards of the colours in `voids` (bit s is colour s)."""
    mask: i64 = 0
    colour: i64 = 0
    while voids:
        if voids & 1:
            mask |= VIOLET >> (7 * (6 - colour))
        voids >>= 1
        colour += 1
    return mask


def view_of(state: SevenState, seat: i64) -> SevenView:
    """What `seat` knows."""
    seats: i64 = state.seats
    sides: i64 = 2 if seats == 4 else 3
    hand: i64 = state.hand(seat)
    spent: list[int] = []
    sizes: list[int] = []
    voids: list[int] = []
    gone: i64 = 0
    other: i64 = 0
    while other < seats:
        held: i64 = state.hand(other)
        played: i64 = state.full(other) & ~held if state.phase == PLAY else 0
        gone |= played
        spent.append(played)
        sizes.append(popcount(held))
        voids.append((state.voids >> (7 * other)) & 0x7F)
        other += 1
    tricks: list[int] = []
    symbols: list[int] = []
    points: list[int] = []
    other = 0
    while other < sides:
        tricks.append((state.tricks >> (8 * other)) & 0xFF)
        symbols.append((state.symbols >> (8 * other)) & 0xFF)
        points.append(state.points(other))
        other += 1
    given: list[int] = state.given(seat)
    received: list[int] = []
    own_gift: i64 = 0
    if state.phase == PLAY and state.gifts:
        own_gift = gift_mask(state.gift(seat))
        gift: i64 = gift_mask(state.gift(state.giver(seat)))
        while gift:
            received.append(lowest(gift))
            gift &= gift - 1
    known: list[int]
    if state.phase == PLAY:
        unseen: i64 = state.deck & ~hand & ~gone & ~(LAST >> (48 - state.display))
        known = certain(seat, hand, sizes, holdable(state, seat, unseen, own_gift, voids))
    else:
        known = [0] * len(sizes)
        known[seat] = hand
    table = unpacked(state.trick, state.laid)
    return SevenView(
        int(seat),
        int(state.seat),
        Kind.PLAY if state.phase == PLAY else Kind.GIVE,
        int(hand),
        int(state.display),
        tuple(table),
        int(state.leader),
        int(state.first_leader),
        tuple(tricks),
        tuple(symbols),
        tuple(points),
        int(state.number),
        tuple(given),
        tuple(received),
        tuple(history(state) + table),
        tuple(spent),
        tuple(sizes),
        tuple(voids),
        tuple(known),
        int(state.deck),
    )


def history(state: SevenState) -> list[int]:
    """The cards of the tricks on record, in order."""
    cards: list[int] = []
    for word in state.past:
        trick: i64 = word
        trick >>= 2
        left: i64 = state.seats
        while left > 0:
            cards.append(trick & 63)
            trick >>= 6
            left -= 1
    return cards


def holdable(state: SevenState, seat: i64, unseen: i64, own_gift: i64, voids: list[int]) -> list[int]:
    """For every seat the unseen cards that it may hold, as `seat` knows; 0 for itself."""
    masks: list[int] = []
    target: i64 = state.receiver(seat)
    other: i64 = 0
    while other < state.seats:
        if other == seat:
            masks.append(0)
        else:
            mask: i64 = unseen & ~colours_mask(voids[other])
            masks.append(mask if other == target else mask & ~own_gift)
        other += 1
    return masks


def certain(seat: i64, hand: i64, sizes: list[int], may: list[int]) -> list[int]:
    """For every seat the cards that it must hold.

    A card that only one seat may hold is there; a seat whose known cards fill its hand may hold nothing
    else; a seat that may hold no more than its size holds it all. Repeated, that is all that follows
    where three seats share the unseen cards: a pair is full exactly when the third has no choice.
    """
    seats: i64 = len(sizes)
    known: list[int] = [0] * len(sizes)
    known[seat] = hand
    changed: bool = True
    while changed:
        changed = False
        place: i64 = 0
        while place < seats:
            if place != seat:
                mine: i64 = may[place]
                elsewhere: i64 = 0
                other: i64 = 0
                while other < seats:
                    if other != place:
                        elsewhere |= may[other]
                    other += 1
                sure: i64 = mine & ~elsewhere
                size: i64 = sizes[place]
                if popcount(mine) == size:
                    sure = mine
                if sure != known[place]:
                    known[place] = sure
                    changed = True
                    other = 0
                    while other < seats:
                        if other != place:
                            may[other] = may[other] & ~sure
                        other += 1
                if mine != sure and popcount(sure) == size:
                    may[place] = sure
                    changed = True
            place += 1
    return known
