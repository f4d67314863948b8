"""Full states drawn from a view alone, by the law of the deal given what the view proves."""

from __future__ import annotations

from random import Random

from engines.code777.code777_state import RACK, WINDOW, Code777State
from engines.code777.evidence import unrecorded_place
from engines.code777.options import Setup
from engines.code777.posterior import solved
from engines.code777.record import REFILLED
from engines.code777.tiles import Tile, counted, expanded, tiles_of
from engines.code777.view import Code777View, Phase


def sampled(setup: Setup, view: Code777View, rng: Random) -> Code777State:
    """A state that gives this view: own racks by their joint law, the rest uniform (posterior.py).

    Sealed choices of others are uniform over what they could have chosen: any legal move, or any
    announcement where only announcements are still sealed.
    """
    eras = solved(view).draw(rng)
    own = 0 if view.racks[view.seat] else eras.pop()
    racks = [code or own for code in view.racks]
    words = with_eras(view, eras)
    state = Code777State(setup, rng.getrandbits(53))
    state.seat = view.turn
    for place, code in enumerate(racks):
        state.set_rack(place, code)
        state.add_refills(place, view.refills[place])
    state.away, state.draw = spread(view, racks, words, rng)
    state.away_size, state.draw_size = view.away, view.draw
    stack = [card for card in range(1, 24) if view.cards >> card & 1 and card not in view.asked]
    rng.shuffle(stack)
    state.order = [*view.asked, *stack]
    state.turned = len(view.asked)
    state.cards = view.cards
    state.reader = view.reader
    state.question, state.answer = view.question, max(view.answer, 0)
    state.asked_total = view.asked_total
    state.phase = RACK if view.phase is Phase.RACK else WINDOW
    for place, seat in enumerate(view.done):
        state.done |= 1 << seat
        state.done_order |= seat << 3 * place
    state.done_count = len(view.done)
    least = 1 if view.phase is Phase.RACK else 0
    for seat in view.sealed:
        choice = view.choice if seat == view.seat else rng.randint(least, setup.announcements)
        state.sealed |= 1 << seat
        state.choices |= choice << 9 * seat
    for seat, points in enumerate(view.scores):
        state.add_points(seat, points)
    for word in words:
        state.note(word)
    if view.turn >= 0:
        state.unrecorded = unrecorded_place(view)
    return state


def with_eras(view: Code777View, eras: list[int]) -> list[int]:
    """The record with the tiles that left the own rack filled in where the seat was not shown them."""
    own, left = REFILLED | view.seat << 2, iter(eras)
    return [word | next(left) << 11 if word & 31 == own and not word >> 11 else word for word in view.record]


def spread(view: Code777View, racks: list[int], words: list[int], rng: Random) -> tuple[int, int]:
    """The counts of the tiles out of play and in the draw pile.

    What left racks since the last refresh is out of play. Where the record begins later than that, other
    tiles are too: they are as likely as not any of the rest.
    """
    away = 0
    for word in words:
        if word & 3 == REFILLED:
            away = 0 if word & 32 else away + counted(tiles_of(word >> 11))
    rest: list[Tile] = list(expanded(view.tiles - away - sum(counted(tiles_of(code)) for code in racks)))
    more = view.away - len(expanded(away))
    rng.shuffle(rest)
    return away + counted(rest[:more]), counted(rest[more:])
