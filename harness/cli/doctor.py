"""The command `doctor`: what this machine has, and what to do about what it lacks."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import typer

from harness.cli.common import LEFT_OPEN, UsageProblem, command, tell

LEAST_PYTHON = (3, 11)


class Finding(NamedTuple):
    """One thing that was looked at."""

    what: str
    found: str
    advice: str = ""
    """What to do about it; nothing where all is well."""
    broken: bool = False
    """Whether Croupier cannot work so, rather than only less well."""


@command
def doctor(
    zoo: Annotated[
        bool, typer.Option("--zoo", help="Play every bot of the zoo, which misbehaves in every way we know.")
    ] = False,
    isolation: Annotated[
        str, typer.Option(metavar="LEVEL", help="The level of isolation that the zoo is played at.")
    ] = "auto",
) -> None:
    """Show versions, cores, and whether the engines are compiled; say what to do about what is missing.

    With --zoo, seat bots that attack the harness, each other and the clock, and show what the isolation of
    this machine holds back. They do no harm where they succeed. Exit code 1 if one got through unexpectedly.

    \b
    Examples:
      croupier doctor
      croupier doctor --zoo --isolation locked
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    if zoo:
        from harness.cli.zoo import show

        if not show(isolation):
            raise typer.Exit(LEFT_OPEN)
        return
    if isolation != "auto":
        level = shlex.quote(isolation)
        raise UsageProblem(f"--isolation {level} belongs to --zoo: croupier doctor --zoo --isolation {level}")
    findings = list(examine())
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark = "bad" if finding.broken else "!" if finding.advice else "ok"
        tell(f"{mark:3}  {finding.what:{width}}  {finding.found}", width + 7)
        if finding.advice:
            tell(f"     {finding.advice}", 5)
    if any(finding.broken for finding in findings):
        raise typer.Exit(LEFT_OPEN)


def examine() -> Iterator[Finding]:
    """Look at everything."""
    python = platform.python_version()
    old = sys.version_info < LEAST_PYTHON
    yield Finding(
        "Python", f"{python} ({sys.executable})", "Python 3.11 or later is needed" if old else "", old
    )
    yield cores()
    yield compiled()
    for package in ("croupier", "ray", "pandas", "pyarrow", "numpy", "trueskill", "msgspec", "typer", "rich"):
        yield installed(package)
    yield registry()
    yield isolation()


def cores() -> Finding:
    """How many cores this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    total = os.cpu_count() or usable
    found = f"{usable} usable" + (f" of {total}" if total != usable else "")
    advice = "runs use one worker; more cores play more matches at once" if usable == 1 else ""
    return Finding("Cores", found, advice)


def compiled() -> Finding:
    """Whether the engines run as machine code."""
    from engines.core.bits import COMPILED

    if COMPILED:
        return Finding("Engines", "compiled")
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    first = f"there is a C compiler ({compiler})" if compiler else "install a C compiler (gcc or clang)"
    advice = f"{first}: `pip install .` makes them about ten times as fast"
    return Finding("Engines", "pure Python (same results, slower)", advice)


def installed(package: str) -> Finding:
    """The version of a package."""
    from importlib import metadata

    try:
        return Finding(package, metadata.version(package))
    except metadata.PackageNotFoundError:
        if package == "croupier":
            return Finding(
                package, "run from its source tree", "`pip install -e .` gives the command `croupier`"
            )
        return Finding(package, "missing", f"`pip install {package}`", broken=True)


def registry() -> Finding:
    """The games and bots that are found."""
    import engines
    from harness import submissions

    games, bots = engines.available(), submissions.shipped()
    return Finding(
        "Games", ", ".join(games) or "none", "" if games else "this installation lacks its games", not games
    )._replace(found=f"{', '.join(games)}; {len(bots)} bots")


def isolation(platform: str = sys.platform) -> Finding:
    """How strangers' bots are kept from the harness and from each other, tried out here."""
    from harness.players import levels
    from harness.players.base import PlatformFault
    from harness.players.spawner import open_spawner

    try:
        spawner = open_spawner(platform=platform)
    except (levels.IsolationUnavailable, PlatformFault) as error:
        return Finding("Isolation", unwalled(platform), str(error))
    spawner.close()
    found = levels.told(spawner.level, spawner.host)
    advice = ""
    if spawner.level != "sealed":
        advice = levels.remedy(spawner.host)
    elif spawner.remark:
        advice = f"{spawner.remark}; with Python outside of /root every seat gets a user of its own"
    return Finding("Isolation", found, advice)


def unwalled(platform: str) -> str:
    """What there is where nothing keeps bots from files and the network, for whoever asks for it."""
    from harness.players import levels
    from harness.players.base import PlatformFault
    from harness.players.spawner import open_spawner

    try:
        spawner = open_spawner(levels.BOUNDED, platform=platform)
    except (levels.IsolationUnavailable, PlatformFault) as error:
        return f"none ({error})"
    spawner.close()
    remark = f"; {spawner.remark}" if spawner.remark else ""
    return f"none, unless it is asked for: {levels.told(spawner.level, spawner.host)}{remark}"


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="Show what this machine has and what it lacks.")(doctor)
