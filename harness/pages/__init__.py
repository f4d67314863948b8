"""Self-contained web pages: one file each, that asks the network for nothing.

Templates, styles and scripts lie beside the code that fills them in. Everything goes into the page, and a
content security policy in its head forbids the browser to fetch anything else, whatever a bot's name says.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

HERE = Path(__file__).parent
ROOT = HERE.parent


@functools.cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def page(template: str, **values: Any) -> str:
    """The page of a template (its path from the package `harness`), filled in; texts are escaped."""
    return _templates().get_template(template).render(**values)


def source(*files: Path) -> Markup:
    """Files of our own, styles or scripts, as they go into a page."""
    return Markup("\n".join(file.read_text(encoding="utf-8") for file in files))  # noqa: S704 - our own files


def embedded(value: Any) -> Markup:
    """JSON values for a script element; nothing in them can end it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - what HTML could misread is escaped above


def markup(text: str) -> Markup:
    """Markup that a drawing library made."""
    return Markup(text)  # noqa: S704 - for drawings only, whose texts their library escapes


def shown(value: Any) -> str:
    """Options in one line: `deck = "easy", cap = 60`."""
    found: Mapping[str, Any] = json.loads(value) if isinstance(value, str) else value
    return ", ".join(f"{key} = {json.dumps(item, ensure_ascii=False)}" for key, item in found.items())
