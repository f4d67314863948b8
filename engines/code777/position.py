"""Positions and views of Code 777 as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.code777.code777_state import RACK, Code777State
from engines.code777.questions import answer_name
from engines.code777.record import ANNOUNCED, ASKED
from engines.code777.tiles import CODES, RACKS, expanded, names_of, tiles_of
from engines.code777.view import Code777View


def rack_names(code: int) -> list[str] | None:
    """The tiles of a rack by name; None for one that is not shown."""
    return names_of(tiles_of(code)) if code else None


def write_log(words: Sequence[int], racks: Sequence[int], *, colours: bool) -> list[dict[str, Any]]:
    """Log entries from the words of a record and the racks as they stand now; code 0 is written null."""
    racks = list(racks)
    entries: list[dict[str, Any]] = []
    for word in reversed(words):
        if word & 3 == ASKED:
            question, reader, answer = word >> 2 & 31, word >> 7 & 7, word >> 10
            stood = [rack_names(code) for code in racks]
            entry: dict[str, Any] = {
                "q": question,
                "reader": reader,
                "answer": answer_name(question, answer),
                "racks": stood,
            }
        elif word & 3 == ANNOUNCED:
            said = names_of(tiles_of(RACKS[word >> 6])) if colours else list(CODES[word >> 6])
            entry = {"announce": said, "seat": word >> 2 & 7, "right": bool(word & 32)}
        else:
            rack, out = word >> 2 & 7, word >> 11
            racks[rack] = out
            entry = {
                "refill": rack,
                "out": rack_names(out),
                "pile": word >> 6 & 31,
                "refresh": bool(word & 32),
            }
        entries.append(entry)
    return entries[::-1]


def write_state(state: Code777State) -> dict[str, Any]:
    """The `state` of a position."""
    setup = state.setup
    racks = [state.rack(place) for place in range(setup.racks)]
    sealed = [seat for seat in range(setup.seats) if state.sealed >> seat & 1]
    return {
        "racks": [rack_names(code) for code in racks],
        "draw": names_of(expanded(state.draw)),
        "away": names_of(expanded(state.away)),
        "refills": [state.refills(place) for place in range(setup.racks)],
        "stack": state.order[state.turned :],
        "asked": state.order[: state.turned],
        "reader": state.reader,
        "turn": state.seat if state.seat >= 0 else None,
        "phase": "RACK" if state.phase == RACK else "WINDOW",
        "done": state.order_of_done(),
        "sealed": [[seat, setup.names[state.choice(seat)]] for seat in sealed],
        "question": state.question or None,
        "answer": answer_name(state.question, state.answer) if state.question else None,
        "scores": state.scores(),
        "asked_total": state.asked_total,
        "log": write_log(state.words(0), racks, colours=setup.colours),
        "luck": state.luck,
    }


def write_view(view: Code777View, names: Sequence[str]) -> dict[str, Any]:
    """The keys of `state` as the view's seat may know them; `names` are those of the moves."""
    return {
        "racks": [rack_names(code) for code in view.racks],
        "draw": view.draw,
        "away": view.away,
        "refills": list(view.refills),
        "stack": view.stack,
        "asked": list(view.asked),
        "reader": view.reader,
        "turn": view.turn if view.turn >= 0 else None,
        "phase": view.phase.value,
        "done": list(view.done),
        "sealed": [[seat, names[view.choice] if seat == view.seat else None] for seat in view.sealed],
        "question": view.question or None,
        "answer": answer_name(view.question, view.answer) if view.question else None,
        "scores": list(view.scores),
        "asked_total": view.asked_total,
        "log": write_log(view.record, view.racks, colours=view.colours),
    }
