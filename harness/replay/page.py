"""A film as one self-contained page: the table drawn, stepped through with keys, from any seat."""

from __future__ import annotations

import dataclasses
import json
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engines.core.playthrough import plain
from harness import pages, store
from harness.analysis.replaying import game_of
from harness.durable import write_text
from harness.records import MatchRecord
from harness.replay.film import Film, film
from harness.replay.patches import diff

HERE: Final = Path(__file__).parent
SCHEMA: Final = 2
"""Of the values that a page holds."""


@dataclass(frozen=True)
class Origin:
    """The run that a match is from."""

    name: str
    digest: str = ""
    """The run's digest, once it is finished."""
    command: str = ""
    """What shows this match in a terminal."""


def text(shown: Film, origin: Origin, printed: Mapping[int, Sequence[str]] | None = None) -> str:
    """The page; `printed` has lines that bots printed, by seat, for whoever may read them."""
    spec = shown.record.spec
    table = HERE / "tables" / f"{spec.game}.js"
    return pages.page(
        "replay/page.html",
        title=f"{spec.game}, match {spec.id}",
        heading=heading(shown.record, origin),
        origin=origin,
        record=shown.record,
        wrong=shown.wrong,
        printed={seat: "\n".join(lines) for seat, lines in (printed or {}).items()},
        count=len(shown.moves),
        style=pages.source(pages.HERE / "theme.css", HERE / "page.css"),
        script=pages.source(
            HERE / "pieces.js",
            HERE / "seats.js",
            table if table.is_file() else HERE / "tables" / "any.js",
            HERE / "page.js",
        ),
        data=pages.embedded(values(shown, origin)),
    )


def heading(record: MatchRecord, origin: Origin) -> list[tuple[str, str]]:
    """What was played: names and values for the page's head."""
    spec = record.spec
    rows = [
        ("rules", pages.shown(spec.rules) or "the defaults"),
        ("deal", spec.deal),
        ("luck", str(spec.luck)),
        ("match digest", store.match_digest(record)),
        ("run", origin.name),
    ]
    return [*rows, ("run digest", origin.digest)] if origin.digest else rows


def values(shown: Film, origin: Origin) -> dict[str, Any]:
    """Everything that the page's script needs, as JSON values."""
    record = shown.record
    return {
        "schema": SCHEMA,
        "game": record.spec.game,
        "rules": json.loads(record.spec.rules),
        "options": plain_rules(shown),
        "match": record.spec.id,
        "run": origin.name,
        "sides": list(shown.game.sides),
        "legend": dict(shown.game.legend),
        "seats": [
            {
                "name": found.bot.name,
                "version": found.bot.version,
                "options": found.bot.options,
                "score": plain(found.score),
                "place": found.place,
            }
            for found in record.seats
        ],
        "moves": [
            [made.seat, made.name, made.choices, int(made.public), made.cpu_us, int(made.substitute)]
            for made in shown.moves
        ],
        "faults": [[ply, *fault] for ply in range(len(shown.frames)) for fault in shown.faults(ply)],
        "reason": record.reason,
        "status": record.status,
        "wrong": shown.wrong,
        "patches": list(_patches(shown)),
    }


def plain_rules(shown: Film) -> dict[str, Any]:
    """Every option with its value, defaults too."""
    return {
        field.name: plain(getattr(shown.game.rules, field.name))
        for field in dataclasses.fields(shown.game.rules)
    }


def _patches(shown: Film) -> Iterator[Any]:
    """From each frame to the next, the first from nothing.

    A view stands as what it has other than the position, so that what all may see is there once.
    """
    before: Any = {}
    for frame in shown.frames:
        after = frame._asdict() | {"views": [diff(frame.state, view) for view in frame.views]}
        yield diff(before, after)
        before = after


def place(folder: Path, match_id: str) -> Path:
    """Where a match's page goes, unless one says otherwise."""
    return folder / "replays" / f"{match_id}.html"


def origin(folder: Path, match_id: str) -> Origin:
    """What the page tells of the run in this folder."""
    try:
        run = tomllib.loads((folder / "run.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        run = {}
    try:
        facts = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        digest = str(facts["finished"]["digest"])
    except (OSError, ValueError, KeyError, TypeError):
        digest = ""
    name = str(run.get("name", folder.resolve().name))
    return Origin(name, digest, f"croupier replay {shlex.quote(name)} {match_id}")


def write(
    record: MatchRecord, path: Path, origin: Origin, printed: Mapping[int, Sequence[str]] | None = None
) -> Film:
    """Write a match's page, wholly or not at all; the film that it shows. See `text`."""
    shown = film(record, game_of(record))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text(shown, origin, printed))
    return shown
