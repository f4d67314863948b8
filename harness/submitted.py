"""The folder of submissions, `bots/submitted/<name>/<digest12>/`: entering, finding, withdrawing.

It is looked for where one is, as `reports/` is; CROUPIER_SUBMISSIONS names another place. Nothing here
runs or imports a bot: its passport says what there is to know.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from harness.bot_class import SetupError
from harness.passport import FILE, BadPassport, Passport, read, text

ENVIRONMENT: Final = "CROUPIER_SUBMISSIONS"
WITHDRAWN: Final = ".withdrawn"
"""Where withdrawn versions are kept: nobody's only copy is ever deleted."""


LONGEST: Final = 100
"""Characters of a bot's name."""
NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{LONGEST - 1}}}")
"""Names of bots and runs: they become folders, whose names file systems keep below 256 bytes."""


class BadPlace(SetupError):
    """The folder of submissions is none, or cannot be read; the text says which, why and what names it."""


class Submission(NamedTuple):
    """One version of a submitted bot."""

    folder: Path
    passport: Passport

    @property
    def called(self) -> str:
        """`name@digest`, which a config may use for a version that is not the newest."""
        return f"{self.passport.name}@{self.passport.version}"


def place() -> Path:
    """The folder that holds the submissions; it need not be there. Raises BadPlace."""
    named = os.environ.get(ENVIRONMENT)
    if not named:
        return Path.cwd() / "bots" / "submitted"
    try:
        return Path(named).expanduser().absolute()
    except RuntimeError:
        raise BadPlace(f"{ENVIRONMENT}: expected a folder, got {named}, a home that nobody has") from None


def names() -> list[str]:
    """The names of the bots that have been submitted, sorted. Raises BadPlace."""
    return sorted({folder.parent.name for folder in _folders()})


def versions(name: str) -> list[Submission]:
    """The versions of a bot, newest first; empty where there is none. Raises BadPassport or BadPlace."""
    found = [Submission(folder, read(folder / FILE)) for folder in _folders(name)]
    for folder, passport in found:
        if (passport.name, passport.version) != (folder.parent.name, folder.name):
            raise BadPassport(
                f"{folder / FILE} is of {passport.name}@{passport.version}: "
                f"delete the folder {folder} and submit the bot again"
            )
    return sorted(found, key=lambda one: (one.passport.submitted, one.passport.version), reverse=True)


def newest() -> list[Submission]:
    """The newest version of every bot, by name. Raises BadPassport or BadPlace."""
    return [versions(name)[0] for name in names()]


def enter(base: Path, files: Iterable[tuple[str, Path]], passport: Passport) -> Submission:
    """Keep a bot's files, given as (name in the folder, place), and its passport; it is then the newest.

    A version that is there already, or was withdrawn, gets the new passport. Raises OSError.
    """
    folder = base / passport.name / passport.version
    back = base / WITHDRAWN / passport.name / passport.version
    if back.is_dir() and not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        back.rename(folder)
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    if not folder.exists():
        temporary.mkdir(parents=True)
        try:
            for name, file in files:
                target = temporary / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
            (temporary / FILE).write_text(text(passport), encoding="utf-8")
            temporary.rename(folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    else:
        temporary.write_text(text(passport), encoding="utf-8")
        temporary.replace(folder / FILE)
    return Submission(folder, passport)


def renew(one: Submission, *, author: str | None = None) -> Submission:
    """Make a version that is there the newest of its bot; its author another one where one is given."""
    passport = dataclasses.replace(one.passport, submitted=now(), author=author or one.passport.author)
    return enter(one.folder.parent.parent, (), passport)


def withdraw(one: Submission) -> Path:
    """Take a version out; its files are kept below `.withdrawn`. Returns where."""
    base = one.folder.parent.parent
    target = base / WITHDRAWN / one.passport.name / one.passport.version
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    one.folder.rename(target)
    if not any(one.folder.parent.iterdir()):
        one.folder.parent.rmdir()
    return target


def now() -> str:
    """This moment, as passports write it."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _folders(name: str | None = None) -> Iterator[Path]:
    """The folders of all versions, or of one bot's; raises BadPlace where they cannot be told."""
    base = place()
    try:
        bots = _entries(base)
        if name is not None:
            # What may lead anywhere is nobody's name.
            bots = [base / name] if bots and NAME.fullmatch(name) else []
        for bot in bots:
            if not bot.name.startswith(".") and bot.is_dir():
                for folder in sorted(bot.iterdir()):
                    if not folder.name.startswith(".") and (folder / FILE).is_file():
                        yield folder
    except OSError as error:
        raise _unreadable(base, error) from None


def _entries(base: Path) -> list[Path]:
    """What is in the folder of submissions; nothing where it is not there. Raises OSError."""
    try:
        return sorted(base.iterdir())
    except FileNotFoundError:
        return []
    except NotADirectoryError:
        # A file called `bots` where one happens to be is no mistake; a place that was named is.
        if os.environ.get(ENVIRONMENT) or base.is_file():
            raise
        return []


def _unreadable(base: Path, error: OSError) -> BadPlace:
    inside = "" if str(error.filename) in {str(base), "None"} else f"{error.filename}: "
    if os.environ.get(ENVIRONMENT):
        said = f"{ENVIRONMENT}: expected a folder of submissions, got {base}: {inside}{error.strerror}"
        return BadPlace(said)
    return BadPlace(
        f"cannot read the submissions in {base}: {inside}{error.strerror}; "
        f"{ENVIRONMENT} may name another folder"
    )
