"""What bots recorded about themselves with `seen.metric`, averaged over their matches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from harness.analysis.frames import Run
from harness.analysis.results import Entrant
from harness.analysis.tables import Table

Numbers = Mapping[Entrant, Mapping[str, float]]
_COLUMNS = ("match_id", "bot", "version", "metrics")


def own_numbers(run: Run, tables: Sequence[Table]) -> list[Numbers]:
    """For each table, the mean of every number of every bot that has any: over the seats that recorded it.

    A mean that is not finite is left out, as it is in a match: the sum of numbers that are can be too large.
    """
    sums: list[dict[Entrant, dict[str, list[float]]]] = [{} for _ in tables]
    table_of: dict[str, int] = {}
    for frame in run.pieces("seats", _COLUMNS):
        there = frame[frame["metrics"].map(len, na_action="ignore") > 0]
        if len(there) and not table_of:
            table_of = {name: place for place, table in enumerate(tables) for name in table.match_ids}
        for match_id, bot, version, metrics in there.itertuples(index=False):
            own = sums[table_of[match_id]].setdefault(Entrant(bot, version), {})
            for name, value in metrics:
                own.setdefault(name, []).append(value)
    return [
        {
            entrant: {
                name: mean for name, values in own.items() if math.isfinite(mean := sum(values) / len(values))
            }
            for entrant, own in table.items()
        }
        for table in sums
    ]
