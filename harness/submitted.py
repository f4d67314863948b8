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

from harness.passport import FILE, BadPassport, Passport, read, text

ENVIRONMENT: Final = "CROUPIER_SUBMISSIONS"
WITHDRAWN: Final = ".withdrawn"
"""Where withdrawn versions are kept: nobody's only copy is ever deleted."""


LONGEST: Final = 100
"""Characters of a bot's name."""
NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{LONGEST - 1}}}")
"""Names of bots and runs: they become folders, whose names file systems keep below 256 bytes."""


class Submission(NamedTuple):
    """One version of a submitted bot."""

    folder: Path
    passport: Passport

    @property
    def called(self) -> str:
        """`name@digest`, which a config may use for a version that is not the newest."""
        return f"{self.passport.name}@{self.passport.version}"


def place() -> Path:
    """The folder that holds the submissions; it need not be there."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named).expanduser().absolute() if named else Path.cwd() / "bots" / "submitted"


def names() -> list[str]:
    """The names of the bots that have been submitted, sorted."""
    try:
        return sorted({folder.parent.name for folder in _folders()})
    except OSError:
        return []


def versions(name: str) -> list[Submission]:
    """The versions of a bot, newest first; empty where there is none. Raises BadPassport."""
    found = [Submission(folder, read(folder / FILE)) for folder in _folders(name)]
    for folder, passport in found:
        if (passport.name, passport.version) != (folder.parent.name, folder.name):
            raise BadPassport(
                f"{folder / FILE} is of {passport.name}@{passport.version}: "
                f"delete the folder {folder} and submit the bot again"
            )
    return sorted(found, key=lambda one: (one.passport.submitted, one.passport.version), reverse=True)


def newest() -> list[Submission]:
    """The newest version of every bot, by name. Raises BadPassport."""
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


def renew(one: Submission) -> Submission:
    """Make a version that is there the newest of its bot."""
    passport = dataclasses.replace(one.passport, submitted=now())
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
    """The folders of all versions, or of one bot's."""
    base = place()
    if name is None:
        bots = sorted(base.iterdir()) if base.is_dir() else []
    else:
        bots = [base / name] if NAME.fullmatch(name) else []  # what may lead anywhere is nobody's name
    for bot in bots:
        if bot.is_dir() and not bot.name.startswith("."):
            for folder in sorted(bot.iterdir()):
                if not folder.name.startswith(".") and (folder / FILE).is_file():
                    yield folder
