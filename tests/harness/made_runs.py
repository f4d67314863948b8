"""Run folders made from a few words, for tests of what reads them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq

from engines.core.game import places
from harness.records import BotRef, Fault, MatchRecord, MatchSpec, SeatRecord
from harness.store.parquet import ParquetStore
from harness.store.tables import tables_of


def match(
    set_number: int,
    seating: int,
    bots: Sequence[str],
    scores: Sequence[float],
    *,
    sides: Sequence[int] | None = None,
    game: str = "toy",
    rules: str = "{}",
    deal: int | None = None,
    faults: Mapping[int, str] | None = None,
    decisions: int = 4,
    cpu_ms: float = 2.0,
    version: str = "0123456789ab",
) -> MatchRecord:
    """The record of a match in which `bots` sat in this order and got these scores."""
    faults = faults or {}
    team = tuple(sides or range(len(bots)))
    refs = tuple(BotRef(name, version) for name in bots)
    number = set_number if deal is None else deal
    spec = MatchSpec(
        id=f"000001-{set_number:06d}-{seating:02d}",
        game=game,
        rules=rules,
        deal=f"{game}/{number}",
        luck=number,
        round=0,
        line_up=0,
        seating=seating,
        seats=refs,
    )
    seats = tuple(
        SeatRecord(
            bot=ref,
            side=side,
            score=float(score),
            place=place,
            faults=(Fault(1, faults[seat], f"seat {seat}: {faults[seat]}"),) if seat in faults else (),
            decisions=decisions,
            cpu_ms=cpu_ms,
            cpu_ms_max=cpu_ms / 2,
        )
        for seat, (ref, side, score, place) in enumerate(
            zip(refs, team, scores, places([float(s) for s in scores], team), strict=True)
        )
    )
    return MatchRecord(
        spec=spec,
        status="forfeit" if faults else "completed",
        reason=None if faults and len(set(team)) == 2 else "won",
        moves=(0, 1),
        move_seats=(0, 1),
        seats=seats,
        started=datetime(2026, 11, 30, tzinfo=UTC),
    )


def write_run(
    folder: Path,
    records: Iterable[MatchRecord],
    *,
    parts: int = 1,
    split: Mapping[str, int] | None = None,
    shuffled: int | None = None,
) -> Path:
    """A run folder with these records in so many parts.

    `split` has the sizes of deal sets that are not all there; `shuffled` mixes the rows by that seed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ordered = list(records)
    bots = sorted({(seat.bot.name, seat.bot.version) for r in ordered for seat in r.seats})
    tables = "".join(f'[[bots]]\nname = "{name}"\nversion = "{version}"\n' for name, version in bots)
    (folder / "run.toml").write_text(f'name = "{folder.name}"\nseed = 7\n{tables}', encoding="utf-8")
    size = -(-len(ordered) // parts)
    with ParquetStore(folder) as store:
        for start in range(0, len(ordered), size):
            store.append(tables_of(ordered[start : start + size]), split)
            store.flush()
    if shuffled is not None:
        for path in sorted(folder.glob("*/*.parquet")):
            shuffle(path, shuffled)
    return folder


def shuffle(path: Path, seed: int) -> None:
    """The rows of a Parquet file in another order."""
    table = pq.read_table(path, partitioning=None)
    order = list(range(table.num_rows))
    random.Random(seed).shuffle(order)
    pq.write_table(table.take(order), path)


def duels(count: int, *, strength: float = 0.7, seed: int = 1, draws: float = 0.1) -> list[MatchRecord]:
    """Deal sets of two seatings among four bots a > b > c > d, the stronger winning with `strength`."""
    rng = random.Random(seed)
    names = "abcd"
    pairs = [(x, y) for i, x in enumerate(names) for y in names[i + 1 :]]
    records = []
    for number in range(count):
        better, worse = pairs[number % len(pairs)]
        for seating in (0, 1):
            drawn, won = rng.random() < draws, rng.random() < strength
            score = (0.5, 0.5) if drawn else (1.0, 0.0) if won else (0.0, 1.0)
            turn = 1 if seating == 0 else -1
            seats = (better, worse)[::turn]
            records.append(match(number, seating, seats, score[::turn], deal=number // len(pairs)))
    return records
