"""States drawn from a view alone, exactly by the law of the deal given what the view proves; compiled.

While cards are played, a world is who was dealt what and who gave what. Worlds with the same hands
after the exchange differ only in which three of its cards each receiver was given: given those, the
deal follows. That is C(size, 3) ways for every receiver whose gift the seat has not seen and one way
for the others, whatever the hands. So hands are drawn uniformly, and then each unseen gift.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from engines.core.bits import nth, popcount
from engines.core.chance import Stream, event_code
from engines.core.dealing import choose, deal
from engines.seven_symbols.deal_state import GIVE, PLAY
from engines.seven_symbols.knowledge import holdable
from engines.seven_symbols.masks import LAST, gift_mask, packed_gift, unpacked
from engines.seven_symbols.moves import Kind
from engines.seven_symbols.options import Setup
from engines.seven_symbols.seven_state import SevenState
from engines.seven_symbols.view import SevenView

SAMPLE: Final = event_code("seven-symbols sample")


def sampled(setup: Setup, view: SevenView, luck: i64, seed: i64) -> SevenState:
    """A state of this `luck` with this view, drawn by `seed` from all that the view allows."""
    stream: Stream = Stream(seed, SAMPLE)
    state: SevenState = public_part(setup, view, luck)
    seat: i64 = view.seat
    state.set_hand(seat, view.hand)
    if state.phase == GIVE:
        draw_deal(state, view, stream)
    else:
        draw_hands(state, view, stream)
    return state


def public_part(setup: Setup, view: SevenView, luck: i64) -> SevenState:
    """A state with all that the view's seat shares with everybody."""
    state: SevenState = SevenState(setup, luck)
    state.seat = view.turn
    state.phase = PLAY if view.phase is Kind.PLAY else GIVE
    state.show(view.display)
    state.deck = view.deck
    state.first_leader = view.first_leader
    state.number = view.deal
    shift: i64 = 0
    for count in view.tricks:
        number: i64 = count
        state.tricks |= number << shift
        shift += 8
    shift = 0
    for count in view.symbols:
        number = count
        state.symbols |= number << shift
        shift += 8
    for side, scored in enumerate(view.points):
        state.add_points(side, scored)
    shift = 0
    for mask in view.voids:
        colours: i64 = mask
        state.voids |= colours << shift
        shift += 7
    state.set_table(view.leader, list(view.trick))
    set_history(state, list(view.played), list(view.spent))
    return state


def set_history(state: SevenState, played: list[int], spent: list[int]) -> None:
    """Put whole tricks on record; `spent` says who played what."""
    tricks: i64 = len(played) // state.seats
    at: i64 = 0
    while tricks > 0:
        first: i64 = played[at]
        leader: i64 = 0
        mask: i64 = spent[0]
        while not mask & (LAST >> (48 - first)):
            leader += 1
            mask = spent[leader]
        word: i64 = leader
        shift: i64 = 2
        while shift < 2 + 6 * state.seats:
            card: i64 = played[at]
            word |= card << shift
            shift += 6
            at += 1
        state.past.append(word)
        tricks -= 1


def draw_hands(state: SevenState, view: SevenView, stream: Stream) -> None:
    """The other seats' hands, and the gifts that the seat has not seen."""
    seat: i64 = view.seat
    gone: i64 = 0
    spent = view.spent
    for mask in spent:
        gone |= mask
    own_gift: i64 = 0
    given = view.given
    if given:
        own_gift = gift_mask(packed_gift(given))
    unseen: i64 = state.deck & ~view.hand & ~gone & ~(LAST >> (48 - state.display))
    room: list[int] = list(view.sizes)
    may = holdable(state, seat, unseen, own_gift, list(view.voids))
    del room[seat]
    del may[seat]
    hands = deal(stream, unseen, room, may)
    hands.insert(seat, view.hand)
    other: i64 = 0
    while other < state.seats:
        state.set_hand(other, hands[other])
        state.set_full(other, hands[other] | spent[other])
        other += 1
    if not given:
        return
    state.gifts = 3 * state.seats
    other = 0
    while other < state.seats:
        if other == seat:
            state.set_gift(other, packed_gift(given))
        elif state.receiver(other) == seat:
            state.set_gift(other, drawn_gift(stream, gift_mask(packed_gift(view.received)), 3))
        else:
            state.set_gift(other, drawn_gift(stream, state.full(state.receiver(other)), 3))
        other += 1


def draw_deal(state: SevenState, view: SevenView, stream: Stream) -> None:
    """The other seats' cards as dealt, and what they have laid aside so far."""
    seat: i64 = view.seat
    given = view.given
    sizes = view.sizes
    size: i64 = popcount(view.hand) + len(given)
    rest: i64 = state.deck & ~view.hand & ~(LAST >> (48 - state.display))
    for card in given:
        rest &= ~(LAST >> (48 - card))
    other: i64 = 0
    while other < state.seats:
        if other == seat:
            state.set_gift(other, packed_gift(given))
        else:
            dealt: i64 = choose(stream, rest, size)
            rest ^= dealt
            packed: i64 = drawn_gift(stream, dealt, size - sizes[other])
            for card in unpacked(packed, size - sizes[other]):
                dealt &= ~(LAST >> (48 - card))
            state.set_hand(other, dealt)
            state.set_gift(other, packed)
        state.gifts += size - sizes[other]
        other += 1


def drawn_gift(stream: Stream, cards: i64, count: i64) -> i64:
    """`count` of the `cards` in a uniformly random order, packed in six bits each."""
    packed: i64 = 0
    left: i64 = popcount(cards)
    shift: i64 = 0
    while shift < 6 * count:
        card: i64 = nth(cards, stream.below(left))
        packed |= card << shift
        cards ^= LAST >> (48 - card)
        left -= 1
        shift += 6
    return packed
