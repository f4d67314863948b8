"""All commands under one roof."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli import (
    checking,
    comparing,
    doctor,
    entering,
    keeping,
    looking,
    playing,
    protocol,
    results,
    running,
    solving,
    starting,
)
from harness.cli.parsing import Command

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

app = typer.Typer(
    name="croupier",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        try:
            found = metadata.version("croupier")
        except metadata.PackageNotFoundError:
            found = "(source tree)"
        typer.echo(f"croupier {found}")
        raise typer.Exit


@app.callback()
def croupier(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Tournaments of table-game bots: duplicate deals, results in Parquet, rankings one can believe.

    \b
    Start here:
      croupier run configs/quickstart.toml     play, or continue, a tournament
      croupier report quickstart               its ranking
      croupier games                           what can be played
      croupier new bot mine --game hund        a bot of your own
    """  # noqa: D301 - \b keeps click from filling the lines that follow


for module in (
    running,
    comparing,
    results,
    checking,
    entering,
    starting,
    looking,
    protocol,
    playing,
    solving,
    keeping,
    doctor,
):
    module.add_to(app)
for group in (app, *(one.typer_instance for one in app.registered_groups if one.typer_instance)):
    for registered in group.registered_commands:
        registered.cls = Command
