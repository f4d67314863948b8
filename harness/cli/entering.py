"""The commands by which a bot enters and leaves: submit, withdraw."""

from __future__ import annotations

import contextlib
import getpass
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.checking import Allow, Game, IsolationLevel, Seconds, asked_for, examine, fit_to_read
from harness.cli.common import LEFT_OPEN, UsageProblem, command, say
from harness.cli.running import Isolation
from harness.wording import one_line

if TYPE_CHECKING:
    from harness.submissions import Source
    from harness.submitted import Submission


@command
def submit(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file, or a folder with bot.py.")],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="What it is called. [default: the file's name]")
    ] = None,
    author: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who wrote it. [default: who you are here]")
    ] = None,
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
    It is kept in bots/submitted/NAME/VERSION, here or where CROUPIER_SUBMISSIONS
    says. A changed file is a new version, rated anew; an unchanged one keeps
    its results, and takes another --author.
    Example: croupier submit mine.py --name mine --author "Ada L."
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness import submissions, submitted

    fit_to_read(path)
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
    examination = examine(source, asked_for(game, allow, seconds, isolation))
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
    Its files are moved to .withdrawn beside the others; submitting them again
    brings it back.
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
    app.command(short_help="Check a bot and enter it.")(submit)
    app.command(short_help="Take a submitted bot out.")(withdraw)
