"""A person in a seat: shown the table in words, asked for a move by number or name."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final

from bots.core.bot import Clock
from engines.core.game import Game, Move, Outcome

COLUMNS: Final = 100
"""The widest that a list of moves gets; a terminal may have less."""
LISTED: Final = 40
"""Moves up to which all are listed; of more, each kind is summed up, and a name does."""


class Left(Exception):
    """The person has got up from the table."""


class Person:
    """Asks somebody at a terminal. `show` prints a line, `ask` reads one and raises EOFError at the end."""

    def __init__(
        self,
        show: Callable[[str], None],
        ask: Callable[[], str],
        draw: Callable[[Any], list[str]],
        hints: Sequence[str],
        who: Callable[[int], str],
        *,
        width: int = 80,
    ) -> None:
        self.show = show
        self.ask = ask
        self.draw = draw
        self.hints = hints
        self.who = who
        self.width = min(width, COLUMNS)
        self.cpu_ns = 0
        self.decided = 0
        """Decisions made."""

    def start(self, game: Game[Any, Any], seat: int, luck: int) -> None:
        """Sit down."""
        del luck
        self.game = game
        self.seat = seat

    def act(self, view: Any, moves: Sequence[Move], news: list[tuple[int, Move]], clock: Clock) -> int:
        """Show what has happened and what the table is like, and ask until the answer is a move."""
        del clock
        self.show("")
        told = self._told(news)
        for line in [*told, ""] if told else []:
            self.show(line)
        for line in self.draw(self.game.view_position(view)):
            self.show(line)
        self.show("")
        for line in listed(moves, self.width):
            self.show(line)
        while True:
            try:
                said = self.ask()
            except EOFError:
                raise Left from None
            word = said.strip().lower()
            if word in {"?", "h", "help"}:
                for hint in [*self.hints, HELP]:
                    self.show(
                        textwrap.fill(hint, self.width - 1, initial_indent="  ", subsequent_indent="  ")
                    )
            elif word in {"q", "quit", "exit"}:
                raise Left
            elif word:
                found = chosen(said, moves)
                if isinstance(found, Move):
                    self.decided += 1
                    return found
                self.show(found)

    def end(self, outcome: Outcome | None) -> None:
        """The command tells the result."""

    def close(self) -> None:
        """Nothing to let go of."""

    def metrics(self) -> dict[str, float]:
        """None."""
        return {}

    def _told(self, news: Sequence[tuple[int, Move]]) -> list[str]:
        """What was played since, a line for every run of moves of one seat."""
        lines: list[str] = []
        before = -1
        for seat, move in news:
            if seat == before:
                lines[-1] += f", {move.name}"
            else:
                forced = " (the only move)" if seat == self.seat and (seat, move) != news[0] else ""
                lines.append(f"{self.who(seat)}: {move.name}{forced}")
            before = seat
        return lines


HELP: Final = "Answer with a number, a move's name or its last word; ? for this, q to leave."


def listed(moves: Sequence[Move], width: int) -> list[str]:
    """The legal moves with their numbers, in columns; very many by kind."""
    if len(moves) > LISTED:
        kinds: dict[str, list[int]] = {}
        for number, move in enumerate(moves, 1):
            kinds.setdefault(move.name.partition(" ")[0], []).append(number)
        return [
            f"  {numbers[0]}  {moves[numbers[0] - 1].name}"
            if len(numbers) == 1
            else f"  {numbers[0]}-{numbers[-1]}  {moves[numbers[0] - 1].name} … {moves[numbers[-1] - 1].name}"
            for numbers in kinds.values()
        ]
    cells = [f"{number:>4}  {move.name}" for number, move in enumerate(moves, 1)]
    wide = max(map(len, cells)) + 2
    across = max(1, width // wide)
    down = -(-len(cells) // across)
    return ["".join(f"{cell:{wide}}" for cell in cells[row::down]).rstrip() for row in range(down)]


def chosen(said: str, moves: Sequence[Move]) -> Move | str:
    """The move that was meant, or a line that says why it is none."""
    text = " ".join(said.upper().split())
    if text.isdecimal() and len(text) < 10:
        number = int(text)
        if 1 <= number <= len(moves):
            return moves[number - 1]
        return f"no move {number} here: {_wanted(moves)}"
    for fits in (
        [move for move in moves if move.name == text],
        [move for move in moves if move.name.partition(" ")[2] == text],
        [move for move in moves if move.name.startswith(text)],
    ):
        if len(fits) == 1:
            return fits[0]
        if len(fits) > 1:
            names = ", ".join(move.name for move in fits[:4])
            return f"{text} could be {names}{', …' if len(fits) > 4 else ''}: say which"
    shown = text if len(text) <= 30 and text.isprintable() else "that"
    return f"{shown} is no move here: {_wanted(moves)}"


def _wanted(moves: Sequence[Move]) -> str:
    return f"1 to {len(moves)}, or a name like {moves[-1].name}; ? helps"
