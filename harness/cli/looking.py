"""Commands that show what there is: games, bots, playthrough."""

from __future__ import annotations

import json
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import LEFT_OPEN, UsageProblem, command, rules_of, say, tell
from harness.cli.running import wrapped

if TYPE_CHECKING:
    from harness.submissions import Source


class Lines(StrEnum):
    """What `playthrough` prints."""

    jsonl = "jsonl"
    text = "text"


@command
def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Only this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the games with their seats and every option, its values and its default.

    \b
    Example: croupier games kozyri-duel
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    import engines

    found = [facts(game) for game in (engines.available() if name is None else [name])]
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    for number, game in enumerate(found):
        if number:
            typer.echo()
        tell(f"{game['name']}: {game['about']}", 2)
        typer.echo(f"  seats: {game['seats']}; sides: {game['sides']}")
        for option in game["options"]:
            tell(f"  {option['name']} = {option['default']}: {option['doc']}", 6)
            tell(f"    {option['allowed']}", 6)


def facts(name: str) -> dict[str, Any]:
    """What there is to know of a game before one plays it."""
    import dataclasses

    import engines

    kind = engines.game_type(name)
    rules = kind.rules_type
    game = engines.load(name)
    lead = (kind.__doc__ or "").strip().partition("\n")[0]
    sides = len(set(game.sides))
    return {
        "name": name,
        "version": kind.version,
        "about": lead,
        "seats": game.seats,
        "sides": f"{sides} of {game.seats // sides}" if sides < game.seats else "each alone",
        "options": [
            {
                "name": field.name,
                "default": rules.shown(field.name, field.default),
                "doc": str(field.metadata.get("doc", "")),
                "allowed": rules.allowed(field.name) or "see the rules",
            }
            for field in dataclasses.fields(rules)
        ],
    }


@command
def bots(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Only this bot, all its versions.")
    ] = None,
) -> None:
    """List the bots that ship, are installed or were submitted, what they play, and their passports.

    \b
    Example: croupier bots mine
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import submissions, submitted
    from harness.cli.examined import passport_lines

    names = sorted({*submissions.shipped(), *submissions.installed()})
    entered = submitted.newest() if name is None else submitted.versions(submissions.canonical(name))
    if name is not None:
        names = [] if entered else [submissions.find(name).name]
    for one in entered:
        for line in passport_lines(one.passport):
            tell(line, 4)
    for shown in names:
        source = submissions.find(shown)
        kind = submissions.bot_type(source)
        plays = ", ".join(kind.games) or "every game"
        for line in wrapped(
            [f"{shown} ({source.version}) plays {plays}", f"  {about_bot(kind)}"], stderr=False
        ):
            typer.echo(line)


def about_bot(kind: type[Any]) -> str:
    """The first line of what a bot's file, or its class, says about itself."""
    import sys

    text = sys.modules[kind.__module__].__doc__ or kind.__doc__ or ""
    return text.strip().partition("\n")[0]


@command
def playthrough(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name.")],
    seed: Annotated[
        int, typer.Option(metavar="N", help="The deal, and the bots' own luck.", min=0, max=2**53 - 1)
    ],
    rules: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game; repeatable.")
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOTS", help="Names or files, separated by commas: one for all, one a side or one a seat."
        ),
    ] = "uniform",
    views: Annotated[bool, typer.Option("--views", help="Add what each seat knows.")] = False,
    style: Annotated[Lines, typer.Option("--format", help="How to print it.")] = Lines.jsonl,
) -> None:
    """Play one game and print every position, legal move and choice, then the outcome.

    \b
    Example: croupier playthrough seven-symbols --seed 7 --rules seats=3 --views
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    import engines
    from harness.inprocess import play_here

    loaded = engines.load(game, **rules_of(rules or []))
    sources = [_source(name) for name in bots.split(",")]
    if len(sources) == 1:
        sources *= loaded.seats
    sides = len(set(loaded.sides))
    if len(sources) not in {sides, loaded.seats}:
        a_side = f" or {sides} (one a side)" if sides < loaded.seats else ""
        raise UsageProblem(
            f"--bots {bots}: expected 1 or {loaded.seats} bots{a_side} for {game}, got {len(sources)}"
        )
    record = play_here(loaded, sources, luck=seed, seed=seed)
    names = [source.name for source in sources]
    if len(names) < loaded.seats:
        order = list(dict.fromkeys(loaded.sides))
        names = [names[order.index(side)] for side in loaded.sides]
    faults = sorted((fault for seat in record.seats for fault in seat.faults), key=lambda fault: fault.ply)
    # Up to the first fault: what came after it, if anything, is not these bots' game.
    moves = record.moves[: max(0, faults[0].ply)] if faults else record.moves
    _print(loaded, moves, seed, names, views=views, style=style)
    for fault in faults:
        say(f"croupier: {fault.detail}")
    if faults:
        raise typer.Exit(LEFT_OPEN)


def _source(name: str) -> Source:
    from harness import submissions

    path = Path(name)
    return submissions.at(path) if path.suffix == ".py" or "/" in name else submissions.find(name)


def _print(game: Any, moves: Any, luck: int, names: list[str], *, views: bool, style: Lines) -> None:
    """Print the game that these moves make, or as much of one."""
    from engines.core.play import Turn, turns
    from engines.core.playthrough import dumps
    from engines.core.playthrough import playthrough as lines_of
    from harness.cli import words

    state = game.deal(luck)
    chosen = []
    for move in moves:
        if len(state.moves()) > 1:
            chosen.append(move)
        state.play(move)
    left = iter(chosen)
    over = state.seat < 0
    if style is Lines.jsonl:
        lines = lines_of(game, luck, lambda *_: next(left), bots=names, views=views)
        for line in islice(lines, None if over else 1 + len(moves)):
            typer.echo(dumps(line))
        return
    turn: Turn
    for turn, _ in islice(turns(game, game.deal(luck), lambda *_: next(left)), len(moves)):
        tell(words.turn(turn, names), words.INDENT)
    if not over:
        return
    outcome = state.outcome()
    typer.echo(f"Ended by {outcome.reason}.")
    for seat, name in enumerate(names):
        typer.echo(f"  seat {seat} ({name}): score {outcome.scores[seat]:g}, place {outcome.places[seat]}")


def add_to(app: typer.Typer) -> None:
    """Put these commands into `app`."""
    app.command(short_help="List the games with their options.")(games)
    app.command(short_help="List the bots and what they play.")(bots)
    app.command(short_help="Play one game and print every position.")(playthrough)
