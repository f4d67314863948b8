"""Tournament formats, one file each, and the schedule that they make for a whole event.

A format is a module with `Options` (a Rules dataclass), `rounds(table)` and `plan(table)`. `rounds` is a
generator: it yields a round of deal sets, lazily, and is sent that round's results: its records, and who is
suspended from now on. It sees a table (who plays, which options) and results, never clocks, so a run is
continued by running the generator again. Deal sets with suspended bots are left out of what it yields.
One whose results mean more than a ranking also has `summary(table, records)`. `TIMED` names the option that
the amount of play is proportional to, for `--time`; `TYPICAL` are options with which the plan says what a run
usually takes, where it is less than the most. `MAY_GROW` names options that a run goes on with when they are
raised: the schedule begins as it did then, and the plan grows. `STEERS` says of others why a run cannot go on
with another value, in a line. `check_format` in format_laws.py holds a format to all this.
"""

from harness.formats.core.format import (
    MAX_SETS,
    DealSet,
    Extent,
    Format,
    OneGame,
    RoundResults,
    Summary,
    Table,
    Unservable,
    available,
    load,
)
from harness.formats.core.plan import GamePlan, Plan, plan, total
from harness.formats.core.schedule import (
    numbered,
    rule,
    schedule,
    scheduled,
    self_play,
    summaries,
    tables,
)

__all__ = [
    "MAX_SETS",
    "DealSet",
    "Extent",
    "Format",
    "GamePlan",
    "OneGame",
    "Plan",
    "RoundResults",
    "Summary",
    "Table",
    "Unservable",
    "available",
    "load",
    "numbered",
    "plan",
    "rule",
    "schedule",
    "scheduled",
    "self_play",
    "summaries",
    "tables",
    "total",
]
