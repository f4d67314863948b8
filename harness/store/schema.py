"""The columns of a run's files: names, types, units, and what the digest leaves out.

This list is the only place that says what is stored. Two tables: `matches`, one row a match, and `seats`,
one row a match and seat; `voids` has the tries that the platform spoilt.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import pyarrow as pa

SCHEMA_VERSION: Final = "1"
"""Goes up when a column changes its meaning or goes away; new columns alone do not raise it."""
VERSION_KEY: Final = b"croupier.schema"
"""Where a file's metadata has it."""


class Column(NamedTuple):
    """One column of a file."""

    name: str
    type: Any
    doc: str
    unit: str = ""
    measured: bool = False
    """Depends on clocks or machines, so it is not part of the digest."""


def _words() -> Any:
    """A text column with few values, stored as numbers into a list of words."""
    return pa.dictionary(pa.int32(), pa.string())


MATCH_COLUMNS: Final = (
    Column("match_id", pa.string(), "round, set and seating, zero-padded: text order is schedule order"),
    Column(
        "deal",
        pa.string(),
        "address of the match's luck: `<game>/<number>`, or `<game>/<digest of the positions>/<number>`",
    ),
    Column("game", _words(), "name of the game"),
    Column("rules", _words(), "options that differ from the game's defaults, as canonical JSON"),
    Column("round", pa.int32(), "number of the round in the schedule"),
    Column("line_up", pa.int32(), "number of the line-up (which bots meet) in the schedule"),
    Column("seating", pa.int16(), "number of the seating within the deal set"),
    Column("seats", pa.int8(), "how many seats the game has", "seats"),
    Column("status", _words(), "`completed` or `forfeit`"),
    Column("reason", _words(), "the game's own reason for the end; null where a forfeit ended the match"),
    Column("plies", pa.int32(), "moves made, forced ones included", "moves"),
    Column("moves", pa.list_(pa.int16()), "every move, as its number in the game's table"),
    Column("move_seats", pa.list_(pa.int8()), "the seat that made each move"),
    Column("attempt", pa.int8(), "1, or more where earlier tries were void", measured=True),
    Column("started", pa.timestamp("us", tz="UTC"), "when the match began", measured=True),
    Column("wall_ms", pa.float32(), "wall-clock time of the match", "ms", measured=True),
    Column("worker", pa.string(), "`host:pid` of the process that played it", measured=True),
    Column("isolation", _words(), "isolation level in force", measured=True),
)

SEAT_COLUMNS: Final = (
    Column("match_id", pa.string(), "the match, as in `matches`"),
    Column("seat", pa.int8(), "seat, from 0"),
    Column("side", pa.int8(), "seats of a match with the same number play together"),
    Column("bot", _words(), "the bot's name"),
    Column("version", _words(), "digest over the bot's files, 12 hex digits"),
    Column("score", pa.float64(), "payoff or points, as the game's rules define them", "points"),
    Column("place", pa.int8(), "1 + the number of sides with a higher score; last after a forfeit"),
    Column(
        "faults",
        pa.list_(pa.struct([("ply", pa.int32()), ("kind", pa.string())])),
        "what the bot did wrong: moves made before (-1 at the start) and kind",
    ),
    Column("decisions", pa.int32(), "decisions it was asked for", "decisions"),
    Column("fault_detail", pa.string(), "one line a fault, for the bot's author", measured=True),
    Column("metrics", pa.map_(pa.string(), pa.float64()), "the bot's own numbers by name", measured=True),
    Column("cpu_ms", pa.float64(), "CPU time of all its decisions", "ms", measured=True),
    Column("cpu_ms_max", pa.float32(), "CPU time of its longest decision", "ms", measured=True),
    Column(
        "move_cpu_us",
        pa.list_(pa.uint32()),
        "CPU time of each of its moves, 0 for forced ones; null where it is not kept",
        "us",
        measured=True,
    ),
)

VOID_COLUMNS: Final = (
    Column("match_id", pa.string(), "the match whose try was void"),
    Column("attempt", pa.int8(), "which try, from 1", measured=True),
    Column("when", pa.timestamp("us", tz="UTC"), "when that was found out", measured=True),
    Column("where", pa.string(), "worker or node, as far as it is known", measured=True),
    Column("why", pa.string(), "what happened, in one line", measured=True),
)


def _schema(table: str, columns: tuple[Column, ...]) -> Any:
    """The Arrow schema, with documentation and units in its metadata."""
    fields = []
    for column in columns:
        notes = {"doc": column.doc, "measured": str(column.measured).lower()}
        if column.unit:
            notes["unit"] = column.unit
        fields.append(pa.field(column.name, column.type, metadata=notes))
    return pa.schema(fields, metadata={VERSION_KEY: SCHEMA_VERSION, "croupier.table": table})


MATCHES: Final = _schema("matches", MATCH_COLUMNS)
SEATS: Final = _schema("seats", SEAT_COLUMNS)
VOIDS: Final = _schema("voids", VOID_COLUMNS)

MATCH_KEYS: Final = tuple(c.name for c in MATCH_COLUMNS if not c.measured)
"""The columns of `matches` that the digest covers, in its order."""
SEAT_KEYS: Final = tuple(c.name for c in SEAT_COLUMNS if not c.measured and c.name != "match_id")
"""The columns of `seats` that the digest covers, in its order."""


def same_columns(schema: Any, wanted: Any) -> bool:
    """Whether a file has every column of `wanted`, in order and with its type, and no other."""
    return [(f.name, f.type) for f in schema] == [(f.name, f.type) for f in wanted]
