"""The command `compare`: is one bot better than another?"""

from __future__ import annotations

import json
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import (
    INTERRUPTED,
    LEFT_OPEN,
    cluster_gone,
    command,
    console,
    counted,
    options_of,
    rules_of,
    say,
    shell_words,
)
from harness.cli.running import Executor, listed, remark, wrapped

if TYPE_CHECKING:
    from harness.config import RunConfig

PROGRAM = "command:"
"""What a bot in another language is given as, before the words that start it."""
SELF_PLAY = 3
"""Deals on which both bots first play themselves."""


class Style(StrEnum):
    """What `compare` prints."""

    text = "text"
    json = "json"


class Measure(StrEnum):
    """What the two share."""

    score = "score"
    places = "places"


@command
def compare(
    first: Annotated[
        str,
        typer.Argument(metavar="A", help="A bot's name or path, also NAME:OPTION=VALUE,…; or command:WORDS."),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="A game's name.")],
    rules: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game; repeatable.")
    ] = None,
    margin: Annotated[
        float,
        typer.Option(metavar="SHARE", help="How far from a half the share may be when they count as equal."),
    ] = 0.02,
    error: Annotated[float, typer.Option(metavar="CHANCE", help="The chance of a false verdict.")] = 0.05,
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="The most deal sets.")] = 10_000,
    first_look: Annotated[
        int, typer.Option("--first", metavar="N", min=1, help="Deal sets before the first look at them.")
    ] = 20,
    measure: Annotated[
        Measure, typer.Option(help="What they share: the points, or the places.")
    ] = Measure.score,
    seed: Annotated[
        str,
        typer.Option(metavar="SEED", help="Deals and the bots' luck follow from it; or random: drawn once."),
    ] = "0",
    nodes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Nodes a search may visit for a decision.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The run's folder. [default: reports/compare-…]")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Matches at once. [default: one a core]")
    ] = None,
    executor: Annotated[Executor, typer.Option(help="Who plays.")] = Executor.auto,
    address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address of a Ray cluster to play on.")
    ] = None,
    style: Annotated[Style, typer.Option("--format", help="How to print it.")] = Style.text,
) -> None:
    """Say which of two bots is better, or that they are alike; stops as soon as it knows.

    \b
    Both sit in every seat of every deal equally often. The exit code is 0 when
    it knows, 1 when the most deals were not enough.

    \b
    Examples:
      croupier compare duel-longsuit steady:place=1.0 --game kozyri-duel
      croupier compare 'command:./mybot --fast' hund-miser --game hund
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import tournament
    from harness.analysis import comparison
    from harness.cli.progress import Watcher
    from harness.executors.base import ClusterLost

    settings = settings_of(
        [first, second],
        {"name": game, "rules": rules_of(rules or [])},
        {
            "margin": margin,
            "error": error,
            "deals": deals,
            "measure": measure.value,
            "first": first_look,
        },
        seed,
        nodes,
        out,
    )
    watcher = Watcher(console(stderr=True))
    try:
        result = tournament.run(
            settings, out=out, executor=executor.value, workers=workers, address=address, progress=watcher
        )
    except KeyboardInterrupt:
        folder, stopped = tournament.folder_of(settings, out), True
    except ClusterLost as lost:
        cluster_gone(lost, shlex.join(["croupier", *without_cluster(sys.argv[1:])]))
    else:
        folder, stopped = result.folder, result.interrupted
    if stopped:
        again = shlex.join(["croupier", *sys.argv[1:]])
        say(f"stopped; what was played is in {folder}. This continues it:\n  {again}")
        raise typer.Exit(INTERRUPTED)
    (found,) = comparison.of_run(settings, folder)
    if style is Style.json:
        data = {
            **found.data(),
            "folder": str(folder),
            "open_sets": result.voids_open,
            "digest": result.digest,
        }
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        for line in wrapped([found.sentence(), *(f"  {line}" for line in found.lines())], stderr=False):
            typer.echo(line)
    drawn = f", seed {settings.seed}" if settings.seed_drawn else ""
    remark(f"{folder}: matches/, seats/, digest {result.digest}{drawn}")
    if result.voids_open:
        open_sets = f"{counted(result.voids_open, 'deal set')} left open by the platform and not counted"
        say(f"{open_sets}: {listed(result.open_sets)}")
    if not found.known:
        raise typer.Exit(LEFT_OPEN)


def without_cluster(words: list[str]) -> list[str]:
    """The same command, to be played on this machine."""
    found = [word for word in words if not word.startswith("--address=")]
    if "--address" in found:
        del found[(at := found.index("--address")) : at + 2]
    return [*found, "--executor", "local"]


def settings_of(
    bots: list[str],
    game: dict[str, Any],
    options: dict[str, Any],
    seed: str,
    nodes: int | None,
    out: Path | None = None,
) -> RunConfig:
    """The run's config. Its name has a digest of all that matters, so that the same command continues it.

    A seed that is drawn is not in the name: it is kept in the run's folder.
    """
    import dataclasses

    from harness import config as configs
    from harness import config_kept, tournament
    from harness.config_values import RANDOM
    from harness.formats import plan

    data = {
        "seed": 0 if seed == RANDOM else int(seed) if seed.isdecimal() else seed,
        "game": game["name"],
        "rules": game["rules"],
        "format": {"name": "compare", **options},
        "limits": {} if nodes is None else {"nodes": nodes},
        "self_play": SELF_PLAY,
        "bots": [entry(text, name) for text, name in zip(bots, names(bots), strict=True)],
    }
    settings = configs.resolve(data, file="compare", folder=Path.cwd(), name="compare")
    plan(settings)
    if seed != RANDOM:
        return dataclasses.replace(settings, name=run_name(settings, settings.seed))
    settings = dataclasses.replace(settings, name=run_name(settings, RANDOM))
    number, drawn = config_kept.random_seed(tournament.folder_of(settings, out))
    return dataclasses.replace(settings, seed=number, seed_drawn=drawn)


def entry(text: str, name: str) -> dict[str, Any]:
    """One `[[bots]]` table from `NAME:OPTION=VALUE,…`, where NAME may be a path, or from `command:WORDS`."""
    if text.startswith(PROGRAM):
        return {"name": name, "command": words(text)}
    place, options = split(text)
    path = Path(place)
    where = {"path": place} if path.suffix == ".py" or "/" in place else {"bot": place}
    given = options_of(options.split(",") if options else [], f"{text}: expected NAME:OPTION=VALUE")
    return {"name": name, **where, "options": given}


def split(text: str) -> tuple[str, str]:
    """A bot's place and its options."""
    place, colon, options = text.rpartition(":")
    return (place, options) if colon and "=" in options else (text, "")


def words(text: str) -> list[str]:
    """The words after `command:`."""
    return shell_words(text.removeprefix(PROGRAM))


def program_name(command_line: list[str]) -> str:
    """What the program that those words start is called."""
    from harness import bot_programs

    return bot_programs.program(command_line, [], Path.cwd()).name


def names(bots: list[str]) -> list[str]:
    """What the bots are called: by their names or files, with A and B where those are the same."""
    found = []
    for text in bots:
        if text.startswith(PROGRAM):
            found.append(program_name(words(text)))
            continue
        path = Path(split(text)[0])
        found.append(path.parent.name if path.name == "bot.py" and path.parent.name else path.stem)
    if len(set(found)) < len(found):
        found = [f"{name}-{letter}" for name, letter in zip(found, "AB", strict=True)]
    return found


def run_name(settings: RunConfig, seed: int | str) -> str:
    """`compare-miser-uniform-hund-1f0c22`; more deals go on in the same folder."""
    import hashlib

    from harness.formats.compare import MAY_GROW

    options = {key: value for key, value in settings.format_options.items() if key not in MAY_GROW}
    what: list[object] = [seed, settings.games, options, settings.limits]
    what += [bot.ref for bot in settings.bots]
    digest = hashlib.blake2b(repr(what).encode(), digest_size=3).hexdigest()
    return "-".join(["compare", *(bot.ref.name for bot in settings.bots), settings.games[0].name, digest])


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="Say which of two bots is better; stop when it is known.")(compare)
