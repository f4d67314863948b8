"""The commands by which a bot enters: check, submit, withdraw."""

from __future__ import annotations

import contextlib
import getpass
import json
import math
import os
import shlex
from collections.abc import Iterator
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
from harness.cli.running import Isolation
from harness.wording import one_line

if TYPE_CHECKING:
    from harness.checking import Examination, Wanted
    from harness.submissions import Source
    from harness.submitted import Submission

LARGEST = 64 * 2**20
"""Bytes that a submission may have."""

Game = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help="Only this game, also with seats: code777:3-5.")
]
Allow = Annotated[
    str, typer.Option(metavar="MODULES", help="What it may import beside the standard library: numpy,scipy.")
]
IsolationLevel = Annotated[Isolation, typer.Option(metavar="LEVEL", help="How it is kept in.")]
Seconds = Annotated[float, typer.Option(min=0.0, help="About how long playing may take.")]


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
    The exit code is 1 where a step failed. Nothing is entered and nothing is kept.

    \b
    Examples:
      croupier check mine.py --game hund
      croupier check --command "./mybot --fast" --game hund
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    source = _checked(bot, command_line, files or [])
    examination = _examined(source, _wanted(game, allow, seconds, isolation), quiet=as_json)
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


@command
def submit(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file, or a folder with bot.py.")],
    name: Annotated[str | None, typer.Option(help="What it is called. [default: the file's name]")] = None,
    author: Annotated[str | None, typer.Option(help="Who wrote it. [default: who you are here]")] = None,
    game: Game = None,
    allow: Allow = "",
    seconds: Seconds = 10.0,
    isolation: IsolationLevel = Isolation.auto,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Enter it with failed steps, as long as it can play.")
    ] = False,
) -> None:
    """Check a bot and enter it: every event with entrants = "submitted" then takes it in.

    \b
    It is kept in bots/submitted/NAME/VERSION, here or where CROUPIER_SUBMISSIONS says. A changed file is
    a new version, rated anew; an unchanged one keeps its results, and takes another --author.
    Example: croupier submit mine.py --name mine --author "Ada L."
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import submissions, submitted

    _fit_to_read(path)
    source = submissions.at(path)
    called = _named(source.name if name is None else name, given=name is not None)
    author = _author(author)
    _fit_to_keep(source)
    there = submissions.submission(called)
    known = [one for one in submitted.versions(called) if one.passport.version == source.version]
    if known:
        newest = there is not None and there.passport.version == source.version
        _entered_before(known[0], author, newest=newest)
        return
    examination = _examined(source, _wanted(game, allow, seconds, isolation))
    if examination.failed and not (anyway and examination.can_play):
        numbers = ", ".join(f"{step.number} ({step.name})" for step in examination.failed)
        possible = "--anyway enters it all the same"
        hint = possible if examination.can_play else "a bot that cannot play is never entered"
        say(f"not entered: failed in {numbers}; {hint}")
        raise typer.Exit(LEFT_OPEN)
    base = source.path if source.path.is_dir() else None
    files = [(f.relative_to(base).as_posix() if base else submissions.ENTRY, f) for f in source.files]
    with _kept():
        entered = submitted.enter(
            submitted.place(), files, examination.passport(called, author or _somebody())
        )
    submissions.submission(called)
    where = os.path.relpath(entered.folder)
    before = "" if there is None else f", after {there.passport.version}: it is rated anew"
    typer.echo(f"entered {entered.called}{before}\n  {where}")
    league = Path("configs/league.toml")
    say(f"next: croupier run {league}" if league.exists() else 'next: a config with entrants = "submitted"')


@command
def withdraw(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A submitted bot, or one version: name@digest.")
    ],
) -> None:
    """Take a submitted bot out, with all its versions; results that it has stay.

    \b
    Its files are moved to .withdrawn beside the others; submitting them again brings it back.
    Example: croupier withdraw mine
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from engines.core.errors import choices_hint
    from harness import submissions, submitted

    bare, at, digits = name.partition("@")
    if at and not digits:
        raise UsageProblem(
            f"{name!r}: expected a version after @, as in {bare}@8a48e0e1d7f3, or {bare!r} for all"
        )
    called = submissions.canonical(bare)
    one = submissions.submission(called, digits)
    if one is None:
        raise UsageProblem(f"no submitted bot {name!r}, {choices_hint(called, submitted.names())}")
    done = []
    with _kept():
        for version in [one] if digits else submitted.versions(called):
            kept = os.path.relpath(submitted.withdraw(version))
            done.append(f"withdrawn {version.called}\n  its files are in {kept}")
    typer.echo("\n".join(done))


def _entered_before(one: Submission, author: str | None, *, newest: bool) -> None:
    """Say that this version is there already; make it the newest, and its author the one that is given."""
    from harness import submitted

    before = one.passport.author
    if newest and author in {None, before}:
        typer.echo(f"{one.called} is entered already, and unchanged: its results stand")
        return
    with _kept():
        submitted.renew(one, author=author)
    said = "is entered already, and unchanged" if newest else "is the newest version again"
    told = "" if author in {None, before} else f"; its author is now {author}, and was {one_line(before)}"
    typer.echo(f"{one.called} {said}: its results stand{told}")


@contextlib.contextmanager
def _kept() -> Iterator[None]:
    """Writing to the folder of submissions; raises UsageProblem where that cannot be done."""
    from harness import submitted

    try:
        yield
    except OSError as error:
        raise UsageProblem(
            f"cannot keep it in {submitted.place()}: {error.strerror}; "
            f"{submitted.ENVIRONMENT} may name another folder"
        ) from None


def _author(given: str | None) -> str | None:
    """Who is said to have written it; raises UsageProblem for a text that is nobody's name."""
    if given is not None and not (given.strip() and given.isprintable()):
        raise UsageProblem(f"--author: expected a name in one line of text, got {given!r}")
    return given


def _wanted(game: str | None, allow: str, seconds: float, isolation: Isolation) -> Wanted:
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


def _examined(source: Source, wanted: Wanted, *, quiet: bool = False) -> Examination:
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
        _fit_to_read(path)
        return submissions.at(path, syntax=False)
    try:
        return submissions.find(bot)
    except submissions.BotNotFound:
        if bot and path.exists():
            return submissions.at(path)  # tells what the folder lacks, or that the file is not Python
        raise


def _named(name: str, *, given: bool) -> str:
    """The name under which a bot enters; raises UsageProblem for one that cannot be, or is taken."""
    from harness import submissions, submitted

    called = submissions.canonical(name)
    if not submitted.NAME.fullmatch(called):
        other = "" if given else "; give one with --name"
        raise UsageProblem(f"{name!r} cannot be a bot's name: letters, digits and . + - only{other}")
    if called in {*submissions.shipped(), *map(submissions.canonical, submissions.installed())}:
        raise UsageProblem(f"{called!r} is the name of a bot that is there already; give another with --name")
    return called


def _fit_to_read(path: Path) -> None:
    """Refuse what is too large before it is read; raises UsageProblem."""
    files = path.rglob("*") if path.is_dir() else [path]
    size = sum(file.stat().st_size for file in files if file.is_file())
    if size > LARGEST:
        raise UsageProblem(f"{path} has {size:,} bytes; a submission may have {LARGEST:,}")


def _fit_to_keep(source: Source) -> None:
    """Refuse links, which could lead anywhere; raises UsageProblem."""
    if source.path.is_dir():
        for file in source.path.rglob("*"):
            if file.is_symlink():
                raise UsageProblem(f"{file} is a link: a submission holds its files itself")


def _somebody() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"


def add_to(app: typer.Typer) -> None:
    """Put these commands into `app`."""
    app.command(short_help="Check a bot in numbered steps, without entering it.")(check)
    app.command(short_help="Check a bot and enter it.")(submit)
    app.command(short_help="Take a submitted bot out.")(withdraw)
