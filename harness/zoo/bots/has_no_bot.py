"""Has a function and no class of a bot: it has not started."""

from __future__ import annotations

from typing import Any

CONTAINED_FROM = "bounded"
FAULTS = ("start",)


def act(seen: Any) -> int:
    """The first legal move."""
    return int(seen.moves[0])
