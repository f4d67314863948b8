"""The command `play`: a person at the table, in the terminal."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import INTERRUPTED, UsageProblem, command, rules_of
from harness.cli.running import Isolation

if TYPE_CHECKING:
    from engines.core.game import Game
    from harness.players import Player
    from harness.records import BotRef, MatchRecord, MatchSpec

IsolationLevel = Annotated[Isolation, typer.Option(metavar="LEVEL", help="How bots are kept in.")]
ORDINALS = ("first", "second", "third", "fourth", "fifth")
NUMBERS = ("no", "one", "two", "three", "four", "five")
YOU = "you"


@command
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name.")],
    against: Annotated[
        str,
        typer.Option(metavar="BOTS", help="Names or files, separated by commas: one for all, or one a seat."),
    ] = "uniform",
    deal: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The deal's luck, as replay shows it. [default: a new one]",
            min=0,
            max=2**53 - 1,
        ),
    ] = None,
    seat: Annotated[int, typer.Option(metavar="N", help="Where you sit.", min=0)] = 0,
    rules: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game; repeatable.")
    ] = None,
    isolation: IsolationLevel = Isolation.auto,
) -> None:
    """Play a game against bots, and see how they fare on the same deal in your seat.

    \b
    Seats are given from your left on. A move is said by its number or its name; ? helps, q leaves.
    Example: croupier play hund --against hund-squeeze,uniform,hund-miser --deal 7
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    import engines

    loaded = engines.load(game, **rules_of(rules or []))
    if seat >= loaded.seats:
        raise UsageProblem(f"--seat {seat}: {game} has seats 0 to {loaded.seats - 1}")
    luck = secrets.randbelow(2**31) if deal is None else deal
    table = _Table(loaded, against, seat, luck, isolation.value)
    typer.echo(f"{game}, deal {luck}. ? for the rules in short, q to leave.")
    try:
        record = table.play()
        told = [*table.result(record), *table.compared(record)]
    except (_left(), KeyboardInterrupt) as error:
        typer.echo(
            f"\nYou left after {_count(table.asked, 'decision')}. --deal {luck} has the same deal again."
        )
        raise typer.Exit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else 0) from None
    finally:
        table.maker.give_up_zygotes()
    for line in told:
        typer.echo(line)


class _Table:
    """One deal with a person in one seat and bots in the others."""

    def __init__(self, game: Game[Any, Any], against: str, seat: int, luck: int, isolation: str) -> None:
        from harness import submissions
        from harness.executors.base import Setup
        from harness.players.maker import PlayerMaker
        from harness.records import BotRef

        self.game = game
        self.seat = seat
        self.luck = luck
        self.asked = 0
        self.others = _sources(game, against)
        names = _told_apart([source.name for source in self.others])
        self.refs: list[BotRef] = [BotRef(YOU, "")] * game.seats
        # Nobody is made from this one: it holds the person's place.
        self.sources = {(YOU, ""): submissions.find("uniform")}
        for step, (source, name) in enumerate(zip(self.others, names, strict=True), 1):
            ref = BotRef(name, source.version)
            self.refs[(seat + step) % game.seats] = ref
            self.sources[ref.name, ref.version] = source
        self.maker = PlayerMaker(Setup(self.sources, isolation))

    def play(self) -> MatchRecord:
        """The person's game; raises Left or KeyboardInterrupt."""
        from harness.match import play_match
        from harness.players.person import Person
        from harness.tables import Sight, table_of

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
            self.asked = person.asked

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
            verdict = f"You came {ORDINALS[ahead]} of {NUMBERS[sides]}{shared}"
        lines.append(f"{verdict}, with {_points(own.score)}.")
        for number, found in enumerate(record.seats):
            if number != self.seat:
                partner = ", your partner" if self.game.sides[number] == self.game.sides[self.seat] else ""
                result = f"{ORDINALS[found.place - 1]}, {_points(found.score)}"
                lines.append(f"  seat {number} ({found.bot.name}{partner}): {result}")
            lines += [f"  {fault.detail}" for fault in found.faults]
        return lines

    def compared(self, record: MatchRecord) -> list[str]:
        """The same deal again, with every bot that plays the game in the person's seat."""
        from harness.match import play_match
        from harness.records import BotRef

        mine = record.seats[self.seat].place, record.seats[self.seat].score
        rows = [(*mine, YOU)]
        for name, source in self._comparable():
            ref = BotRef(name, source.version)
            self.sources[ref.name, ref.version] = source
            refs = [ref if number == self.seat else other for number, other in enumerate(self.refs)]
            spec = self._spec(refs)
            players = [_Quiet(player) for player in self.maker.players(spec)[0]]
            seat = play_match(spec, self.game, players).seats[self.seat]
            rows.append((seat.place, seat.score, f"{name} (at fault)" if seat.faults else name))
        rows.sort(key=lambda row: (row[0], -row[1], row[2] != YOU))
        better = sum((-place, score) < (-mine[0], mine[1]) for place, score, _ in rows)
        alike = sum((place, score) == mine for place, score, _ in rows) - 1
        also = f", and as well as {alike}" if alike else ""
        bots = len(rows) - 1
        lines = ["", "The same deal with others in your seat:"]
        lines += [f"  {ORDINALS[place - 1]:7} {_points(score):>12}   {name}" for place, score, name in rows]
        lines.append(
            f"You did better than {better} of {bots} bot{'' if bots == 1 else 's'} on this deal{also}."
        )
        return lines

    def _comparable(self) -> list[tuple[str, Any]]:
        """The opponents, and the shipped bots that play this game."""
        from harness import submissions
        from harness.checking.playing import shipped_for

        found = {(source.name, source.version): source for source in self.others}
        for name in shipped_for(self.game):
            source = submissions.find(name)
            found.setdefault((source.name, source.version), source)
        return [(name, source) for (name, _), source in found.items()]

    def _one_a_side(self, record: MatchRecord) -> list[Any]:
        return list(dict(zip(self.game.sides, record.seats, strict=True)).values())

    def _spec(self, refs: list[BotRef]) -> MatchSpec:
        from harness.config_values import canonical_json
        from harness.records import MatchSpec

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
        from harness.worker import quiet

        with quiet():
            self.player.start(*args)

    def act(self, *args: Any) -> int:
        from harness.worker import quiet

        with quiet():
            return self.player.act(*args)

    def end(self, *args: Any) -> None:
        from harness.worker import quiet

        with quiet():
            self.player.end(*args)

    def close(self) -> None:
        self.player.close()


def _sources(game: Game[Any, Any], against: str) -> list[Any]:
    """A bot for every other seat, from the person's left on; raises UsageProblem."""
    from bots.core.claims import plays
    from harness import bot_files, submissions

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


def _left() -> type[Exception]:
    from harness.players.person import Left

    return Left


def _points(score: float) -> str:
    return f"{score:.4g} point{'' if score == 1 else 's'}"


def _count(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="Play a game against bots, in the terminal.")(play)
