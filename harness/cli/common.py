"""What every command does the same way: errors, exit codes, where output goes, how runs are found."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import shlex
import shutil
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, ParamSpec, TypeVar

import typer

from harness.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["counted"]

P = ParamSpec("P")
T = TypeVar("T")

LEFT_OPEN = 1
"""Exit code: finished, but something is left open or a check failed."""
USAGE = 2
"""Exit code: the command line, a config or a bot is not right; nothing was done."""
PLATFORM = 3
"""Exit code: the platform failed meanwhile; what was done before is kept."""
INTERRUPTED = 130
_USERS: Final = frozenset(
    {errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG}
)
"""What is wrong with a file where another one, or another mode, is what helps."""
_OUTPUTS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""What is wrong with a stream that takes nothing."""
WIDE = 140
"""Columns of a table that no terminal limits."""


class UsageProblem(ValueError):
    """Something on the command line that only the command itself can see is wrong."""


def say(text: str = "") -> None:
    """A message, to stderr; where nobody can be told, the exit code says it alone."""
    with contextlib.suppress(OSError):
        typer.echo(text, err=True)


def tell(text: str, indent: int) -> None:
    """A result, to stdout, in lines that a terminal has room for; those after the first are set in."""
    width = console().width
    lines = textwrap.wrap(
        text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    typer.echo("\n".join(lines) if len(text) > width else text)


FAILURES: Final = frozenset({"harness.executors.base.ClusterLost", "harness.store.parts.StoreError"})
"""Of EXPECTED, those that are the platform's: a cluster, a disk. More special ones are the user's."""
EXPECTED: Final = frozenset(
    {
        "engines.core.errors.BadRules",
        "engines.core.errors.UnknownGame",
        "harness.analysis.frames.DamagedPart",
        "harness.analysis.frames.NoRun",
        "harness.bot_class.SetupError",
        "harness.cli.common.UsageProblem",
        "harness.config_values.ConfigError",
        "harness.executors.base.ClusterLost",
        "harness.executors.base.ExecutorError",
        "harness.formats.core.format.Unservable",
        "harness.passport.BadPassport",
        "harness.players.base.PlatformFault",
        "harness.players.levels.IsolationUnavailable",
        "harness.ratings.UnknownRating",
        "harness.report.league.SameRun",
        "harness.run_folder.CannotContinue",
        "harness.store.parts.StoreError",
        "harness.timing.CannotTime",
    }
)
"""Errors that are the user's to mend: each has a message that says what to do. By name, because whoever
mistypes a config need not wait for pandas."""


def expected(error: Exception) -> bool:
    """Whether an error is one of EXPECTED."""
    return not EXPECTED.isdisjoint(_kinds(error))


def exit_code(error: Exception) -> int:
    """What a command ends with where it ends with this expected error."""
    return PLATFORM if _kinds(error)[0] in FAILURES else USAGE


def _nowhere() -> bool:
    """Whether the folder that this process is in has been deleted."""
    try:
        os.getcwd()  # noqa: PTH109 - it is asked for its error alone
    except FileNotFoundError:
        return True
    return False


def _undecoded(text: str) -> bool:
    """Whether a text holds bytes of a file's name that are no characters; Arrow opens no such files."""
    return any("\udc80" <= character <= "\udcff" for character in text)


def _kinds(error: Exception) -> list[str]:
    """The names of an error's class and of those above it."""
    return [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__]


def command(function: Callable[P, T]) -> Callable[P, T]:
    """A command whose expected errors are one line on stderr and exit code 2, or 3 where it is a failure."""

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            seen_enough()
        except Exception as error:
            if isinstance(error, FileNotFoundError) and _nowhere():
                say("croupier: the folder that you are in is no longer there; cd to one that is")
                raise typer.Exit(USAGE) from None
            if isinstance(error, OSError) and not expected(error):
                raise typer.Exit(unusable(error)) from None
            if isinstance(error, UnicodeEncodeError) and _undecoded(error.object):
                say(f"croupier: {error.object!r}: expected a name in UTF-8, got other bytes: rename it")
                raise typer.Exit(USAGE) from None
            if not expected(error):
                raise
            say(f"croupier: {error}")
            raise typer.Exit(exit_code(error)) from None

    return guarded


def seen_enough() -> NoReturn:
    """End quietly: whoever reads the output has seen enough (`| head`), and what is buffered goes nowhere."""
    _drop_output()
    raise typer.Exit(0)


@contextlib.contextmanager
def heard_or_not() -> Iterator[None]:
    """Printing what something that goes on has to say: it goes on where nobody reads that any more."""
    try:
        yield
    except BrokenPipeError:
        _drop_output()


def unusable(error: OSError) -> int:
    """Say in a line which file or stream could not be used, and why; the exit code. Raises all else."""
    if error.filename is not None:
        say(f"croupier: {error.filename}: {error.strerror}")
        return USAGE if error.errno in _USERS else PLATFORM
    if error.errno not in _OUTPUTS:
        raise error
    say(f"croupier: cannot write the output: {error.strerror}")
    _drop_output()
    return PLATFORM


def _drop_output() -> None:
    """What stdout has buffered, and gets from now on, goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def console(*, stderr: bool = False) -> Console:
    """A console for tables; full width where the output is no terminal. NO_COLOR is respected."""
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # `command` sees to it; rich itself would exit with 1

    file = sys.stderr if stderr else sys.stdout
    width = None if file.isatty() or "COLUMNS" in os.environ else WIDE
    height = None
    if width is None and os.environ.get("TERM") in {"dumb", "unknown"}:
        # For these rich takes 80 columns without looking, unless it is told both.
        width, height = shutil.get_terminal_size()
    return Quiet(file=file, width=width, height=height, soft_wrap=False)


def cluster_gone(error: Exception, again: str) -> NoReturn:
    """Say in a line that the cluster is lost, and how to go on without it; then end at once.

    What is left of Ray in this process would wait for the cluster, and then abort with a code of its own.
    """
    say(f"croupier: {error}, and without it this one: {again}")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(PLATFORM)


def room(place: Console) -> int | None:
    """How long lines may be there; None where neither a terminal nor COLUMNS limits them."""
    return place.width if place.is_terminal or "COLUMNS" in os.environ else None


def find_run(run: str) -> Path:
    """The folder of a run that was given as a folder or by its name under reports/; raises NoRun."""
    from harness.analysis import frames

    if not run:
        raise UsageProblem("expected a run's folder, or its name under reports/, got an empty text")
    return frames.find_run(run).folder


def rules_of(pairs: Iterable[str]) -> dict[str, Any]:
    """Options of a game from `key=value` texts; a value is read as TOML, or else it is a text."""
    return options_of(pairs, "--rules {}: expected key=value, such as --rules seats=3")


def shell_words(text: str) -> list[str]:
    """The words of a command line; raises UsageProblem where a quotation has no end."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageProblem(f"{text}: {str(error).lower()}") from None


def options_of(pairs: Iterable[str], wrong: str) -> dict[str, Any]:
    """Options from `key=value` texts; `wrong` is what to say to one that is none, put in for {}."""
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageProblem(wrong.format(pair or "''"))
        if key in options:
            raise UsageProblem(f"{key} is given twice, the second time as {pair}")
        try:
            options[key] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            options[key] = value
    return options
