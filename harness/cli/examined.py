"""What a check has found, in words: its steps as they are done, and the passport of a bot that entered."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import TYPE_CHECKING

import typer

from harness.cli.common import console, tell

if TYPE_CHECKING:
    from harness.checking import Step
    from harness.passport import Passport

_MARKS = {"passed": "passed ", "failed": "FAILED ", "skipped": "skipped"}


def show(step: Step) -> None:
    """A step as it is printed."""
    mark = _MARKS[step.status.value]
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        colour = {"passed": typer.colors.GREEN, "failed": typer.colors.RED}.get(step.status.value)
        mark = typer.style(mark, fg=colour)
        typer.echo(f"{step.number}  {mark}  {step.name:13} ", nl=False)
        tell_after = 26
        _wrapped(step.said, tell_after)
    else:
        typer.echo(f"{step.number}  {mark}  {step.name:13} {step.said}")
    for line in step.details:
        tell(f"     {line}", 7)
    if step.advice:
        tell(f"     what to do: {step.advice}", 7)
    if step.output:
        typer.echo("".join(f"     | {line}\n" for line in step.output.splitlines()), nl=False)


def _wrapped(text: str, indent: int) -> None:
    """The rest of a line that has begun, set in where it goes on."""
    width = max(20, console().width - indent)
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
    typer.echo(f"\n{' ' * indent}".join(lines))


def passport_lines(passport: Passport) -> list[str]:
    """A passport in words."""
    plays = ", ".join(passport.games) or "every game"
    lines = [f"{passport.name} ({passport.version}) plays {plays}"]
    if passport.about:
        lines.append(f"  {passport.about}")
    lines.append(f"  submitted {passport.submitted[:16].replace('T', ' ')} UTC by {passport.author}")
    traits = [
        "deterministic" if passport.deterministic else "not deterministic",
        "even against itself" if passport.cancels else "not even against itself",
        f"types {passport.types}",
        f"checked by Croupier {passport.croupier}, isolation {passport.isolation}",
    ]
    if passport.memory_mb is not None:
        traits.append(f"{passport.memory_mb:.0f} MB")
    lines.append(f"  {', '.join(traits)}")
    for seen in passport.measured:
        met = [f"{100 * one.share:.0f} % against {one.bot}" for one in seen.against]
        times = (
            f"CPU {seen.cpu_ms_p50:.2g} ms a decision, p95 {seen.cpu_ms_p95:.2g}, most {seen.cpu_ms_max:.2g}"
        )
        lines.append(f"  {seen.game}: {times}{'; ahead in ' if met else ''}{', '.join(met)}")
    return lines
