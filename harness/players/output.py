"""What bots print, kept under `logs/` for their authors, bounded whatever they do, and read back for them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from harness.records import BotRef, MatchRecord
from harness.wording import visible

KEPT: Final = 4_000_000
"""Bytes kept of one version of a bot in one run; later matches' output is dropped."""
FILES: Final = 1000
"""Files kept of it."""


def folder(logs: Path, ref: BotRef) -> Path:
    """Where a bot's output is."""
    return logs / f"{ref.name}-{ref.version}"


def file(logs: Path, ref: BotRef, match: str, seat: int) -> Path:
    """Where the output of one seat of one match is, where it printed anything and there was room."""
    return folder(logs, ref) / f"{match}-seat{seat}.log"


def keep(logs: Path, ref: BotRef, match: str, seat: int, text: str) -> None:
    """Write a seat's output, unless its bot has filled its share. A disk that is full is not its fault."""
    place = folder(logs, ref)
    try:
        place.mkdir(parents=True, exist_ok=True)
        sizes = [found.stat().st_size for found in place.iterdir()]
        if len(sizes) < FILES and sum(sizes) < KEPT:
            file(logs, ref, match, seat).write_text(text, encoding="utf-8", errors="replace")
    except OSError:
        return


def kept(logs: Path, record: MatchRecord) -> dict[int, list[str]]:
    """What each seat of a match printed, in lines that a terminal shows and does not obey; by seat.

    Of bots in the workers' own processes nothing is kept by match.
    """
    found = {}
    for seat, ref in enumerate(record.spec.seats):
        try:
            text = file(logs, ref, record.spec.id, seat).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        found[seat] = [visible(line) for line in text.splitlines()]
    return found
