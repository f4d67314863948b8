"""A person at a table of bots: one deal, how it ended, and how bots fare on it in the person's seat."""

from __future__ import annotations

import contextlib
import shutil
import sys
from pathlib import Path
from typing import Any

import typer

from bots.core.claims import plays
from engines.core.game import Game
from harness import bot_files, submissions
from harness.cli.common import UsageProblem
from harness.config_values import canonical_json
from harness.executors.base import Setup
from harness.match import play_match
from harness.players import Player
from harness.players.maker import PlayerMaker
from harness.players.person import Person
from harness.records import BotRef, MatchRecord, MatchSpec, SeatRecord
from harness.submissions import Source
from harness.tables import Sight, table_of
from harness.worker import quiet

_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_NUMBERS = ("no", "one", "two", "three", "four", "five")
_YOU = "you"


class PersonTable:
    """One deal with a person in one seat and bots in the others."""

    def __init__(self, game: Game[Any, Any], against: str, seat: int, luck: int, isolation: str) -> None:
        self.game = game
        self.seat = seat
        self.luck = luck
        self.decided = 0
        self.others = _sources(game, against)
        names = _told_apart([source.name for source in self.others])
        self.refs: list[BotRef] = [BotRef(_YOU, "")] * game.seats
        # Nobody is made from this one: it holds the person's place.
        self.sources = {(_YOU, ""): submissions.find("uniform")}
        for step, (source, name) in enumerate(zip(self.others, names, strict=True), 1):
            ref = BotRef(name, source.version)
            self.refs[(seat + step) % game.seats] = ref
            self.sources[ref.name, ref.version] = source
        self.maker = PlayerMaker(Setup(self.sources, isolation))

    def play(self) -> MatchRecord:
        """The person's game; raises Left or KeyboardInterrupt."""
        drawing = table_of(self.game.name)
        package = sys.modules[type(self.game).__module__.rpartition(".")[0]]
        width = shutil.get_terminal_size().columns
        sight = Sight(
            seat=self.seat,
            names=[ref.name for ref in self.refs],
            sides=self.game.sides,
            questions=getattr(package, "TEXTS", ()),
            width=min(width, 100),
        )
        person = Person(
            typer.echo,
            _ask,
            lambda view: drawing.drawn(view, sight),
            _hints(drawing, package),
            sight.who,
            width=width,
        )
        spec = self._spec(self.refs)
        players: list[Player] = [
            person if number == self.seat else _Quiet(player)
            for number, player in enumerate(self.maker.players(spec)[0])
        ]
        try:
            return play_match(spec, self.game, players)
        finally:
            self.decided = person.decided

    def result(self, record: MatchRecord) -> list[str]:
        """How it ended, in words."""
        own = record.seats[self.seat]
        reason = {"cap": ", since it went on too long", "repetition": ", by repetition"}.get(
            record.reason or "", ""
        )
        lines = ["", f"It is over{reason} after {len(record.moves)} moves."]
        sides = len(set(self.game.sides))
        ahead = sum(other.place < own.place for other in self._one_a_side(record))
        level = sum(other.place == own.place for other in self._one_a_side(record)) - 1
        if sides == 2:
            verdict = "It is a draw" if level else "You have lost" if ahead else "You have won"
        elif level == sides - 1:
            verdict = "Nobody is ahead of anybody"
        else:
            shared = ", not alone" if level else ""
            verdict = f"You came {_ORDINALS[ahead]} of {_NUMBERS[sides]}{shared}"
        lines.append(f"{verdict}, with {_points(own.score)}.")
        for number, found in enumerate(record.seats):
            if number != self.seat:
                partner = ", your partner" if self.game.sides[number] == self.game.sides[self.seat] else ""
                result = f"{_ORDINALS[found.place - 1]}, {_points(found.score)}"
                lines.append(f"  seat {number} ({found.bot.name}{partner}): {result}")
            lines += [f"  {fault.detail}" for fault in found.faults]
        return lines

    def compared(self, record: MatchRecord) -> list[str]:
        """The same deal again, with every bot that plays the game in the person's seat."""
        mine = record.seats[self.seat].place, record.seats[self.seat].score
        rows = [(*mine, _YOU)]
        for name, source in self._comparable():
            ref = BotRef(name, source.version)
            self.sources[ref.name, ref.version] = source
            refs = [ref if number == self.seat else other for number, other in enumerate(self.refs)]
            spec = self._spec(refs)
            players = [_Quiet(player) for player in self.maker.players(spec)[0]]
            seat = play_match(spec, self.game, players).seats[self.seat]
            rows.append((seat.place, seat.score, f"{name} (at fault)" if seat.faults else name))
        rows.sort(key=lambda row: (row[0], -row[1], row[2] != _YOU))
        better = sum((-place, score) < (-mine[0], mine[1]) for place, score, _ in rows)
        alike = sum((place, score) == mine for place, score, _ in rows) - 1
        also = f", and as well as {alike}" if alike else ""
        bots = len(rows) - 1
        lines = ["", "The same deal with others in your seat:"]
        lines += [f"  {_ORDINALS[place - 1]:7} {_points(score):>12}   {name}" for place, score, name in rows]
        lines.append(
            f"You did better than {better} of {bots} bot{'' if bots == 1 else 's'} on this deal{also}."
        )
        return lines

    def _comparable(self) -> list[tuple[str, Source]]:
        """The opponents, and the shipped bots that play this game."""
        from harness.checking.playing import shipped_for  # slow to import: not before the person has played

        found = {(source.name, source.version): source for source in self.others}
        for name in shipped_for(self.game):
            source = submissions.find(name)
            found.setdefault((source.name, source.version), source)
        return [(name, source) for (name, _), source in found.items()]

    def _one_a_side(self, record: MatchRecord) -> list[SeatRecord]:
        return list(dict(zip(self.game.sides, record.seats, strict=True)).values())

    def _spec(self, refs: list[BotRef]) -> MatchSpec:
        return MatchSpec(
            id="000000-000000-00",
            game=self.game.name,
            rules=canonical_json(self.game.rules.changed()),
            deal=f"{self.game.name}@{self.luck}",
            luck=self.luck,
            round=0,
            line_up=0,
            seating=0,
            seats=tuple(refs),
        )


class _Quiet:
    """A bot beside a person: what it prints does not come between them."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.cpu_ns = 0
        self.metrics = player.metrics

    def start(self, *args: Any) -> None:
        with quiet():
            self.player.start(*args)

    def act(self, *args: Any) -> int:
        with quiet():
            return self.player.act(*args)

    def end(self, *args: Any) -> None:
        with quiet():
            self.player.end(*args)

    def close(self) -> None:
        self.player.close()


def _sources(game: Game[Any, Any], against: str) -> list[Source]:
    """A bot for every other seat, from the person's left on; raises UsageProblem."""
    given = [name.strip() for name in against.split(",") if name.strip()]
    if len(given) == 1:
        given *= game.seats - 1
    if len(given) != game.seats - 1:
        raise UsageProblem(
            f"--against {against}: expected 1 or {game.seats - 1} bots for {game.name}, got {len(given)}"
        )
    found = []
    for name in given:
        path = Path(name)
        source = submissions.at(path) if path.suffix == ".py" or "/" in name else submissions.find(name)
        games = bot_files.facts(source).games
        if not plays(games, game.name, game.seats):
            raise UsageProblem(
                f"{name} does not play {game.name} with {game.seats} seats: it plays {', '.join(games)}"
            )
        found.append(source)
    return found


def _told_apart(names: list[str]) -> list[str]:
    """`uniform`, `uniform-2`: seats of one bot have names of their own."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return found


def _hints(drawing: Any, package: Any) -> list[str]:
    """The rules in short, and where they are at length."""
    folder = Path(package.__file__).parent if package.__file__ else None
    book = folder / "RULES.md" if folder else None
    return [" ".join(drawing.HINTS), *([f"At length: {book}"] if book and book.exists() else [])]


def _ask() -> str:
    """A line from whoever plays."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - lets people edit the line
    said = input("> ")
    if not sys.stdin.isatty():
        typer.echo(said)  # nobody has typed it where it can be seen
    return said


def _points(score: float) -> str:
    return f"{score:.4g} point{'' if score == 1 else 's'}"
