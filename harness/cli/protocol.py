"""The command `schema`: what the referee and a bot in another language say to each other."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from harness.cli.common import command, rules_of


@command
def schema(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name.")],
    rules: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game; repeatable.")
    ] = None,
) -> None:
    """Print the JSON Schema (2020-12) of the lines that a bot in another language gets and sends.

    `$defs` has one entry a message, such as `act` and `move`, and `view`, what a seat knows in this game.
    docs/protocol.md explains the exchange.

    \b
    Example: croupier schema hund > hund.schema.json
    """  # noqa: D301 - \b keeps click from filling the lines that follow
    import engines
    from harness.protocol.schema import game_schema

    found = game_schema(engines.load(game, **rules_of(rules or [])))
    typer.echo(json.dumps(found, indent=2, ensure_ascii=False))


def add_to(app: typer.Typer) -> None:
    """Put this command into `app`."""
    app.command(short_help="Print the JSON Schema of the exchange with bots in other languages.")(schema)
