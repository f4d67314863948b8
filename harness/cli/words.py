"""Matches told in words, one line a turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engines.core.game import Game
from engines.core.play import Turn
from engines.core.playthrough import plain
from harness.records import MatchRecord

SHOWN = 8
"""Other legal moves that a line shows."""
INDENT = 8
"""Where a turn goes on in the next line of a narrow terminal."""


def heading(record: MatchRecord, game: Game[Any, Any]) -> Iterator[str]:
    """What was played, on which deal, by whom."""
    spec = record.spec
    changed = "".join(f", {key} = {json.dumps(value)}" for key, value in game.rules.changed().items())
    yield f"{spec.game}{changed}: match {spec.id}, deal {spec.deal} (luck {spec.luck})"
    for seat, ref in enumerate(spec.seats):
        team = f", side {game.sides[seat]}" if len(set(game.sides)) < game.seats else ""
        options = "" if ref.options == "{}" else f" {ref.options}"
        yield f"  seat {seat}{team}: {ref.name}{options}, version {ref.version}"
    yield ""


def turn(turn: Turn, names: Sequence[str]) -> str:
    """`  12  seat 1 (miser)  BEAT QC   or BEAT AC, TAKE`."""
    others = [move.name for move in turn.legal if move != turn.move]
    more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    choice = f"or {', '.join(others[:SHOWN])}{more}" if others else "forced"
    width = max(len(f"seat {seat} ({name})") for seat, name in enumerate(names))
    who = f"seat {turn.seat} ({names[turn.seat]})"
    return f"{turn.n:4}  {who:{width}}  {turn.move.name:12}  {choice}"


def faults(record: MatchRecord, ply: int) -> Iterator[str]:
    """The faults that were found when so many moves had been made."""
    for seat in record.seats:
        for fault in seat.faults:
            if fault.ply == ply:
                yield f"      FAULT ({fault.kind}): {fault.detail}"


def ending(record: MatchRecord) -> Iterator[str]:
    """How the match ended."""
    for ply in (-1, len(record.moves)):
        yield from faults(record, ply)
    yield ""
    yield f"Ended by {'forfeit' if record.reason is None else record.reason} after {len(record.moves)} moves."
    for seat, found in enumerate(record.seats):
        yield f"  seat {seat} ({found.bot.name}): score {plain(found.score)}, place {found.place}"


def output(record: MatchRecord, printed: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """What the bots of a match printed, seat by seat."""
    for seat, lines in printed.items():
        yield ""
        yield f"Printed by seat {seat} ({record.seats[seat].bot.name}):"
        for line in lines:
            yield f"  | {line}"
