"""A bot's own numbers: bounded, since they go into every row of its results, and fit to be shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

NAMES: Final = 100
"""Different numbers that a bot may have in a match."""
LONGEST: Final = 40
"""Characters of a number's name."""


class Metrics:
    """The numbers of one seat in one match."""

    def __init__(self) -> None:
        self._values: dict[str, list[float]] = {}

    def note(self, metrics: Mapping[str, Any]) -> None:
        """Take those of a decision; raises ValueError as `checked` does, or where there are too many."""
        found = checked(metrics)
        if len(self._values.keys() | found.keys()) > NAMES:
            raise ValueError(f"expected at most {NAMES} different metrics")
        for name, value in found.items():
            self._values.setdefault(name, []).append(value)

    def means(self) -> dict[str, float]:
        """Each averaged over the decisions that recorded it."""
        means = {name: sum(values) / len(values) for name, values in sorted(self._values.items())}
        return {name: mean for name, mean in means.items() if math.isfinite(mean)}


def checked(metrics: Mapping[str, Any]) -> dict[str, float]:
    """Those that are finite, as floats. Raises ValueError for a name or a value that is not fit to be one."""
    found = {}
    for name, value in metrics.items():
        text = str(name)
        if not (0 < len(text) <= LONGEST and text.isprintable()):
            shown = ascii(text[:LONGEST])
            raise ValueError(
                f"expected a metric's name of 1 to {LONGEST} printable characters, got {shown} ({len(text)})"
            )
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"metric {text!r}: {error}") from None
        if math.isfinite(number):
            found[text] = number
    return found
