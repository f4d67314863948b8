"""All commands under one roof."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

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


class Command(TyperCommand):
    """A command whose arguments stand in the usage line as they are named: `RUN`, not `{RUN}`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Without the braces that newer versions of typer put around what must be given."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


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
for registered in app.registered_commands:
    registered.cls = Command
