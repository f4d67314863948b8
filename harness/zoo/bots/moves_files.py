"""Renames, removes, links and makes folders."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from bots import Bot, Seen
from engines.core.game import Move, View

CONTAINED_FROM = "locked-noopen"
FAULTS = ()


class MovesFiles(Bot[View[Move]]):
    def __init__(self, game: Any, seat: int, rng: Any, **trap: Any) -> None:
        super().__init__(game, seat, rng)
        self.trap = trap

    def act(self, seen: Seen[View[Move]]) -> int:
        folder = Path(self.trap["folder"])
        for attempt in (
            lambda: (folder / "made").mkdir(),
            lambda: (folder / "link").symlink_to("/etc/passwd"),
            lambda: (folder / "victim").rename(folder / "renamed"),
            lambda: (folder / "other").unlink(),
        ):
            with contextlib.suppress(OSError):
                attempt()
        return seen.moves[0]
