"""Records as Arrow tables, and back.

Tables are filled column by column from lists; both are in match id order, `seats` by seat within a match,
so that the two can be read in step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from harness.records import BotRef, Fault, MatchRecord, MatchSpec, SeatRecord, VoidTry
from harness.store.columns import decoded, rows, table
from harness.store.schema import MATCHES, SEATS, VOIDS

_AT_ONCE: Final = 500
"""Matches that are plain values at the same time."""


class Tables(NamedTuple):
    """The rows of some matches: `matches` (one a match) and `seats` (one a match and seat)."""

    matches: Any
    seats: Any


def tables_of(records: Sequence[MatchRecord]) -> Tables:
    """The rows of these records, in match id order."""
    ordered = sorted(records, key=lambda record: record.spec.id)
    return Tables(_matches(ordered), _seats(ordered))


def _matches(records: Sequence[MatchRecord]) -> Any:
    specs = [record.spec for record in records]
    return table(
        MATCHES,
        {
            "match_id": [s.id for s in specs],
            "deal": [s.deal for s in specs],
            "game": [s.game for s in specs],
            "rules": [s.rules for s in specs],
            "round": [s.round for s in specs],
            "line_up": [s.line_up for s in specs],
            "seating": [s.seating for s in specs],
            "seats": [len(r.seats) for r in records],
            "status": [r.status for r in records],
            "reason": [r.reason for r in records],
            "plies": [len(r.moves) for r in records],
            "moves": [r.moves for r in records],
            "move_seats": [r.move_seats for r in records],
            "attempt": [r.attempt for r in records],
            "started": [r.started for r in records],
            "wall_ms": [r.wall_ms for r in records],
            "worker": [r.worker for r in records],
            "isolation": [r.isolation for r in records],
        },
    )


def _seats(records: Sequence[MatchRecord]) -> Any:
    seats = [seat for record in records for seat in record.seats]
    return table(
        SEATS,
        {
            "match_id": [r.spec.id for r in records for _ in r.seats],
            "seat": [number for r in records for number in range(len(r.seats))],
            "side": [s.side for s in seats],
            "bot": [s.bot.name for s in seats],
            "version": [s.bot.version for s in seats],
            "score": [s.score for s in seats],
            "place": [s.place for s in seats],
            "faults": [[{"ply": f.ply, "kind": f.kind} for f in s.faults] for s in seats],
            "decisions": [s.decisions for s in seats],
            "fault_detail": [_details(s.faults) if s.faults else None for s in seats],
            "metrics": [s.metrics for s in seats],
            "cpu_ms": [s.cpu_ms for s in seats],
            "cpu_ms_max": [s.cpu_ms_max for s in seats],
            "move_cpu_us": [own for r in records for own in _own_clocks(r)],
        },
    )


def _details(faults: Iterable[Fault]) -> str:
    """One line a fault."""
    return "\n".join(" ".join(fault.detail.splitlines()) for fault in faults)


def _own_clocks(record: MatchRecord) -> list[list[int] | None]:
    """The CPU times of each seat's own moves, or None for all where they were not kept."""
    if not record.move_cpu_us:
        return [None] * len(record.seats)
    own: list[list[int] | None] = [[] for _ in record.seats]
    for seat, spent in zip(record.move_seats, record.move_cpu_us, strict=True):
        kept = own[seat]
        if kept is not None:
            kept.append(spent)
    return own


def match_ids(tables: Tables) -> list[str]:
    """The match ids, in order."""
    return decoded(tables.matches.column("match_id"))


def void_table(tries: Sequence[VoidTry]) -> Any:
    """Void tries as a table."""
    names = [field.name for field in VOIDS]
    rows = zip(*tries, strict=True) if tries else [[] for _ in names]
    return table(VOIDS, {name: list(values) for name, values in zip(names, rows, strict=True)})


def void_tries(stored: Any) -> list[VoidTry]:
    """Void tries from their table."""
    return [VoidTry(*row) for row in rows(stored, VoidTry._fields)]


def slices(tables: Tables) -> Iterator[Tables]:
    """Tables in step, cut into few matches each: as plain values, rows take ten times the room."""
    at = 0
    for start in range(0, tables.matches.num_rows, _AT_ONCE):
        matches = tables.matches.slice(start, _AT_ONCE)
        seats = sum(decoded(matches.column("seats")))
        yield Tables(matches, tables.seats.slice(at, seats))
        at += seats


SpecOf = Callable[[dict[str, Any], tuple[tuple[str, str], ...]], MatchSpec]
"""Makes the spec of a `matches` row, given (bot, version) by seat: `reading.spec_reader`."""


def records_of(tables: Tables, spec_of: SpecOf) -> Iterator[MatchRecord]:
    """The records of rows that stand in match id order, both tables in step.

    Raises ValueError where a match has not as many seat rows as seats.
    """
    match_names = [field.name for field in MATCHES]
    seat_names = [field.name for field in SEATS]
    seat_rows = [dict(zip(seat_names, row, strict=True)) for row in rows(tables.seats, seat_names)]
    at = 0
    for values in rows(tables.matches, match_names):
        match = dict(zip(match_names, values, strict=True))
        seats = seat_rows[at : at + match["seats"]]
        at += match["seats"]
        if [(s["match_id"], s["seat"]) for s in seats] != [
            (match["match_id"], number) for number in range(match["seats"])
        ]:
            raise ValueError(f"match {match['match_id']}: expected its {match['seats']} seat rows in order")
        yield _record(match, seats, spec_of(match, tuple((s["bot"], s["version"]) for s in seats)))


def _record(match: dict[str, Any], seats: list[dict[str, Any]], spec: MatchSpec) -> MatchRecord:
    clocks = [iter(s["move_cpu_us"]) for s in seats if s["move_cpu_us"] is not None]
    kept = len(clocks) == len(seats)
    return MatchRecord(
        spec=spec,
        status=match["status"],
        reason=match["reason"],
        moves=tuple(match["moves"]),
        move_seats=tuple(match["move_seats"]),
        seats=tuple(_seat(row, ref) for row, ref in zip(seats, spec.seats, strict=True)),
        move_cpu_us=tuple(next(clocks[seat]) for seat in match["move_seats"]) if kept else (),
        attempt=match["attempt"],
        started=utc(match["started"]),
        wall_ms=match["wall_ms"],
        worker=match["worker"],
        isolation=match["isolation"],
    )


def _seat(row: dict[str, Any], ref: BotRef) -> SeatRecord:
    details = (row["fault_detail"] or "").split("\n")
    return SeatRecord(
        bot=ref,
        side=row["side"],
        score=row["score"],
        place=row["place"],
        faults=tuple(
            Fault(fault["ply"], fault["kind"], detail)
            for fault, detail in zip(row["faults"], details, strict=False)
        ),
        decisions=row["decisions"],
        cpu_ms=row["cpu_ms"],
        cpu_ms_max=row["cpu_ms_max"],
        metrics=tuple(row["metrics"]),
    )


def utc(moment: datetime | None) -> datetime | None:
    """A time as Arrow gives it, with the standard library's own time zone."""
    return None if moment is None else moment.astimezone(UTC)
