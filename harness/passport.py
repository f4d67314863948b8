"""A submitted bot's passport: who it is and what was measured when it entered, as `passport.json`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

FILE: Final = "passport.json"
"""Its name in the folder of a submission; no part of the bot, and not in the digest."""


class BadPassport(ValueError):
    """A passport cannot be read; the text says which and why."""


@dataclass(frozen=True)
class Against:
    """How it did against one shipped bot at one table."""

    bot: str
    share: float
    """Its share of the points, from 0 to 1; one half is even."""
    low: float
    """The lower end of the 95 % interval over deals."""
    high: float
    """The upper end."""
    sets: int
    """Deal sets, in each of which both sat in every seat equally often."""


@dataclass(frozen=True)
class Measured:
    """What was seen of it at one game and number of seats."""

    game: str
    """With seats: `hund:4`."""
    matches: int
    decisions: int
    cpu_ms_p50: float
    """CPU milliseconds of a decision: the median,"""
    cpu_ms_p95: float
    """… the 95th percentile"""
    cpu_ms_max: float
    """… and the longest."""
    against: tuple[Against, ...] = ()


@dataclass(frozen=True)
class Passport:
    """One version of one submitted bot."""

    name: str
    version: str
    """12 hex digits over its files."""
    author: str
    about: str
    """The first line of what its file says about itself."""
    games: tuple[str, ...]
    """What it says it plays; empty: every game."""
    options: tuple[str, ...] | None
    """The options that it takes; null where it takes any."""
    files: tuple[str, ...]
    submitted: str
    """When it was entered last, ISO 8601 in UTC: the newest version plays."""
    croupier: str
    """The version of Croupier that checked it."""
    isolation: str
    """How it was locked up meanwhile."""
    deterministic: bool
    """Whether equal matches were played alike."""
    cancels: bool
    """Whether it came out even against itself on every deal set."""
    types: str
    """`passed`, `failed` or `skipped` by mypy --strict."""
    memory_mb: float | None = None
    """Most memory that a seat of its held; null where that was not measured."""
    measured: tuple[Measured, ...] = field(default_factory=tuple)


def read(path: Path) -> Passport:
    """The passport at `path`; raises BadPassport."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Passport)
    except OSError as error:
        raise BadPassport(f"{path} cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise BadPassport(
            f"{path} is no passport: {error}; delete the folder {path.parent} and submit the bot again"
        ) from None


def text(passport: Passport) -> str:
    """It as JSON, indented."""
    return msgspec.json.format(msgspec.json.encode(passport), indent=2).decode() + "\n"
