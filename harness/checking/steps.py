"""What one step of a check says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from harness.wording import visible

OUTPUT_LINES = 30
"""Lines of a bot's own output that a step shows: the last ones."""
OUTPUT_COLUMNS = 400
"""Characters of each that are shown."""


_NOT_THEIRS: Final = ("/harness/", "<frozen importlib", "/importlib/__init__.py")
_CAUSE: Final = "The above exception was the direct cause of the following exception:"


class Status(StrEnum):
    """How a step came out."""

    passed = "passed"
    failed = "failed"
    skipped = "skipped"


class Step(NamedTuple):
    """One numbered step."""

    number: int
    name: str
    status: Status
    said: str = ""
    """What was found, in a line."""
    details: tuple[str, ...] = ()
    """More lines: a game each, a baseline each."""
    advice: str = ""
    """What to do about a failure."""
    output: str = ""
    """The bot's own traceback, or what it printed."""


class Failed(Exception):
    """A step has failed: what was found, what to do, and what the bot said itself."""

    def __init__(self, said: str, advice: str, *, details: tuple[str, ...] = (), output: str = "") -> None:
        super().__init__(said)
        self.said = said
        self.advice = advice
        self.details = details
        self.output = output


class Skipped(Exception):
    """A step cannot be done here; the text says why."""


class Found(NamedTuple):
    """What a step that passed has to say."""

    said: str
    details: tuple[str, ...] = ()
    output: str = ""


def last_lines(text: str) -> str:
    """The end of a bot's output, cut at OUTPUT_LINES, without what a terminal would obey."""
    lines = list(_own(text.rstrip().splitlines()))
    cut = [f"[{len(lines) - OUTPUT_LINES} lines before these]"] if len(lines) > OUTPUT_LINES else []
    return "\n".join([*cut, *map(_shown, lines[-OUTPUT_LINES:])])


def _shown(line: str) -> str:
    """A line as it is printed, cut at OUTPUT_COLUMNS."""
    if len(line) <= OUTPUT_COLUMNS:
        return visible(line)
    return f"{visible(line[:OUTPUT_COLUMNS])}… [{len(line):,} characters]"


def _own(lines: Iterable[str]) -> Iterator[str]:
    """A bot's output without the steps of its tracebacks that are Croupier's or the import's own."""
    ours = False
    for line in lines:
        if line.startswith(_CAUSE):
            return  # what follows is our own error about the one above
        if line.startswith("  File "):
            ours = any(part in line for part in _NOT_THEIRS)
        elif not line.startswith("    "):
            ours = False
        if not ours:
            yield line
