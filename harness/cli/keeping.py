"""Commands that look after a run's files: repair, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import unquote

import typer

from harness.cli.common import LEFT_OPEN, UsageProblem, command, counted, find_run, say
from harness.cli.results import RunArgument

if TYPE_CHECKING:
    from harness.store.repair import Repaired


@command
def repair(run: RunArgument) -> None:
    """Put a run's files in order: what is torn, doubled or foreign goes to its damaged/ folder.

    \b
    Nothing is deleted. What is missing then is listed, with the command that
    plays it.
    Example: croupier repair quickstart
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness.store.repair import repair as repaired

    done = repaired(find_run(run))
    for line in said(done):
        typer.echo(line)
    if done.found is not None and not (done.found.ok or done.found.open_sets):
        raise typer.Exit(LEFT_OPEN)


def said(done: Repaired) -> list[str]:
    """What was done, what is missing and what to do next, in lines."""
    found = done.found
    assert found is not None, "repair ends with it"
    lines = []
    for aside in done.aside:
        matches = "" if aside.matches is None else f" ({counted(aside.matches, 'match', 'matches')})"
        lines.append(f"put aside: {', '.join(aside.files)}{matches}: {aside.why}")
    lines.append(
        f"{counted(len(done.aside), 'thing')} put aside in {done.folder / 'damaged'}/"
        if done.aside
        else "nothing to repair"
    )
    lines += found.lines
    if found.planned is not None and (left := found.planned - found.matches) > 0:
        rest = left - len(done.missing)
        named = ", ".join(done.missing) + (f" and {rest:,} more" if done.missing and rest else "")
        lines.append(f"missing: {counted(left, 'match', 'matches')}{': ' if named else ''}{named}")
        lines.append(f"this plays them: {done.command or f'croupier run CONFIG --out {done.folder}'}")
    return lines


@command
def export(
    run: RunArgument,
    uri: Annotated[
        str, typer.Argument(metavar="URI", help="s3://…, gs://…, hdfs://…, file:///… or a folder.")
    ],
) -> None:
    """Copy a run elsewhere, also while it goes on; what arrives is read back and its digest compared.

    \b
    The target must be empty or have a copy of the same run, which is brought
    up to date.
    Example: croupier export quickstart s3://results/quickstart
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    from harness.store.export import export as exported

    folder = find_run(run)
    if not (folder / "provenance.json").is_file():
        raise UsageProblem(f"{folder} has no provenance.json; `croupier run` writes it anew")
    _apart(folder, uri)
    done = exported(folder, uri)
    say(f"{folder}: {counted(done.copied, 'file')} copied to {uri}, {counted(done.parts, 'part')}")
    typer.echo(f"{counted(done.matches, 'match', 'matches')}, digest {done.digest}")


def _apart(folder: Path, uri: str) -> None:
    """Refuse a copy onto the run, or into it, where later copies would take it along; raises UsageProblem."""
    if not uri:
        raise UsageProblem("expected where to copy the run to, a folder or s3://…, got an empty text")
    scheme, separator, rest = uri.partition("://")
    if separator and scheme != "file":
        return
    place = Path(unquote(rest) if separator else uri).resolve()
    if place == folder.resolve() or folder.resolve() in place.parents:
        raise UsageProblem(f"cannot export {folder} to {uri}: expected a place outside of the run itself")


def add_to(app: typer.Typer) -> None:
    """Put these commands into `app`."""
    app.command(short_help="Put a run's files in order; nothing is deleted.")(repair)
    app.command(short_help="Copy a run to another folder or to object storage.")(export)
