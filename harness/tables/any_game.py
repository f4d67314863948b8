"""A game that has no drawing of its own: what the seat knows, key by key."""

from __future__ import annotations

import json

from harness.tables.sight import Sight, View, wrapped

HINTS: tuple[str, ...] = ()


def drawn(view: View, sight: Sight) -> list[str]:
    """Every key of the view with its value."""
    lines = []
    for key, value in view.items():
        lines += wrapped(f"  {key:14} ", json.dumps(value, ensure_ascii=False), sight.width)
    return lines
