"""What a seat is shown of a state: the view, compiled."""

from __future__ import annotations

from mypy_extensions import i64

from engines.code777.code777_state import RACK, Code777State
from engines.code777.questions import counts_of
from engines.code777.view import Code777View, Phase


def view_of(state: Code777State, seat: i64) -> Code777View:
    """What `seat` knows."""
    setup = state.setup
    won: bool = state.seat < 0 and state.points(seat) >= setup.target
    racks: list[int] = []
    refills: list[int] = []
    tiles: i64 = state.draw + state.away
    place: i64 = 0
    while place < setup.racks:
        code: i64 = state.rack(place)
        tiles += counts_of(code)
        refills.append(state.refills(place))
        racks.append(0 if place == seat and not won else code)
        place += 1
    sealed: list[int] = []
    place = 0
    while place < setup.seats:
        if (state.sealed >> place) & 1:
            sealed.append(place)
        place += 1
    return Code777View(
        int(seat),
        int(state.seat),
        Phase.RACK if state.phase == RACK else Phase.WINDOW,
        tuple(racks),
        int(state.draw_size),
        int(state.away_size),
        tuple(refills),
        len(state.order) - int(state.turned),
        tuple(state.order[: state.turned]),
        int(state.reader),
        tuple(state.order_of_done()),
        tuple(sealed),
        int(state.choice(seat)) if (state.sealed >> seat) & 1 else -1,
        int(state.question),
        int(state.answer) if state.question else -1,
        tuple(state.scores()),
        int(state.asked_total),
        state.seen_by(seat),
        int(tiles),
        int(state.cards),
        int(setup.refresh),
        setup.colours,
        setup.at_least,
    )
