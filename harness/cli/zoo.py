"""`croupier doctor --zoo`: what the isolation of this machine holds back, as a table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from harness.cli.common import UsageProblem, console, counted, say

if TYPE_CHECKING:
    from harness.zoo.keeper import Visit


def show(level: str) -> bool:
    """Play the zoo and print what came of it; returns whether nothing got through unexpectedly."""
    from rich.table import Table

    from harness.config_values import ISOLATION
    from harness.players import levels
    from harness.players.spawner import open_spawner
    from harness.zoo.animals import animals
    from harness.zoo.keeper import visits

    if level not in ISOLATION or level == levels.NONE:
        known = ", ".join(name for name in ISOLATION if name != levels.NONE)
        raise UsageProblem(f"--isolation {level or repr(level)}: the zoo plays at one of {known}")
    if not sys.platform.startswith("linux"):
        raise UsageProblem(f"--zoo: its bots attack Linux; this is {levels.system(sys.platform)}")
    spawner = open_spawner(level)
    level, told = spawner.level, levels.told(spawner.level, spawner.host)
    remark = spawner.remark
    spawner.close()
    table = Table("bot", "came of it", "how it ended", box=None, pad_edge=False, header_style="bold")
    done = []
    total = len(animals())
    for found in visits(level):
        done.append(found)
        say(f"{len(done)}/{total} {found.animal.name}: {verdict(found)}")
        table.add_row(
            found.animal.name, verdict(found), found.end if not found.harm else "; ".join(found.harm)
        )
    console().print(table)
    surprises = [found for found in done if found.surprising]
    expected = [found for found in done if found.harm and found.expected]
    typer.echo(f"\nisolation: {told}" + (f"; {remark}" if remark else ""))
    held = sum(not found.harm and not found.spared for found in done)
    counts = [f"{held} of {counted(total, 'bot')} contained"]
    if expected:
        counts.append(f"{len(expected)} got through, as this level lets them")
    if spared := sum(found.spared for found in done):
        counts.append(f"{spared} not played, which would hurt this machine at this level")
    counts.append(f"{len(surprises) or 'none'} got through unexpectedly")
    typer.echo("; ".join(counts))
    for found in surprises:
        typer.echo(f"unexpected: {found.animal.name}: {'; '.join(found.harm)}\n  {found.animal.tries}")
    return not surprises


def verdict(found: Visit) -> str:
    """One word or two for a visit."""
    if found.spared:
        return "not played"
    if not found.harm:
        return "contained"
    return "let through" if found.expected else "GOT THROUGH"
