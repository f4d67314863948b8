"""Stepping through a match in a terminal, key by key."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from harness.cli.common import console

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from harness.replay.film import Film

KEYS: Final = {
    b"\x1b[C": "next", b" ": "next", b"\r": "next", b"\n": "next", b"n": "next", b"l": "next",
    b"\x1b[D": "back", b"\x7f": "back", b"p": "back", b"h": "back",
    b"\x1b[H": "first", b"\x1b[1~": "first", b"\x1bOH": "first", b"g": "first",
    b"\x1b[F": "last", b"\x1b[4~": "last", b"\x1bOF": "last", b"G": "last",
    b"\x1b[6~": "ten on", b"\x1b[5~": "ten back",
    b"a": "all", b"f": "fault", b"o": "output",
    b"q": "quit", b"\x1b": "quit", b"\x03": "quit", b"\x04": "quit", b"": "quit",
}  # fmt: skip
HELP: Final = (
    "→ ← step · Home End · PgDn PgUp ten moves · 0-9 a seat's view · a all · f next fault · o output · q quit"
)
_CARD: Final = re.compile(r"\b(?:10|[2-9AJQK])([SHDC])\b")
_COLOURS: Final = {"S": "bold", "H": "bold red", "D": "bold blue", "C": "bold green"}


def possible() -> bool:
    """Whether somebody sits at a terminal whose keys can be read."""
    try:
        import termios
    except ImportError:
        return False
    return bool(termios) and sys.stdin.isatty() and sys.stdout.isatty()


def step(shown: Film, printed: Mapping[int, Sequence[str]]) -> None:
    """Show the match until `q` is pressed; `printed` has what its bots printed, by seat."""
    from harness.replay.screen import ALL

    screen = console()
    at, viewer, end = 0, ALL, len(shown.moves)
    with screen.screen(), _keys() as keys:
        while True:
            _draw(shown, at, viewer, screen)
            key = next(keys)
            action = KEYS.get(key, "")
            if action == "quit":
                return
            if key.isdigit() and int(key) < len(shown.record.seats):
                viewer = int(key)
            elif action == "all":
                viewer = ALL
            elif action == "output":
                _page_through(shown, printed, screen, keys)
            else:
                at = moved(shown, at, end, action)


def _page_through(
    shown: Film, printed: Mapping[int, Sequence[str]], screen: Console, keys: Iterator[bytes]
) -> None:
    """Show what the bots printed, a screen at a time, until there is no more or another key is pressed."""
    from rich.text import Text

    from harness.cli import words

    text = Text("\n".join(list(words.output(shown.record, printed))[1:]) or "Nothing was printed.")
    lines = list(text.wrap(screen, screen.width))
    height = max(1, screen.height - 2)
    for top in range(0, len(lines), height):
        more = top + height < len(lines)
        screen.clear()
        screen.print(Text("\n").join(lines[top : top + height]))
        screen.print(
            Text(
                "space: more · any other key: back to the match" if more else "any key: back to the match",
                style="dim",
            )
        )
        if next(keys) != b" ":
            return


def moved(shown: Film, at: int, end: int, action: str) -> int:
    """Where a key leads from position `at`."""
    if action == "fault":
        faulty = [n for n in range(end + 1) if shown.faults(n)]
        return next((n for n in faulty if n > at), faulty[0] if faulty else at)
    to = {"next": at + 1, "back": at - 1, "first": 0, "last": end, "ten on": at + 10, "ten back": at - 10}
    return max(0, min(end, to.get(action, at)))


@contextmanager
def _keys() -> Iterator[Iterator[bytes]]:
    """Keys as they are pressed, an escape sequence at once; the terminal is put back afterwards."""
    import termios
    import tty

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        yield iter(lambda: os.read(handle, 16), None)
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _draw(shown: Film, at: int, viewer: int, screen: Console) -> None:
    screen.clear()
    screen.print(page(shown, at, viewer))


def page(shown: Film, at: int, viewer: int) -> RenderableType:
    """One position as it fills the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from harness.replay import screen

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for turn, who, holding in screen.seats(shown, at, viewer):
        table.add_row(
            Text(f"{'▶' if turn else ' '} {who}", style="bold reverse" if turn else "bold"), _cards(holding)
        )
    table.add_row("", "")
    for key, value in screen.facts(shown, at, viewer):
        table.add_row(Text(f"  {key}", style="dim"), _cards(value))
    lines: list[RenderableType] = [Text(screen.head(shown, at, viewer), style="bold"), Text(), table, Text()]
    lines.append(Text.assemble("  ", (screen.last_move(shown, at, viewer), "bold")))
    lines += [Text(f"  {fault}", style="bold red") for fault in screen.faults(shown, at)]
    lines.append(Text(f"  {screen.next_moves(shown, at, viewer)}"))
    if shown.wrong:
        lines.append(Text(f"  Not what its moves lead to: {shown.wrong}", style="bold red"))
    return Group(*lines, Text(), Text(HELP, style="dim"))


def _cards(text: str) -> RenderableType:
    from rich.text import Text

    found = Text(text)
    for match in _CARD.finditer(text):
        found.stylize(_COLOURS[match[1]], match.start(), match.end())
    return found
