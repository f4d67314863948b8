"""The command `check`: is a bot fit to play? What it examines with, `submit` examines with too."""

from __future__ import annotations

import json
import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.common import (
    LEFT_OPEN,
    UsageProblem,
    command,
    counted,
    heard_or_not,
    say,
    shell_words,
)
from harness.cli.running import LEVELS, Isolation

if TYPE_CHECKING:
    from harness.checking import Examination, Wanted
    from harness.submissions import Source

LARGEST = 64 * 2**20
"""Bytes that a submission may have."""

Game = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help="Only this game, also with seats: code777:3-5.")
]
Allow = Annotated[
    str, typer.Option(metavar="MODULES", help="What it may import beside the standard library: numpy,scipy.")
]
IsolationLevel = Annotated[Isolation, typer.Option(metavar="LEVEL", help=f"How it is kept in: {LEVELS}.")]
Seconds = Annotated[float, typer.Option(metavar="S", min=0.0, help="About how long playing may take.")]


@command
def check(
    bot: Annotated[
        str | None, typer.Argument(metavar="PATH|NAME", help="A file, a folder with bot.py, or a name.")
    ] = None,
    game: Game = None,
    command_line: Annotated[
        str | None,
        typer.Option(
            "--command", metavar="WORDS", help="In place of PATH: what starts a bot in any language."
        ),
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Option("--file", metavar="FILE", help="What else that bot needs; repeatable."),
    ] = None,
    allow: Allow = "",
    seconds: Seconds = 10.0,
    isolation: IsolationLevel = Isolation.auto,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a bot in numbered steps: files, imports, protocol, types, play, luck, duplicate, baselines.

    \b
    The exit code is 1 where a step failed. Nothing is entered or kept.

    \b
    Examples:
      croupier check mine.py --game hund
      croupier check --command "./mybot --fast" --game hund
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    source = _checked(bot, command_line, files or [])
    examination = examine(source, asked_for(game, allow, seconds, isolation), quiet=as_json)
    if as_json:
        steps = [step._asdict() for step in examination.done]
        typer.echo(json.dumps({"bot": bot or command_line, "steps": steps}, ensure_ascii=False, indent=2))
    failed = examination.failed
    if failed:
        numbers = ", ".join(f"{step.number} ({step.name})" for step in failed)
        say(f"{counted(len(failed), 'step')} failed: {numbers}")
        raise typer.Exit(LEFT_OPEN)
    if not as_json and source.kind in {"file", "folder"}:
        say(f"next: croupier submit {shlex.quote(bot or '')}")
    if not as_json and source.kind == "command":
        say(f"next: a config with [[bots]] command = {json.dumps(shell_words(command_line or ''))}")


def asked_for(game: str | None, allow: str, seconds: float, isolation: Isolation) -> Wanted:
    """What the options ask for; raises UsageProblem."""
    from bots.core.claims import Claim
    from harness.checking import Wanted
    from harness.players import readable

    if game is not None:
        import engines

        try:
            engines.game_type(Claim.parse(game).game)
        except ValueError as error:
            raise UsageProblem(f"--game {game}: {error}") from None
    if not math.isfinite(seconds):
        raise UsageProblem(f"--seconds {seconds}: expected a number of seconds, such as 10")
    modules = tuple(filter(None, (module.strip() for module in allow.split(","))))
    readable.allowed(modules)
    return Wanted(game=game, allow=modules, seconds=seconds, isolation=isolation.value)


def examine(source: Source, wanted: Wanted, *, quiet: bool = False) -> Examination:
    """Check a bot, printing every step as it is done."""
    from harness.checking import Examination, ProgramExamination
    from harness.cli.examined import show

    kind = ProgramExamination if source.kind == "command" else Examination
    examination = kind(source, wanted)
    for step in examination.steps():
        if not quiet:
            with heard_or_not():
                show(step)
    return examination


def _checked(bot: str | None, command_line: str | None, files: list[str]) -> Source:
    """What is to be checked; raises UsageProblem where that is not said, or said twice."""
    if bot is not None and command_line is not None:
        raise UsageProblem(f"expected a bot's PATH or NAME, or --command, got both: {bot} and {command_line}")
    if bot is None and command_line is None:
        raise UsageProblem("expected a bot's PATH or NAME, or --command with what starts a program")
    if command_line is None:
        if files:
            raise UsageProblem("--file belongs to --command; a Python bot of several files is a folder")
        return _source(bot or "")
    from harness import bot_programs

    return bot_programs.program(shell_words(command_line), files, Path.cwd())


def _source(bot: str) -> Source:
    """The bot at a path or of a name; its syntax is a step's affair."""
    from harness import submissions

    path = Path(bot)
    if path.suffix == ".py" or "/" in bot or (path / submissions.ENTRY).is_file():
        fit_to_read(path)
        return submissions.at(path, syntax=False)
    try:
        return submissions.find(bot)
    except submissions.BotNotFound:
        if bot and path.exists():
            return submissions.at(path)  # tells what the folder lacks, or that the file is not Python
        raise


def fit_to_read(path: Path) -> None:
    """Refuse what is too large before it is read; raises UsageProblem."""
    files = path.rglob("*") if path.is_dir() else [path]
    size = sum(file.stat().st_size for file in files if file.is_file())
    if size > LARGEST:
        raise UsageProblem(f"{path} has {size:,} bytes; a submission may have {LARGEST:,}")


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="Check a bot in numbered steps, without entering it.")(check)
