"""A position of a film in lines of text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engines.core.playthrough import plain
from harness.replay.film import Film, Made

ALL: Final = -1
"""The viewer who sees every card."""
_BY_SEAT: Final = frozenset({"hands", "racks", "known", "sizes", "given", "received", "voids"})
"""Keys whose values stand beside the seats."""
_LEFT_OUT: Final = frozenset({"luck", "turn", "repeats", "log", "played", "stack", "asked"})
"""Keys that take much room and follow from the moves."""
_SHOWN_LOG: Final = 4


def head(shown: Film, at: int, viewer: int) -> str:
    """What is shown, how far on, and by whom it is seen."""
    who = "every card open" if viewer == ALL else f"seen by seat {viewer}"
    spec = shown.record.spec
    return f"{spec.game} · match {spec.id} · {at} of {len(shown.moves)} moves · {who}"


def seats(shown: Film, at: int, viewer: int) -> Iterator[tuple[bool, str, str]]:
    """For every seat: whether it is to move, who sits there, and what it holds."""
    frame = shown.frames[at]
    state = _seen(shown, at, viewer)
    for seat, found in enumerate(shown.record.seats):
        faults = "".join(
            f" ⚠ {kind}" for ply in range(at + 1) for who, kind, _ in shown.faults(ply) if who == seat
        )
        yield frame.seat == seat, f"seat {seat} {found.bot.name}{faults}", _holding(state, seat)


def _holding(state: dict[str, Any], seat: int) -> str:
    if "racks" in state:
        rack = state["racks"][seat]
        return " ".join(rack) if rack else "? ? ?"
    if "hands" not in state:
        return ""
    hand = state["hands"][seat]
    if hand is not None:
        return " ".join(hand) or "no cards"
    known = state.get("known", [[]] * (seat + 1))[seat] or []
    hidden = state["sizes"][seat] - len(known)
    return " ".join(
        [*known, *([f"and {hidden} not known" if known else f"{hidden} cards"] if hidden else [])]
    )


def facts(shown: Film, at: int, viewer: int) -> Iterator[tuple[str, str]]:
    """The rest of the position, by the keys of docs/notation.md; counts where that is all one may know."""
    state = _seen(shown, at, viewer)
    for key, value in state.items():
        if key not in _BY_SEAT and key not in _LEFT_OUT:
            yield key, written(value)
    extra = state.get("racks", [])[len(shown.record.seats) :]
    for number, rack in enumerate(extra, start=len(shown.record.seats)):
        yield f"rack {number}", " ".join(rack)
    if question := state.get("question"):
        yield f"question {question}", shown.game.legend.get(f"question {question}", "")
    for entry in state.get("log", [])[-_SHOWN_LOG:]:
        yield "log", " ".join(f"{key} {written(value)}" for key, value in entry.items())


def _seen(shown: Film, at: int, viewer: int) -> dict[str, Any]:
    frame = shown.frames[at]
    return frame.state if viewer == ALL else frame.views[viewer]


def written(value: Any) -> str:
    """A value of a position in one line."""
    if isinstance(value, list):
        nested = any(isinstance(item, list) for item in value)
        return (" | " if nested else " ").join(written(item) for item in value) or "-"
    if value is None:
        return "-"
    return str(plain(value)) if not isinstance(value, bool) else ("yes" if value else "no")


def last_move(shown: Film, at: int, viewer: int) -> str:
    """What was just played."""
    if not at:
        return "the deal"
    made = shown.moves[at - 1]
    who = f"seat {made.seat} ({shown.record.seats[made.seat].bot.name})"
    if made.substitute:
        who = f"a substitute for {who}"
    return f"{who}: {name_of(made, viewer)}{', forced' if made.choices == 1 else ''}"


def name_of(made: Made, viewer: int) -> str:
    """A move as this viewer was told of it when it was made."""
    return made.name if made.public or viewer in {ALL, made.seat} else "a sealed choice"


def next_moves(shown: Film, at: int, viewer: int) -> str:
    """What may come, as far as the viewer may know it."""
    frame = shown.frames[at]
    if frame.seat < 0:
        record = shown.record
        scores = ", ".join(f"{s.bot.name} {plain(s.score)}" for s in record.seats)
        return f"ended by {record.reason or 'forfeit'}: {scores}"
    if viewer not in {ALL, frame.seat}:
        return f"seat {frame.seat} is to move"
    more = f" and {frame.choices - 12} more" if frame.choices > 12 else ""
    return f"seat {frame.seat} may play {', '.join(frame.legal[:12])}{more}"


def faults(shown: Film, at: int) -> list[str]:
    """The faults found at this point."""
    return [f"FAULT of seat {seat} ({kind}): {detail}" for seat, kind, detail in shown.faults(at)]
